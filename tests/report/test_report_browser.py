import json
import re
import struct
from pathlib import Path
from typing import Any

import pytest
from chromium import CHROMIUM, WHY_SKIPPED, open_page
from made_up_figures import without_value
from page_reader import PageReader
from published_rows_builder import published
from study_builder import ENVIRONMENT, StudyBuilder

from loadstone.report.write import write_report

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=WHY_SKIPPED)

LONG = "a-gateway-with-a-rather-long-label-of-h2-downgrade"
PROBE = """<script>
addEventListener("load", () => {
  const drawn = [...document.querySelectorAll("figure:not(.ranked) svg")].map((svg) => ({
    name: svg.getAttribute("class"), width: svg.getBoundingClientRect().width,
  }));
  parent.postMessage(JSON.stringify({
    inner: innerWidth, scroll: document.documentElement.scrollWidth, drawn,
    background: getComputedStyle(document.body).backgroundColor,
    links: [...document.links].filter((link) => link.tabIndex === 0).length,
  }), "*");
});
</script>"""
FRAME = """<!DOCTYPE html><title>frame</title><body>
<iframe src="probed.html" width="{width}" height="900" style="border: 0"></iframe>
<script>onmessage = (message) => {{ document.body.textContent = message.data; }};</script>"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    builder = StudyBuilder(
        arms={"go": 1.0, "node": 1.42, LONG: 1.1}, failed_runs=("007-go-closed-50: load: died",)
    ).with_figure("node", without_value("rss_peak", "withheld", "memory-unread"))
    directory = tmp_path_factory.mktemp("results")
    return write_report(
        directory,
        builder.analysis(),
        builder.findings,
        builder.plan(),
        ENVIRONMENT,
        published(stack="Elsewhere, a table with a long name"),
    )


def probed(report: Path, tmp_path: Path, *flags: str, width: int = 1000) -> dict[str, Any]:
    """Layout facts of the page, asked by a script that only this copy of it allows.

    A frame gives it its width: a window of Chromium is never narrower than 500 pixels.
    """
    html = re.sub(r"<meta http-equiv=[^>]*>", "", report.read_text())
    (tmp_path / "probed.html").write_text(html.replace("</head>", f"{PROBE}</head>"))
    page = tmp_path / "frame.html"
    page.write_text(FRAME.format(width=width))
    dom, _ = open_page(
        page, tmp_path / "profile", "--dump-dom", "--virtual-time-budget=5000", *flags
    )
    found = re.search(r"<body>(\{.*?\})\s*</body>", dom, re.DOTALL)
    assert found is not None
    facts: dict[str, Any] = json.loads(found[1])
    return facts


def test_the_page_opens_without_a_message_on_the_console(report: Path, tmp_path: Path) -> None:
    dom, console = open_page(report, tmp_path / "profile", "--dump-dom")
    assert console == []
    page = PageReader(dom)
    assert page.count("h1") == 1
    assert page.count("h2") == 12


def test_the_browser_would_report_a_script_or_a_request(report: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    injected = '<script>document.title = "ran"</script><img src="http://127.0.0.1:9/x.png">'
    bad.write_text(report.read_text().replace("</body>", f"{injected}</body>"))
    dom, console = open_page(bad, tmp_path / "profile", "--dump-dom")
    assert len(console) >= 2
    assert "<title>ran" not in dom


@pytest.mark.parametrize(("width", "shown"), [(400, "narrow"), (1600, "wide")])
def test_the_page_fits_its_window_and_draws_one_version_of_each_chart(
    report: Path, tmp_path: Path, width: int, shown: str
) -> None:
    facts = probed(report, tmp_path, "--window-size=1700,1000", width=width)
    assert facts["scroll"] <= facts["inner"] == width
    visible = [drawn for drawn in facts["drawn"] if drawn["width"] > 0]
    assert {drawn["name"] for drawn in visible} == {shown}
    assert len(visible) == 13
    assert all(drawn["width"] > 250 for drawn in visible)


def test_a_page_of_groups_fits_its_window_and_opens_without_a_message(tmp_path: Path) -> None:
    groups = ("bookers", "a-group-with-a-rather-long-name-of-people-who-rate")
    builder = StudyBuilder(operations=("log-in", "book"), groups=groups)
    page = write_report(tmp_path, builder.analysis(), builder.findings, builder.plan(), ENVIRONMENT)
    for width, shown in ((400, "narrow"), (1600, "wide")):
        facts = probed(page, tmp_path, "--window-size=1700,1000", width=width)
        assert facts["scroll"] <= facts["inner"] == width
        visible = [drawn for drawn in facts["drawn"] if drawn["width"] > 0]
        assert {drawn["name"] for drawn in visible} == {shown}
    assert open_page(page, tmp_path / "profile", "--dump-dom")[1] == []


def test_light_and_dark_follow_the_reader(report: Path, tmp_path: Path) -> None:
    light = probed(report, tmp_path, "--blink-settings=preferredColorScheme=1")
    dark = probed(report, tmp_path, "--blink-settings=preferredColorScheme=0")
    assert light["background"] == "rgb(252, 252, 250)"
    assert dark["background"] == "rgb(20, 23, 26)"


def test_every_link_is_reached_by_the_keyboard(report: Path, tmp_path: Path) -> None:
    assert probed(report, tmp_path)["links"] == len(PageReader(report.read_text()).values("href"))


def test_the_page_can_be_seen_and_printed(report: Path, tmp_path: Path) -> None:
    picture, printed = tmp_path / "page.png", tmp_path / "page.pdf"
    open_page(report, tmp_path / "profile", f"--screenshot={picture}", "--window-size=800,1200")
    open_page(report, tmp_path / "profile", f"--print-to-pdf={printed}")
    assert struct.unpack(">II", picture.read_bytes()[16:24]) == (800, 1200)
    assert printed.read_bytes().startswith(b"%PDF")
