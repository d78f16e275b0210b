"""What the page's script does in a real browser: charts that are drawn, zoomed and filtered."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import CHROMIUM, WHY_SKIPPED
from devtools import Tab, browser
from made_up_figures import without_value
from study_builder import ENVIRONMENT, StudyBuilder, comparison, finding

from loadstone.findings import scope
from loadstone.report.write import write_report
from loadstone.results.environment import Environment

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=WHY_SKIPPED)

HOSTILE = (
    "</script><script>window.ran=1</script><img src=x onerror=window.ran=1>\"}]\u2028'&{{7*7}}"
)
CHARTS = "[...document.querySelectorAll('figure[data-chart]')]"
NEAR = f"""{CHARTS}.filter(figure => {{
  const box = figure.getBoundingClientRect();
  return box.bottom > -300 && box.top < innerHeight + 300;
}})"""
"""Those that the script draws without being scrolled to, and a margin."""
COLOURED = """figure => {
  const canvas = figure.querySelector('canvas');
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    const [red, green, blue, alpha] = data.subarray(at, at + 4);
    if (alpha > 40 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) count += 1;
  }
  return count;
}"""
"""How many pixels are in an arm's colour: axes and texts are grey."""


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(autouse=True)
def nothing_is_said_or_asked_for(tab: Tab) -> Iterator[None]:
    tab.console.clear()
    tab.requests.clear()
    yield
    assert tab.console == []
    assert all(request.startswith("file:///") for request in tab.requests)
    assert len(tab.requests) <= 1


def page_of(directory: Path, builder: StudyBuilder, environment: Environment = ENVIRONMENT) -> Path:
    return write_report(
        directory, builder.analysis(), builder.findings, builder.plan(), environment
    )


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_of(tmp_path_factory.mktemp("two"), StudyBuilder())


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    arms = {f"arm-{number:02d}": 1 + number / 50 for number in range(20)}
    return page_of(tmp_path_factory.mktemp("many"), StudyBuilder(arms=arms, comparisons=()))


def show(tab: Tab, chart: str) -> str:
    """Scroll to a chart, wait until it is drawn, and return the expression of its figure.

    Other charts that come near while it is scrolled to are drawn too, and change the page's height.
    """
    figure = f"document.querySelector('figure[data-chart$=\"{chart}\"]')"
    tab.evaluate("document.documentElement.style.scrollBehavior = 'auto'")
    for _ in range(2):
        tab.evaluate(f"{figure}.scrollIntoView({{block: 'center'}})")
        tab.wait_for(f"{figure}.querySelector('canvas') && {NEAR}.every(f => f.dataset.drawn)")
    return figure


def place_of(tab: Tab, figure: str, across: float, down: float) -> tuple[float, float]:
    """A place of the chart's canvas in the window, as shares of its width and height."""
    box = tab.evaluate(f"{figure}.querySelector('canvas').getBoundingClientRect().toJSON()")
    return box["left"] + box["width"] * across, box["top"] + box["height"] * down


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("dark", [False, True])
def test_every_chart_is_drawn_and_the_page_does_not_scroll_sideways(
    tab: Tab, two: Path, width: int, dark: bool
) -> None:
    tab.open(two, width, dark=dark)
    for key in tab.evaluate(f"{CHARTS}.map(figure => figure.dataset.chart)"):
        figure = show(tab, key)
        assert tab.evaluate(f"({COLOURED})({figure})") > 100, key
        visible = f"[...{figure}.querySelectorAll('svg[role=img]')].map(svg => svg.clientHeight)"
        assert set(tab.evaluate(visible)) == {0}
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_pointing_at_a_line_tells_arm_value_and_run(tab: Tab, two: Path) -> None:
    tab.open(two)
    figure = show(tab, "throughput-over-time")
    for step in range(30):
        tab.mouse("mouseMoved", *place_of(tab, figure, 0.6, 0.05 + step / 35))
        if not tab.evaluate("document.querySelector('.tip').hidden"):
            break
    told = tab.evaluate("document.querySelector('.tip').textContent")
    assert re.fullmatch(r"go\n1\d\.\d k/s at \d\.5 s\nrun 00\d-go-closed-50", told)
    box = tab.evaluate("document.querySelector('.tip').getBoundingClientRect().toJSON()")
    assert 0 <= box["left"] <= box["right"] <= 1400
    assert 0 <= box["top"] <= box["bottom"] <= 900


def test_dragging_zooms_and_a_button_shows_all(tab: Tab, two: Path) -> None:
    tab.open(two)
    figure = show(tab, "throughput-over-time")
    picture = f"{figure}.querySelector('canvas').toDataURL()"
    tab.mouse("mouseMoved", *place_of(tab, figure, 0.9, 0.95))
    whole = tab.evaluate(picture)
    tab.mouse("mousePressed", *place_of(tab, figure, 0.4, 0.5), buttons=1)
    tab.mouse("mouseMoved", *place_of(tab, figure, 0.6, 0.5), buttons=1)
    tab.mouse("mouseReleased", *place_of(tab, figure, 0.6, 0.5))
    tab.wait_for(f"{picture} !== {whole!r}")
    tab.evaluate(
        f"[...{figure}.querySelectorAll('button')].find(b => b.textContent === 'Show all').click()"
    )
    tab.wait_for(f"{picture} === {whole!r}")


def test_the_keyboard_zooms_and_moves(tab: Tab, two: Path) -> None:
    tab.open(two)
    figure = show(tab, "response-time-by-percentile")
    picture = f"{figure}.querySelector('canvas').toDataURL()"
    seen = [tab.evaluate(picture)]
    tab.evaluate(f"{figure}.querySelector('[tabindex=\"0\"]').focus()")
    for key, code, text in (("+", 187, "+"), ("ArrowRight", 39, ""), ("-", 189, "-")):
        tab.press(key, code, text)
        tab.wait_for(f"{picture} !== {seen[-1]!r}")
        seen.append(tab.evaluate(picture))
    tab.press("0", 48, "0")
    tab.wait_for(f"{picture} === {seen[0]!r}")


def test_tab_reaches_the_arms_and_the_charts(tab: Tab, two: Path) -> None:
    tab.open(two)
    show(tab, "response-time-by-percentile")
    tab.evaluate("window.scrollTo(0, 0); document.querySelector('.skip').focus()")
    reached = []
    for _ in range(40):
        tab.press("Tab", 9)
        reached.append(
            tab.evaluate("document.activeElement.type || document.activeElement.className")
        )
    assert {"search", "checkbox", "host", "button"} <= set(reached)
    assert reached.index("checkbox") < reached.index("host")


def test_an_arm_is_picked_with_the_keyboard_and_its_lines_and_rows_vanish(
    tab: Tab, two: Path
) -> None:
    tab.open(two)
    figure = show(tab, "throughput-over-time")
    assert tab.evaluate(f"{figure}.dataset.drawn") == "12"
    rows = "[...document.querySelectorAll('[data-arm=\"node\"]')].filter(row => !row.hidden).length"
    assert tab.evaluate(rows) > 0
    tab.evaluate("document.querySelector('#arms input[value=\"1\"]').focus({preventScroll: true})")
    tab.press(" ", 32, " ")
    tab.wait_for(f"{figure}.dataset.drawn === '6'")
    assert tab.evaluate(f"{figure}.querySelector('.legend').textContent") == "go"
    assert tab.evaluate("document.querySelector('#arms .count').textContent") == "1 of 2"
    assert tab.evaluate(rows) == 0


def test_none_and_all_are_one_press(tab: Tab, two: Path) -> None:
    tab.open(two)
    figure = show(tab, "median-and-p99-of-each-run")
    for which, drawn in (("none", "0"), ("all", "2")):
        tab.evaluate(f"document.querySelector('#arms button[value={which}]').click()")
        tab.wait_for(f"{figure}.dataset.drawn === '{drawn}'")


def test_of_many_arms_twelve_are_drawn_and_a_search_finds_the_others(tab: Tab, many: Path) -> None:
    tab.open(many)
    figure = show(tab, "response-time-by-percentile")
    assert tab.evaluate(f"{figure}.dataset.drawn") == "12"
    tab.evaluate("document.querySelector('#arms input[type=search]').focus({preventScroll: true})")
    for digit in "17":
        tab.press(digit, ord(digit), digit)
    labels = "[...document.querySelectorAll('#arms li label')].filter(label => !label.hidden)"
    assert tab.evaluate(f"{labels}.map(label => label.textContent.trim())") == ["arm-17"]
    tab.evaluate(f"{labels}[0].click()")
    tab.wait_for(f"{figure}.dataset.drawn === '13'")


def test_a_chart_that_scrolled_far_away_is_let_go_and_comes_back(tab: Tab, many: Path) -> None:
    tab.open(many, height=300)
    figure = show(tab, "response-time-by-percentile")
    height = tab.evaluate("document.documentElement.scrollHeight")
    tab.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    tab.wait_for(f"!{figure}.querySelector('canvas')")
    assert tab.evaluate("document.documentElement.scrollHeight") == pytest.approx(height, rel=0.2)
    show(tab, "response-time-by-percentile")
    assert tab.evaluate(f"({COLOURED})({figure})") > 100


def test_without_scripts_the_pictures_stand_and_nothing_is_offered(tab: Tab, two: Path) -> None:
    tab.ask("Emulation.setScriptExecutionDisabled", value=True)
    try:
        tab.open(two)
        shown = f"{CHARTS}.map(f => f.querySelector('svg.wide').getBoundingClientRect().height)"
        assert all(height > 60 for height in tab.evaluate(shown))
        assert tab.evaluate("document.getElementById('arms').hidden")
        assert tab.evaluate("document.querySelectorAll('canvas').length") == 0
    finally:
        tab.ask("Emulation.setScriptExecutionDisabled", value=False)


def test_the_print_has_pages_and_the_static_pictures(tab: Tab, two: Path) -> None:
    tab.open(two)
    show(tab, "throughput-over-time")
    printed = tab.printed()
    assert printed.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) >= 3
    tab.ask("Emulation.setEmulatedMedia", media="print")
    shown = f"{CHARTS}.map(f => f.querySelector('svg.wide').getBoundingClientRect().height)"
    assert all(height > 60 for height in tab.evaluate(shown))
    assert tab.evaluate("getComputedStyle(document.querySelector('.host')).display") == "none"
    tab.ask("Emulation.setEmulatedMedia", media="")


def test_hostile_text_is_drawn_and_told_as_text(tab: Tab, tmp_path: Path) -> None:
    builder = StudyBuilder(
        arms={HOSTILE: 1.0, "node": 1.42},
        workloads=(HOSTILE,),
        comparisons=(
            comparison(baseline=HOSTILE, workload=HOSTILE, question=HOSTILE, reason=HOSTILE),
        ),
        findings=(
            finding(
                evidence=HOSTILE,
                advice=HOSTILE,
                code=HOSTILE,
                subject=scope.comparison(HOSTILE),
            ),
        ),
        failed_runs=(HOSTILE,),
    ).with_figure("node", without_value("rss_peak", "withheld", HOSTILE))
    tab.open(page_of(tmp_path, builder, Environment.model_validate({HOSTILE: {HOSTILE: HOSTILE}})))
    figure = show(tab, "throughput-over-time")
    for step in range(30):
        tab.mouse("mouseMoved", *place_of(tab, figure, 0.6, 0.05 + step / 35))
        if not tab.evaluate("document.querySelector('.tip').hidden"):
            break
    assert "</script>" in tab.evaluate("document.querySelector('.tip').textContent")
    assert "</script>" in tab.evaluate(f"{figure}.querySelector('.legend').textContent")
    assert tab.evaluate("window.ran") is None
    assert tab.evaluate("document.querySelectorAll('img').length") == 0
    # Two of data, the page's own, and the library that it unpacked.
    assert tab.evaluate("document.scripts.length") == 4
