"""The page of how stacks warm up: from a study's results to what is kept, and from that to the page."""

from pathlib import Path

import pytest
from lab import SIMULATE, Lab, study_of

from loadstone.generate import committed_files, kept_figures, warming_page
from loadstone.generate.kept_figures import KeptTable
from markdown_table import cells

STUDY = study_of("go", "netty", blocks=2).replace(
    "profiles:\n", "profiles:\n  watched: {window: 3s}\n"
)


def rows(page: str) -> list[dict[str, str]]:
    """Of the page's first table, by column."""
    lines = page.splitlines()
    begin = next(index for index, line in enumerate(lines) if line.startswith("| stack |"))
    end = lines.index("", begin)
    header = cells(lines[begin])
    return [dict(zip(header, cells(line), strict=True)) for line in lines[begin + 2 : end]]


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout to write into."""
    root = tmp_path / "elsewhere"
    (root / warming_page.PAGE.page).parent.mkdir(parents=True)
    for module in (committed_files, kept_figures):
        monkeypatch.setattr(module, "CHECKOUT", root)
    return root


def test_the_committed_page_is_what_the_kept_figures_say() -> None:
    assert warming_page.main(["--check"]) == 0


def test_a_study_becomes_the_page_with_a_row_for_each_arm(lab: Lab, elsewhere: Path) -> None:
    lab.behave("go: {}\nnetty: {warm_up: 500s}\n")
    lab.study(STUDY)
    assert lab.run("run", "trial", "--profile", "watched", *SIMULATE).code == 0
    assert warming_page.main(["--from", str(lab.results())]) == 0
    kept = KeptTable.model_validate_json((elsewhere / warming_page.PAGE.kept).read_text("utf-8"))
    assert [(arm.stack, arm.runtime, arm.steady_by) for arm in kept.arms] == [
        ("go", "go", ("idle", "idle")),
        ("netty", "openjdk-25", ("cap", "cap")),
    ]
    page = (elsewhere / warming_page.PAGE.page).read_text("utf-8")
    go, netty = rows(page)
    assert (go["steady after"], go["told by"], go["first 10 s"]) == (
        "2 s",
        "never compiles",
        "100 %",
    )
    assert (netty["steady after"], netty["told by"]) == ("–", "cap")
    assert warming_page.main(["--check"]) == 0
    (elsewhere / warming_page.PAGE.page).write_text(page.replace("2 s", "1 s"))
    assert warming_page.main(["--check"]) == 1


def test_an_arm_of_which_nothing_is_claimed_is_marked() -> None:
    kept = KeptTable.model_validate_json(
        (committed_files.CHECKOUT / warming_page.PAGE.kept).read_text("utf-8")
    )
    doubted = kept.arms[0].model_copy(update={"doubts": ("still-warming",)})
    sure = kept.arms[1].model_copy(update={"doubts": ()})
    page = warming_page.warming_page(kept.model_copy(update={"arms": (doubted, sure)}))
    marks = [row["warm, 1/s"].endswith("\\*") for row in rows(page)]
    assert marks == [True, False]
    assert f"- {doubted.stack} on {doubted.runtime}: [`still-warming`](findings.md)." in page


def test_results_of_several_workloads_are_refused(
    lab: Lab, elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lab.behave("default: {}\n")
    lab.study(STUDY.replace("[saturation-50b]", "[saturation-50b, fixed-rate-50b]"))
    assert lab.run("run", "trial", "--profile", "moment", *SIMULATE).code == 0
    assert warming_page.main(["--from", str(lab.results())]) == 2
    said = capsys.readouterr().err
    assert "has 2 workloads, the table is of one" in said
    assert "the study that the page names" in said
    assert not (elsewhere / warming_page.PAGE.kept).exists()
