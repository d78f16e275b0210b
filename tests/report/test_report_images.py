import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from made_up_figures import without_value
from study_builder import ENVIRONMENT, StudyBuilder

from loadstone.report.charts.images import Image, file_name, images
from loadstone.report.write import write_images

HOSTILE = "../../<script>alert(1)</script>"


def images_of(builder: StudyBuilder) -> tuple[Image, ...]:
    return images(builder.analysis(), builder.findings, builder.plan(), ENVIRONMENT)


@pytest.fixture(scope="module")
def ordinary() -> tuple[Image, ...]:
    return images_of(StudyBuilder())


def test_every_chart_of_the_page_is_an_image(ordinary: tuple[Image, ...]) -> None:
    names = [image.name for image in ordinary]
    assert names[0] == "question-1-ratios-with-intervals"
    assert "closed-50-throughput-over-time" in names
    assert len(names) == len(set(names)) == 13


def test_an_image_has_its_own_ground_ink_and_size(ordinary: tuple[Image, ...]) -> None:
    for image in ordinary:
        root = ElementTree.fromstring(image.svg)
        assert "currentColor" not in image.svg
        assert root[0].attrib["fill"] == "#ffffff"
        assert float(root.attrib["width"]) >= 600
        assert root.attrib["viewBox"].split()[2] == root.attrib["width"] == root[0].attrib["width"]


def test_images_are_written_as_svg_and_png_of_twice_the_size(
    ordinary: tuple[Image, ...], tmp_path: Path
) -> None:
    told: list[tuple[int, int]] = []
    written = write_images(tmp_path, ordinary[:2], lambda *done: told.append(done))
    assert told == [(0, 2), (1, 2)]
    assert written == tuple(
        tmp_path / "charts" / f"{image.name}{suffix}"
        for image in ordinary[:2]
        for suffix in (".svg", ".png")
    )
    width, height = struct.unpack(">II", written[1].read_bytes()[16:24])
    root = ElementTree.fromstring(written[0].read_text())
    assert width == round(2 * float(root.attrib["width"]))
    assert height == pytest.approx(2 * float(root.attrib["height"]), abs=1)


def test_the_same_analysis_gives_the_same_images(ordinary: tuple[Image, ...]) -> None:
    again = images_of(StudyBuilder())
    assert again == ordinary
    assert again[0].png() == ordinary[0].png()


def test_a_hostile_name_stays_in_its_folder() -> None:
    found = images_of(StudyBuilder(arms={HOSTILE: 1.0}, workloads=(HOSTILE,), comparisons=()))
    assert found
    assert all(set(image.name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for image in found)
    assert all("<script" not in image.svg for image in found)
    assert file_name("..", "/etc/passwd") == "etc-passwd"


def test_names_that_differ_in_signs_only_are_numbered() -> None:
    names = [image.name for image in images_of(StudyBuilder(workloads=("a b", "a-b")))]
    assert "a-b-throughput-over-time" in names
    assert "a-b-throughput-over-time-2" in names
    assert len(names) == len(set(names))


def test_a_withheld_figure_is_in_no_image() -> None:
    builder = StudyBuilder().with_figure("node", without_value("throughput", "withheld", "unread"))
    (image,) = (image for image in images_of(builder) if "throughput-over" in image.name)
    texts = [text.text for text in ElementTree.fromstring(image.svg).iter() if text.text]
    assert "go" in texts
    assert "node" not in texts
