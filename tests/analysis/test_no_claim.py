"""An arm that was still warming up keeps its figures, and nothing is claimed of them."""

from dataclasses import replace
from io import StringIO

import pytest
from built_cells import P99, WORKLOAD, Values, arms, cells, question
from rich.console import Console

from loadstone.analysis.cells.cell import ExaminedCell
from loadstone.analysis.compare.factor_effects import factor_effects
from loadstone.analysis.compare.factorials import factorials
from loadstone.analysis.compare.pairs import pairs_of
from loadstone.analysis.compare.question_results import QuestionResult, question_result
from loadstone.analysis.model import Cell, Verdict
from loadstone.analysis.sentences.answers import answer
from loadstone.analysis.sentences.doubts import FindingIndex
from loadstone.audit.touched_metrics import WARMTH
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.report.tables.rank_table import rank_table
from loadstone.report.terminal.ranks import print_ranks

STEADY = (1.0, 1.01, 0.99, 1.005, 0.995, 1.0)
Cells = dict[tuple[str, str], ExaminedCell]


def times(factor: float) -> tuple[float, ...]:
    return tuple(1e6 * factor * each for each in STEADY)


GATEWAYS: dict[str, Values] = {
    "go": times(1),
    "node": times(1.5),
    "rust": times(0.7),
    "spring": times(4),
}


def cold(built: Cells, *names: str, code: str = "still-warming") -> Cells:
    """The cells, with those arms marked as the examination marks them."""
    marked = dict(built)
    for name in names:
        cell = built[name, WORKLOAD]
        figures = tuple(
            figure.model_copy(update={"no_claim": code}) if figure.metric == P99 else figure
            for figure in cell.cell.figures
        )
        # Made anew: a copy would keep what was looked up in the figures before.
        told = {field: getattr(cell.cell, field) for field in Cell.model_fields}
        changed = Cell(**(told | {"figures": figures, "warmth": "still warming"}))
        marked[name, WORKLOAD] = replace(cell, cell=changed)
    return marked


def result(built: Cells) -> QuestionResult:
    present = arms({arm: {"gateway": arm} for arm, _ in built})
    return question_result(question(), present, built, 0.05, simulated=False)


def confession(arm: str) -> Finding:
    return Finding(
        code="still-warming",
        severity=Severity.NO_CLAIM,
        subject=scope.arm(arm, WORKLOAD),
        metrics=WARMTH,
        evidence=f"{arm} was still warming up (6 of 6 runs)",
        advice="write `warm_up: steady`",
    )


def test_no_verdict_involves_it_on_either_side() -> None:
    found = result(cold(cells(GATEWAYS), "spring"))
    touched = [each for each in found.comparisons if "spring" in (each.baseline, each.other)]
    assert len(touched) == 3
    for each in touched:
        assert each.verdict is Verdict.CANNOT_TELL
        assert each.reason == "spring was still warming up"
        assert (each.estimate, each.low, each.p_value, each.smallest_effect) == (None,) * 4
        assert each.superiority is None
        assert each.runs == (6, 6)
    others = [each for each in found.comparisons if each not in touched]
    assert {each.verdict for each in others} == {Verdict.BETTER, Verdict.WORSE}


def test_two_arms_that_would_be_equivalent_are_not_called_so() -> None:
    built = cells({"a": times(1), "b": times(1)})
    assert [each.verdict for each in result(built).comparisons] == [Verdict.EQUIVALENT]
    found = result(cold(built, "a"))
    assert [each.verdict for each in found.comparisons] == [Verdict.CANNOT_TELL]


def test_it_stands_below_the_ranks() -> None:
    (ranking,) = result(cold(cells(GATEWAYS), "spring")).rankings
    assert [each.arm for each in ranking.arms] == ["rust", "go", "node"]
    assert ranking.best == ("rust",)
    assert [(each.arm, each.reason) for each in ranking.unranked] == [("spring", "still warming")]
    shown = StringIO()
    print_ranks(Console(file=shown, width=100), rank_table(ranking))
    assert shown.getvalue().splitlines()[-1].strip() == "not ranked: spring: still warming"


def test_the_best_arm_is_not_ranked_either_where_it_was_cold() -> None:
    (ranking,) = result(cold(cells(GATEWAYS), "rust")).rankings
    assert ranking.best == ("go",)


def test_with_two_warm_arms_nothing_is_ranked() -> None:
    assert result(cold(cells(GATEWAYS), "spring", "node")).rankings == ()


def test_no_effect_and_no_share_is_made_of_it() -> None:
    factors = {
        f"{gateway}-{protocol}": {"gateway": gateway, "client": protocol}
        for gateway in ("go", "node")
        for protocol in ("h1", "h2")
    }
    present = arms(factors)
    built = cells({arm: times(1 + index) for index, arm in enumerate(factors)})
    pairs = pairs_of(question(), present)
    assert len(factor_effects(question(), present, pairs, built, 0.05)) == 1
    marked = cold(built, "node-h2")
    assert factor_effects(question(), present, pairs, marked, 0.05) == ()
    (model,) = factorials(question(), present, marked)
    assert (model.terms, model.reason) == ((), "node-h2 was still warming up")


def test_the_sentence_in_the_place_of_an_answer_says_why() -> None:
    built = cold(cells({"go": times(1), "spring": times(4)}), "spring")
    found = answer(result(built), (), FindingIndex((confession("spring"),)), built)
    assert found.headline[0].startswith("No winner can be named: only go has a response time p99")
    assert found.headline[1:] == ("Spring has no place: still warming up.",)
    assert found.belief == "1 doubt, the gravest still-warming (no claim): write warm_up: steady."


def test_an_answer_names_what_is_not_ranked() -> None:
    built = cold(cells(GATEWAYS), "spring")
    found = answer(result(built), (), FindingIndex(()), built)
    assert found.headline[0].startswith(
        "Rust is fastest by response time p99 of the 3 that have a place: "
    )
    assert found.headline[2] == "Spring has no place: still warming up."
    (missing,) = found.standings[0].no_places
    assert (missing.codes, missing.would_be_best) == ("still-warming", False)
    assert missing.value is not None


def test_where_what_is_not_ranked_would_be_the_best_the_answer_says_so() -> None:
    built = cold(cells(GATEWAYS), "rust")
    found = answer(result(built), (), FindingIndex(()), built)
    assert found.headline[2] == "Rust has no place: still warming up."
    assert found.headline[3].startswith("The figure of rust, ")
    assert found.headline[3].endswith(", would be the best.")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("compiling", "go was still compiling"),
        ("still-warming, compiling", "go was still warming up"),
        ("another-code", "another-code of go"),
    ],
)
def test_each_code_has_its_words(code: str, reason: str) -> None:
    found = result(cold(cells({"go": times(1), "node": times(2)}), "go", code=code))
    assert [each.reason for each in found.comparisons] == [reason]


def unjudged(built: Cells, *names: str) -> Cells:
    changed = dict(built)
    for name in names:
        cell = built[name, WORKLOAD]
        update = {"warmth": "not judged", "warmth_unknown": "fewer than 40 ok answers a second"}
        changed[name, WORKLOAD] = replace(cell, cell=cell.cell.model_copy(update=update))
    return changed


def test_where_warmth_cannot_be_judged_the_answer_says_so_instead_of_no_doubt() -> None:
    built = unjudged(cells({"go": times(1), "node": times(2)}), "go", "node")
    found = answer(result(built), (), FindingIndex(()), built)
    assert found.trust == "not judged"
    assert found.belief == (
        "Whether go and node were warm could not be judged: fewer than 40 ok answers a second."
    )
    one = unjudged(cells({"go": times(1), "node": times(2)}), "node")
    assert answer(result(one), (), FindingIndex(()), one).belief.startswith(
        "Whether node was warm could not be judged"
    )
