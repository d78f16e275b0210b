"""The paragraph of a question, for one pair and for many: readable, and nothing in it by hand."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from built_cells import Values, arms, cells, question

from loadstone.analysis.analyse import analyse
from loadstone.analysis.compare.question_results import question_result
from loadstone.analysis.sentences.answers import answer
from loadstone.analysis.sentences.doubts import FindingIndex
from loadstone.findings.model import Finding, Severity
from loadstone.findings.scope import Subject
from results_builder import Behaviour, build_results, closed

HEALTHY = Behaviour()


def paragraph(
    values: dict[str, Values],
    factors: dict[str, dict[str, str]] | None = None,
    findings: tuple[Finding, ...] = (),
    compare: str = "gateway",
) -> tuple[str, ...]:
    present = arms(factors or {arm: {"gateway": arm} for arm in values})
    built = cells(values)
    asked = question_result(question(compare=compare), present, built, 0.05, simulated=False)
    return answer(asked, (), FindingIndex(findings), built).sentences


def drawn(count: int, step: float, spread: float = 0.02, blocks: int = 6) -> dict[str, Values]:
    noise = np.random.default_rng(7)
    return {
        f"a{index:02}": tuple(1e6 * np.exp(step * index + spread * noise.standard_normal(blocks)))
        for index in range(count)
    }


def doubt(arm: str, **changes: Any) -> Finding:
    values: dict[str, Any] = {
        "code": "generator-saturated",
        "severity": Severity.WARNING,
        "subject": Subject(kind="run", run=f"001-{arm}-closed", arm=arm, workload="closed"),
        "metrics": ("response_time.*",),
        "evidence": "The generator used 91 % of its CPU.",
        "advice": "Give the generator another CPU.",
    }
    return Finding.model_validate(values | changes)


def test_one_pair_has_its_verdict_and_nothing_of_ranks() -> None:
    first, *rest = paragraph(drawn(2, 0.3))
    assert re.fullmatch(
        r"a01 is slower than a00 under closed: response time p99 1\.\d\d × \[1\.\d\d, 1\.\d\d\] "
        r"\(95 %, margin 3 %\), 6 blocks\.",
        first,
    )
    assert rest == ["No rule found a reason to doubt it."]


def test_where_nothing_is_told_it_says_what_would_have_been_found() -> None:
    first, second, _ = paragraph(drawn(2, 0.0, spread=0.05))
    assert first.startswith("Cannot tell a01 from a00 under closed:")
    assert re.fullmatch(
        r"A difference of [\d.]+ % or more would probably have been found "
        r"\(90 % power at the spread seen\)\.",
        second,
    )


def test_three_pairs_are_told_one_by_one_and_ranked() -> None:
    sentences = paragraph(drawn(3, 0.3))
    assert [sentence.partition(" under")[0] for sentence in sentences[:3]] == [
        "a01 is slower than a00",
        "a02 is slower than a00",
        "a02 is slower than a01",
    ]
    assert "Under closed, by response time p99, a00 is the best of 3 arms." in sentences


def test_sixty_four_arms_are_counted_in_a_paragraph_of_ordinary_length() -> None:
    sentences = paragraph(drawn(64, 0.01, spread=0.03, blocks=10))
    numbers = re.match(
        r"By response time p99 ([\d,]+) of 2,016 pairs differ"
        r"(?:, (\d+) (?:is|are) equivalent within 3 %)? and (\d+) are not told\.",
        sentences[0],
    )
    assert numbers, sentences[0]
    counts = [int(each.replace(",", "")) for each in numbers.groups(default="0")]
    assert sum(counts) == 2016
    assert sentences[1].startswith("The largest difference: a")
    assert any(re.search(r"\d+ of 64 arms can be the best", each) for each in sentences)
    assert len(" ".join(sentences).split()) < 120


FOUR_BY_FOUR = {
    f"{gateway}-{client}": {"gateway": gateway, "client": client}
    for gateway in ("go", "node", "rust", "bun")
    for client in ("h1c", "h1", "h2c", "h2")
}


def test_factors_are_averaged_and_their_shares_told() -> None:
    noise = np.random.default_rng(3)
    values: dict[str, Values] = {
        arm: tuple(
            1e6
            * (1.5 if levels["gateway"] == "node" else 1.0)
            * np.exp(0.01 * noise.standard_normal(6))
        )
        for arm, levels in FOUR_BY_FOUR.items()
    }
    sentences = paragraph(values, FOUR_BY_FOUR)
    assert sentences[0].startswith("By response time p99 12 of 24 pairs differ")
    assert sentences[2].startswith(
        "The largest effect of the factor, on average over 4 pairs of arms"
    )
    assert any(
        re.match(
            r"Gateway explains (9\d|over 99) % of the variance of response time p99 under", each
        )
        for each in sentences
    )


def test_a_pruned_study_says_what_its_shares_mean() -> None:
    pruned = {arm: own for arm, own in FOUR_BY_FOUR.items() if arm != "bun-h2"}
    values = dict(zip(pruned, drawn(15, 0.01).values(), strict=True))
    assert any(
        "15 of 16 combinations are arms; a share is what its source explains beyond the others"
        in sentence
        for sentence in paragraph(values, pruned)
    )


def test_doubts_are_counted_and_the_gravest_says_what_to_do() -> None:
    worse = doubt("a00", code="littles-law", severity=Severity.WITHHOLD, advice="measure again")
    note = doubt("a00", severity=Severity.NOTE)
    elsewhere = doubt("other")
    last = paragraph(drawn(2, 0.3), findings=(doubt("a01"), worse, note, elsewhere))[-1]
    assert last == "2 doubts, the gravest littles-law (withhold): measure again."
    last = paragraph(drawn(2, 0.3), findings=(doubt("a01"),))[-1]
    assert last == (
        "1 doubt, the gravest generator-saturated (warning): Give the generator another CPU."
    )


def test_a_question_whose_factor_no_two_arms_differ_in_alone_says_so() -> None:
    factors = {"a": {"gateway": "go", "client": "h1c"}, "b": {"gateway": "node", "client": "h2c"}}
    values: dict[str, Values] = {"a": (1e6,) * 6, "b": (2e6,) * 6}
    assert paragraph(values, factors) == (
        "Nothing is compared: no two arms differ in this factor alone.",
    )


def test_other_metrics_stand_in_one_clause_with_their_figures(tmp_path: Path) -> None:
    results = build_results(
        tmp_path,
        arms={"go": HEALTHY, "node": Behaviour(median_ms=26, rss_mib=128)},
        metrics=("response_time.median", "throughput", "rss_peak", "startup_rss"),
    )
    (found,) = analyse(results)[0].answers
    assert re.fullmatch(
        r"By throughput node is lower \(0\.\d+ × \[0\.\d+, 0\.\d+\]\); by RSS peak node is higher "
        r"\(2\.00 × \[2\.00, 2\.00\]\); by RSS at start-up they cannot be told apart \(startup_rss of "
        r"go is not measured: .*\)\.",
        found.sentences[1],
    ), found.sentences[1]


def test_the_same_records_give_the_same_paragraph(tmp_path: Path) -> None:
    arms_of = {"go": HEALTHY, "node": Behaviour(median_ms=22), "rust": HEALTHY}
    results = build_results(tmp_path, arms=arms_of, workloads=(closed(),))
    assert analyse(results)[0].answers == analyse(results)[0].answers


@pytest.mark.parametrize("count", [1, 2, 3, 4, 12, 64])
def test_every_sentence_is_one(count: int) -> None:
    for sentence in paragraph(drawn(count, 0.02)):
        assert sentence.endswith(".")
        assert "  " not in sentence
        assert not sentence.endswith("..")
        assert sentence[0] == sentence[0].upper() or sentence.startswith("a")


def test_a_question_about_some_of_the_arms_compares_and_ranks_no_other() -> None:
    values = drawn(6, 0.2)
    factors = {
        arm: {"gateway": arm, "client": "h2" if index % 2 else "h1c"}
        for index, arm in enumerate(values)
    }
    about = question().model_copy(update={"where": {"client": "h2"}})
    asked = question_result(about, arms(factors), cells(values), 0.05, simulated=False)
    odd = {"a01", "a03", "a05"}
    assert {arm for each in asked.comparisons for arm in (each.baseline, each.other)} == odd
    assert len(asked.comparisons) == 3
    (ranking,) = asked.rankings
    assert {each.arm for each in ranking.arms} == odd
