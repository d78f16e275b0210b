"""The answer of a question, for one pair and for many: readable, and nothing in it by hand."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from built_cells import P99, Values, arms, cells, question

from loadstone.analysis.analyse import analyse
from loadstone.analysis.answer_model import Answer
from loadstone.analysis.compare.bounds import NO_BOUNDS, Bounds
from loadstone.analysis.compare.question_results import question_result
from loadstone.analysis.compare.standings import standings
from loadstone.analysis.model import Comparison, Verdict
from loadstone.analysis.sentences.answers import answer
from loadstone.analysis.sentences.doubts import FindingIndex
from loadstone.findings.model import Finding, Severity
from loadstone.findings.scope import Subject
from results_builder import Behaviour, build_results, closed

HEALTHY = Behaviour()


def answered(
    values: dict[str, Values],
    factors: dict[str, dict[str, str]] | None = None,
    findings: tuple[Finding, ...] = (),
    compare: str = "gateway",
    metric: str = P99,
) -> Answer:
    present = arms(factors or {arm: {"gateway": arm} for arm in values})
    built = cells(values, metric=metric)
    asked = question_result(
        question(compare=compare, metric=metric),
        present,
        built,
        0.05,
        simulated=False,
        bounds=Bounds(findings),
    )
    return answer(asked, (), FindingIndex(findings), built)


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


def test_one_pair_is_answered_with_its_ratio_and_both_figures() -> None:
    found = answered(drawn(2, 0.3))
    first, figures = found.headline
    assert re.fullmatch(
        r"A00 is faster by response time p99: a01 takes 1\.\d\d times as long\.", first
    )
    assert re.fullmatch(
        r"Response time p99 is [\d.]+ [mµ]s \[[\d.,]+ to [\d.,]+\] for a00 and 1\.\d\d ms "
        r"\[1\.\d\d to 1\.\d\d\] for a01\.",
        figures,
    )
    assert (found.trust, found.belief) == ("no doubt", "No rule found a reason to doubt it.")
    assert found.sentences == ()


def test_the_lead_is_that_of_the_comparison_whichever_arm_is_its_baseline() -> None:
    for step in (0.3, -0.3):
        values = drawn(2, step)
        best, worst = ("a00", "a01") if step > 0 else ("a01", "a00")
        (standing,) = answered(values).standings
        lead = standing.over_next
        assert lead is not None
        logs = np.log(np.array(values[worst], dtype=float) / np.array(values[best], dtype=float))
        assert (standing.best, lead.label) == ((best,), worst)
        assert lead.value == pytest.approx(np.exp(logs.mean()))
        assert lead.low is not None
        assert lead.high is not None
        assert 1 < lead.low < lead.value < lead.high


def test_where_nothing_is_told_it_says_what_would_have_been_found() -> None:
    first, _, third = answered(drawn(2, 0.0, spread=0.05)).headline
    assert first == "Which of a00 and a01 is faster by response time p99 cannot be told."
    assert re.fullmatch(r"A difference of [\d.]+ % or more would probably have been found\.", third)


def test_of_three_the_last_is_named_too() -> None:
    first, *_ = answered(drawn(3, 0.3)).headline
    assert re.fullmatch(
        r"A00 is fastest by response time p99: a01 takes 1\.\d\d times as long, and a02 in last place "
        r"1\.\d\d times\.",
        first,
    )


def test_sixty_four_arms_are_answered_at_ordinary_length() -> None:
    found = answered(drawn(64, 0.01, spread=0.03, blocks=10))
    (standing,) = found.standings
    assert standing.outcome == "shared"
    assert re.match(r"\d+ arms share first place by response time p99", found.headline[0])
    assert len(" ".join(found.headline).split()) < 80
    assert [place.rank for place in standing.places] == sorted(
        place.rank for place in standing.places
    )


def test_a_place_has_the_interval_of_its_own_runs() -> None:
    values = drawn(2, 0.3)
    place = answered(values).standings[0].places[0]
    logs = np.log(np.array(values["a00"], dtype=float))
    reach = 2.5706 * logs.std(ddof=1) / np.sqrt(len(logs))
    assert place.value_low == pytest.approx(np.exp(logs.mean() - reach), rel=1e-4)
    assert place.value_high == pytest.approx(np.exp(logs.mean() + reach), rel=1e-4)


def test_a_figure_that_the_generator_limited_is_a_bound() -> None:
    busy = doubt("a01", code="generator-busy", metrics=("throughput", "response_time.*"))
    found = answered(drawn(3, 0.3), findings=(busy,))
    bounds = {place.label: place.bound for place in found.standings[0].places}
    assert bounds == {"a00": "", "a01": "at most", "a02": ""}
    assert found.headline[2] == (
        "A01 may be better than shown, since the load generator was nearly full: the lead may be "
        "smaller."
    )
    rates = answered(drawn(3, 0.3), findings=(busy,), metric="throughput")
    assert [place.bound for place in rates.standings[0].places] == ["", "at least", ""]
    cost = answered(drawn(3, 0.3), findings=(busy,), metric="cpu_per_ok")
    assert [place.bound for place in cost.standings[0].places] == ["", "", ""]


def test_claims_in_a_circle_name_nobody() -> None:
    values = drawn(3, 0.0)
    (standing,) = answered(values).standings
    assert standing.outcome == "cannot tell"
    asked = question()
    circle = [
        told("a00", "a01", better="a00"),
        told("a01", "a02", better="a01"),
        told("a00", "a02", better="a02"),
    ]
    present = arms({arm: {"gateway": arm} for arm in values})
    (standing,) = standings(asked, present, cells(values), circle, NO_BOUNDS)
    assert standing.outcome == "cannot tell"
    assert {(place.low, place.high) for place in standing.places} == {(1, 3)}


def told(baseline: str, other: str, better: str) -> Comparison:
    return Comparison(
        question="which is faster?",
        workload="closed",
        metric=P99,
        primary=True,
        baseline=baseline,
        other=other,
        scale="ratio",
        estimate=0.9 if better == other else 1.1,
        low=None,
        high=None,
        level=0.95,
        margin=0.03,
        p_value=0.001,
        method="paired t on logarithms",
        runs=(6, 6),
        verdict=Verdict.BETTER if better == other else Verdict.WORSE,
        words="",
    )


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
    found = answered(values, FOUR_BY_FOUR)
    sentences = found.sentences
    assert [standing.case for standing in found.standings] == [
        {"client": client} for client in ("h1c", "h1", "h2c", "h2")
    ]
    assert {place.label for standing in found.standings for place in standing.places} == {
        "go",
        "node",
        "rust",
        "bun",
    }
    assert "4 cases of client" in found.headline[0]
    assert sentences[0].startswith(
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
        for sentence in answered(values, pruned).sentences
    )


def test_doubts_are_counted_and_the_gravest_says_what_to_do() -> None:
    worse = doubt("a00", code="littles-law", severity=Severity.WITHHOLD, advice="measure again")
    note = doubt("a00", severity=Severity.NOTE)
    elsewhere = doubt("other")
    found = answered(drawn(2, 0.3), findings=(doubt("a01"), worse, note, elsewhere))
    assert found.trust == "doubt"
    assert found.belief == "2 doubts, the gravest littles-law (withhold): measure again."
    assert answered(drawn(2, 0.3), findings=(doubt("a01"),)).belief == (
        "1 doubt, the gravest generator-saturated (warning): Give the generator another CPU."
    )


def test_a_question_whose_factor_no_two_arms_differ_in_alone_says_so() -> None:
    factors = {"a": {"gateway": "go", "client": "h1c"}, "b": {"gateway": "node", "client": "h2c"}}
    values: dict[str, Values] = {"a": (1e6,) * 6, "b": (2e6,) * 6}
    found = answered(values, factors)
    assert found.headline == ("Nothing is compared: no two arms differ in this factor alone.",)
    assert (found.belief, found.standings) == ("", ())


def test_other_metrics_have_their_own_answers_with_figures(tmp_path: Path) -> None:
    results = build_results(
        tmp_path,
        arms={"go": HEALTHY, "node": Behaviour(median_ms=26, rss_mib=128)},
        metrics=("response_time.median", "throughput", "rss_peak", "startup_rss"),
    )
    (found,) = analyse(results)[0].answers
    throughput, memory, startup = found.further
    assert re.fullmatch(
        r"Go answers more: 1\.\d+ times as many requests a second as node\. Throughput is \d+ /s "
        r"\[\d+ to \d+\] for go and \d+ /s \[\d+ to \d+\] for node\.",
        throughput,
    )
    assert memory.startswith(
        "Go needs less memory (RSS peak): node needs 2.00 times as much. RSS peak is 64.0 MiB "
    )
    assert startup == "Nobody can be ranked by RSS at start-up."
    assert {each.reason for each in found.standings[-1].no_places} == {
        "not measured (the kernel did not tell)"
    }


def test_of_two_workloads_each_has_its_answer_and_both_come_to_one(tmp_path: Path) -> None:
    arms_of = {"go": HEALTHY, "node": Behaviour(median_ms=30)}
    results = build_results(
        tmp_path,
        arms=arms_of,
        workloads=(closed(), closed(20, name="more")),
        metrics=("throughput",),
    )
    (found,) = analyse(results)[0].answers
    assert re.fullmatch(
        r"Go answers more in all 2 workloads: 1\.\d+(?: to 1\.\d+)? times as many requests a second as "
        r"the next\.",
        found.headline[0],
    )
    assert found.headline[1].startswith("Under closed, go answers more: ")
    assert any(each.startswith("Under more, go answers more: ") for each in found.headline)


def test_what_an_arm_is_made_of_stands_beside_it(tmp_path: Path) -> None:
    environment = {
        "versions": {"go": "go version go1.26.8 linux/amd64", "node": "v20.20.2"},
        "frameworks": {"go": "net/http", "node": "Express 5.3.0"},
    }
    results = build_results(
        tmp_path, arms={"go": HEALTHY, "node": HEALTHY}, environment=environment, blocks=1
    )
    assert {arm.id: arm.made_of for arm in analyse(results)[0].arms} == {
        "go": ("net/http on go 1.26.8",),
        "node": ("Express 5.3.0 on node 20.20.2",),
    }


def test_the_same_records_give_the_same_paragraph(tmp_path: Path) -> None:
    arms_of = {"go": HEALTHY, "node": Behaviour(median_ms=22), "rust": HEALTHY}
    results = build_results(tmp_path, arms=arms_of, workloads=(closed(),))
    assert analyse(results)[0].answers == analyse(results)[0].answers


@pytest.mark.parametrize("count", [1, 2, 3, 4, 12, 64])
def test_every_sentence_is_one(count: int) -> None:
    found = answered(drawn(count, 0.02))
    for sentence in filter(None, (*found.headline, found.belief, *found.sentences)):
        assert sentence.endswith(".")
        assert "  " not in sentence
        assert not sentence.endswith("..")
        assert sentence[0] == sentence[0].upper()


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
