"""The matrix of many cases, and ranked figures: best first, ties marked, no place with its reason."""

from itertools import pairwise
from typing import Any

import pytest
from page_reader import PageReader
from study_builder import ENVIRONMENT, StudyBuilder

from loadstone.analysis.answer_model import Standing
from loadstone.report.answers.matrix import Matrix, matrix
from loadstone.report.answers.places import STRIP_WIDTH, ranked_figures
from loadstone.report.page.html import render_html
from loadstone.report.page.markdown import render_markdown
from standing_builder import cold, late, standing

FIGURES = {"rust": 60_000.0, "netty": 40_000.0, "node": 5_000.0}


def matrix_of(*found: Standing) -> Matrix:
    made = matrix(found, [f"1-{number}" for number, _ in enumerate(found, 1)])
    assert made is not None
    return made


def case(client: str, figures: dict[str, float] = FIGURES, **changes: Any) -> Standing:
    return standing(figures, case={"client": client}, **changes)


def test_a_row_is_a_level_and_a_column_a_case() -> None:
    found = matrix_of(
        case("h1"),
        case("h2", best=2, missing=[late("spring")]),
        case("h3", outcome="cannot tell", missing=[cold("spring")]),
    )
    assert found.heads == ("h1", "h2", "h3")
    assert found.factors == "client"
    assert [row.label for row in found.rows] == ["rust", "netty", "node", "spring"]
    texts = [[cell.text for cell in row.cells] for row in found.rows]
    assert texts == [
        ["best", "tied", "not told"],
        ["1.50 ×", "tied", "not told"],
        ["12.0 ×", "12.0 ×", "not told"],
        ["–", "no place", "no place"],
    ]
    last = found.rows[-1].cells
    assert [cell.tone for cell in last] == ["none"] * 3
    assert last[1].title == (
        "spring under closed with client h2 has no place: the load generator was late (in 1 of 6 runs)"
    )
    assert found.rows[0].cells[1].key == "1-2"
    assert (found.has_tied, found.has_untold, found.has_none) == (True, True, True)


def test_a_bound_is_told_in_the_cell_and_its_title() -> None:
    cell = matrix_of(case("h1", bound="netty"), case("h2")).rows[1].cells[0]
    assert cell.figure == "at least 40.0 k/s"
    assert cell.title.endswith("1.50 ×; it may be better, since the load generator was nearly full")


def test_the_farther_behind_the_darker() -> None:
    ratios = (1.02, 1.2, 1.7, 3.0, 12.0)
    figures = {"first": 1e6} | {f"r{ratio}": 1e6 * ratio for ratio in ratios}
    each = standing(figures, "response_time.p99")
    tones = [row.cells[0].tone for row in matrix_of(each, each).rows]
    assert tones == ["best", *(f"behind-{number}" for number in range(1, 6))]


@pytest.mark.parametrize(("arms", "cases"), [(2, 1), (2, 2), (36, 1)])
def test_few_cases_have_no_matrix(arms: int, cases: int) -> None:
    each = standing({f"a{number}": 1e4 / (number + 1) for number in range(arms)})
    assert matrix([each] * cases, ["1"] * cases) is None


def test_ranked_figures_share_one_scale_from_0() -> None:
    found = ranked_figures(
        standing(FIGURES, missing=[cold("spring", 70_000.0)]),
        "1-1",
        {"rust-h1c": ("hyper 1.12.0",)},
    )
    assert [(row.place, row.label, row.behind) for row in found.rows] == [
        ("1", "rust", "best"),
        ("2", "netty", "1.50 × behind"),
        ("3", "node", "12.0 × behind"),
        ("", "spring", "no place: still warming up"),
    ]
    assert found.rows[0].made_of == "hyper 1.12.0"
    assert (found.rows[3].figure, found.rows[3].strip) == ("70.0 k/s", None)
    strips = [row.strip for row in found.rows if row.strip is not None]
    for first, second in pairwise(strips):
        assert first.at > second.at
    assert strips[0].at / strips[1].at == pytest.approx(1.5, abs=0.01)
    assert all(0 <= strip.low <= strip.at <= strip.high <= STRIP_WIDTH for strip in strips)


def test_a_tie_and_what_is_not_told_are_no_ratio() -> None:
    tied = ranked_figures(standing(FIGURES, best=2), "1-1", {})
    assert [row.behind for row in tied.rows] == ["tied first", "tied first", "12.0 × behind"]
    assert [row.place for row in tied.rows] == ["1 to 2", "1 to 2", "3"]
    untold = ranked_figures(standing(FIGURES, outcome="cannot tell"), "1-1", {})
    assert {row.behind for row in untold.rows} == {"not told apart"}
    assert not any(row.is_first for row in untold.rows)


def test_a_cell_leads_to_its_figures_and_tells_why_there_is_no_place() -> None:
    analysis = StudyBuilder().analysis()
    (answer,) = analysis.answers
    cases = tuple(case(f"h{n}", missing=[late("spring")]) for n in range(3))
    answers = (answer.model_copy(update={"standings": cases}),)
    whole = (
        analysis.model_copy(update={"answers": answers}),
        (),
        StudyBuilder().plan(),
        ENVIRONMENT,
    )
    page = PageReader(render_html(*whole))
    assert page.unbalanced == []
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    cells = [present for tag, present in page.elements if tag == "td" and "title" in present]
    assert len(cells) == 3 * 4
    assert [cell["class"] for cell in cells[:3]] == ["best"] * 3
    assert [cell["class"] for cell in cells[-3:]] == ["none"] * 3
    assert "has no place: the load generator was late" in (cells[-1]["title"] or "")
    links = [link for link in page.values("href") if link.startswith("#case-")]
    assert len(links) == len(cells)
    assert {link.removeprefix("#") for link in links} <= set(ids)
    markdown = render_markdown(*whole)
    assert "| gateway | h0 | h1 | h2 |" in markdown
    assert "| spring | no place | no place | no place |" in markdown
