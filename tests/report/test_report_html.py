import re
import zlib
from base64 import b64decode, b64encode
from hashlib import sha256
from itertools import pairwise

import pytest
from made_up_figures import without_value
from page_reader import PageReader
from study_builder import ENVIRONMENT, StudyBuilder, comparison, finding

from loadstone.findings import scope
from loadstone.report.charts.picture import DARK
from loadstone.report.page.html import render_html
from loadstone.results.environment import Environment

HOSTILE = "</style></script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&{{7*7}}"


def rendered(builder: StudyBuilder, environment: Environment = ENVIRONMENT) -> str:
    return render_html(builder.analysis(), builder.findings, builder.plan(), environment)


@pytest.fixture(scope="module")
def ordinary() -> PageReader:
    return PageReader(rendered(StudyBuilder(failed_runs=("007-node-closed-50: load: died",))))


def test_the_page_has_one_title_and_parts_in_reading_order(ordinary: PageReader) -> None:
    assert ordinary.count("h1") == 1
    parts = [present.get("id") for tag, present in ordinary.elements if tag == "section"]
    assert parts == [
        "answers",
        "questions",
        "charts",
        "results",
        "costs",
        "answer-costs",
        "findings",
        "failed",
        "environment",
        "method",
        "again",
    ]


def test_headings_skip_no_level(ordinary: PageReader) -> None:
    levels = [int(tag[1]) for tag, _ in ordinary.elements if tag in ("h1", "h2", "h3", "h4")]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_every_element_is_closed(ordinary: PageReader) -> None:
    assert ordinary.unbalanced == []
    assert ordinary.open == []


def test_every_table_has_a_caption_and_scrolls_by_keyboard(ordinary: PageReader) -> None:
    assert ordinary.tables_with_caption
    assert all(ordinary.tables_with_caption)
    scrolling = [p for _, p in ordinary.elements if "scroll" in (p.get("class") or "").split()]
    assert scrolling
    assert all(p["tabindex"] == "0" and p["aria-label"] for p in scrolling)


def test_nothing_is_loaded_and_only_the_own_scripts_run(ordinary: PageReader) -> None:
    assert {"iframe", "object", "embed", "link", "img"}.isdisjoint(
        tag for tag, _ in ordinary.elements
    )
    scripts = [present for tag, present in ordinary.elements if tag == "script"]
    assert scripts == [
        {"type": "application/zlib", "id": "chart-data"},
        {"type": "application/zlib", "id": "drawing-library"},
        {},
    ]
    assert all(value.startswith("#") for value in ordinary.values("href", "src", "xlink:href"))
    assert not any(
        name.startswith("on") or name == "style" for _, p in ordinary.elements for name in p
    )


def test_every_link_leads_to_a_part_of_the_page_and_ids_are_unique(ordinary: PageReader) -> None:
    ids = ordinary.values("id")
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in ordinary.values("href")} <= set(ids)


def test_pictures_and_script_take_the_same_colours_on_a_dark_page() -> None:
    style = rendered(StudyBuilder()).partition("<style>")[2].partition("</style>")[0]
    for light, dark in DARK.items():
        assert f'svg [stroke="{light}"] {{ stroke: {dark}; }}' in style
        assert f'svg [fill="{light}"] {{ fill: {dark}; }}' in style


def test_the_policy_allows_exactly_the_own_script_and_the_drawing_library() -> None:
    html = rendered(StudyBuilder())
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    (library,) = re.findall(r'id="drawing-library">(.*?)</script>', html)
    scripts = (script.encode(), zlib.decompress(b64decode(library)))
    digests = [b64encode(sha256(each).digest()).decode() for each in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    assert f"script-src {allowed}; base-uri 'none'" in html
    assert "unsafe" not in html.partition("<style>")[0]


def test_the_policy_allows_exactly_the_style_sheet_in_the_page() -> None:
    html = rendered(StudyBuilder())
    style = html.partition("<style>")[2].partition("</style>")[0]
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in html
    assert "url(" not in style
    assert "@import" not in style


def test_the_answer_comes_with_its_ratio_its_figures_and_whether_to_believe_it(
    ordinary: PageReader,
) -> None:
    assert (
        "is node slower than go? "
        "Go is faster by response time p99: node takes 1.42 times as long. "
        "Response time p99 is 4.83 ms [4.73 to 4.93] for go and 6.86 ms [6.72 to 7.00] for node. "
        "Believe it? 2 doubts, the gravest generator-saturated (warning): Give it another CPU. "
        "Findings Response time p99 under closed-50 "
        "1 go 4.83 ms [4.73 to 4.93] best 2 node 6.86 ms [6.72 to 7.00] 1.42 × behind"
    ) in ordinary.text


def test_each_pair_comes_with_its_ratio_interval_blocks_and_doubts(ordinary: PageReader) -> None:
    assert (
        "node go closed-50 response time p99 slower 1.42 × 95 % interval [1.31, 1.54] 3 % – – "
        "paired t on logarithms, 6 blocks 2" in ordinary.text
    )


def test_the_charts_are_drawn_with_the_arms_as_labels(ordinary: PageReader) -> None:
    pictures = [p for tag, p in ordinary.elements if tag == "svg" and p.get("role") == "img"]
    assert len(pictures) == 26
    assert {p["class"] for p in pictures} == {"wide", "narrow"}
    assert all(p["aria-label"] for p in pictures)


def test_how_to_run_again_names_command_and_seed(ordinary: PageReader) -> None:
    assert "The seed is 20240915" in ordinary.text
    assert "loadstone run study.yaml --profile smoke" in ordinary.text


def test_hostile_text_stays_text() -> None:
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
    hostile = Environment.model_validate({HOSTILE: {HOSTILE: HOSTILE}, "list": [HOSTILE]})
    page = PageReader(rendered(builder, hostile))
    assert page.count("script") == 3
    assert page.count("img") == 0
    assert page.count("style") == 1
    assert page.unbalanced == []
    assert "alert(1)" in page.text
    assert "{{7*7}}" in page.text


def test_the_same_analysis_gives_the_same_bytes() -> None:
    assert rendered(StudyBuilder()) == rendered(StudyBuilder())


@pytest.mark.parametrize("state", ["withheld", "failed", "too few samples", "not measured"])
def test_a_figure_without_value_shows_its_reason(state: str) -> None:
    builder = StudyBuilder().with_figure("node", without_value("rss_peak", state, "the cause"))
    assert f"{state}: the cause" in PageReader(rendered(builder)).text


def test_a_withheld_comparison_shows_no_number_anywhere() -> None:
    withheld = without_value("response_time.p99", "withheld", "generator-limit")
    hidden = comparison(estimate=7.77, low=7.71, high=7.83, verdict="worse", words="slower")
    builder = StudyBuilder(comparisons=(hidden,)).with_figure("node", withheld)
    text = PageReader(rendered(builder)).text
    assert "7.7" not in text
    assert "withheld: node: generator-limit" in text
    assert "node no place: generator-limit" in re.sub("[–-] ", "", text)


def test_a_simulated_study_is_announced_and_not_ranked() -> None:
    page = PageReader(rendered(StudyBuilder(simulated=True)))
    assert "these records come from a fake" in page.text
    assert "1.42" not in page.text
    assert not any(p.get("class", "") in ("answer", "ranked") for _, p in page.elements)


def test_a_study_without_questions_findings_or_environment_is_a_page() -> None:
    page = PageReader(
        render_html(
            StudyBuilder(comparisons=()).analysis().model_copy(update={"answers": ()}),
            (),
            StudyBuilder().plan(),
            Environment(),
        )
    )
    assert "The study asks no question." in page.text
    assert "No rule found a reason to doubt these results." in page.text


def test_the_environment_reads_as_facts(ordinary: PageReader) -> None:
    assert "CPU model Example CPU 3000" in ordinary.text
    assert "memory 8.00 GiB" in ordinary.text
    assert "load average 0.310, 0.440, 0.520" in ordinary.text
