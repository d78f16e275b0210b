"""What the standings of a question come to: overall sentences, and what holds of every sentence."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.analysis.answer_model import NoPlace, Outcome, Standing
from loadstone.analysis.sentences.headline import further, headline
from loadstone.metrics.catalogue import COMPARED
from standing_builder import cold, late, standing

THREE = {"rust": 60_000.0, "netty": 40_000.0, "node": 5_000.0}
CLOSER = {"rust": 48_000.0, "netty": 40_000.0, "node": 4_000.0}
NETTY = {"netty": 60_000.0, "rust": 40_000.0, "node": 5_000.0}


def across(*found: Standing) -> list[Standing]:
    return [
        each.model_copy(update={"workload": f"w{number}"}) for number, each in enumerate(found, 1)
    ]


def test_one_standing_is_told_by_its_own_sentences() -> None:
    only = standing(THREE, missing=[cold("spring")])
    assert headline([only]) == only.sentences
    assert further([only]) == " ".join(only.sentences[:2])


def test_a_winner_everywhere_is_named_once_with_its_leads() -> None:
    first, *_ = headline(
        across(standing(THREE), standing(CLOSER), standing(THREE), standing(THREE))
    )
    assert first == (
        "Rust answers most in all 4 workloads: 1.20 to 1.50 times as many requests a second as the "
        "next, and 12.0 times as many as the last."
    )
    times = {"rust": 1e6, "netty": 1.5e6, "node": 8e6}
    assert further(across(standing(times, "cpu_per_ok"), standing(times, "cpu_per_ok"))) == (
        "Rust needs least CPU per request in all 2 workloads: the next needs 1.50 times as much, and "
        "the last 8.00 times."
    )


def test_of_a_few_each_is_told_behind_what_they_come_to() -> None:
    two = across(standing(THREE), standing(CLOSER))
    assert headline(two)[1:] == (*two[0].sentences, *two[1].sentences)


def test_different_winners_are_counted() -> None:
    found = across(
        standing(THREE),
        standing(CLOSER),
        standing(NETTY),
        standing(THREE, best=2),
        standing(THREE, outcome="cannot tell"),
        standing({}, outcome="no figure", missing=[late("rust")]),
    )
    assert headline(found) == (
        "By throughput rust is best in 2 of 6 workloads and shares first place in 1 more; netty is "
        "best in 1 and shares first place in 1 more.",
        "Where rust is best, it leads by 1.20 to 1.50 times over the next and 12.0 times over the "
        "last.",
        "In 1 of 6 workloads nobody is best: all are equal or cannot be told apart.",
        "Where nothing is told, a difference of 4.1 % or more would probably have been found.",
        "In 1 of 6 workloads no winner can be named, for want of figures that stand.",
        "Rust has no place in 1 of 6 workloads: the load generator was late.",
    )


def test_who_is_first_everywhere_is_told_so_with_ties() -> None:
    found = across(standing(THREE), standing(THREE, best=2), standing(THREE, best=2))
    assert headline(found)[0] == (
        "By throughput rust is first in all 3 workloads, alone in 1; netty shares first place in 2."
    )
    shared = across(standing(THREE, best=2), standing(THREE, best=2))
    assert headline(shared)[0] == (
        "By throughput rust shares first place in all 2 workloads; netty shares first place in all 2 "
        "workloads."
    )


def test_cases_are_named_by_the_factors_that_vary() -> None:
    case = {"client": "h1", "upstream": "h2"}
    found = [standing(THREE, case=case), standing(NETTY, case=case | {"client": "h2"})]
    assert headline(found)[0] == (
        "By throughput rust is best in 1 of 2 cases of client and upstream; netty is best in 1."
    )


@pytest.mark.parametrize(
    ("outcome", "first"),
    [
        (
            "cannot tell",
            "By throughput nobody is best: in all 2 workloads they cannot be told apart.",
        ),
        (
            "equivalent",
            "By throughput nobody is best: in all 2 workloads they are equal within the margin.",
        ),
        (
            "no figure",
            "By throughput no winner can be named: fewer than two figures stand in any of 2 workloads.",
        ),
    ],
)
def test_without_a_winner_anywhere_it_says_so(outcome: Outcome, first: str) -> None:
    figures = {} if outcome == "no figure" else THREE
    missing = [cold("rust")] if outcome == "no figure" else []
    each = standing(figures, outcome=outcome, missing=missing)
    assert headline(across(each, each))[0] == first


def test_bounds_and_missing_places_of_many_cases_are_counted() -> None:
    each = standing(THREE, bound="netty", missing=[cold("spring"), cold("bun")])
    found = across(each, each, standing(THREE), each)
    assert headline(found)[1:] == (
        "Spring and bun have no place in 3 of 4 workloads: still warming up.",
        "In 3 of 4 workloads a figure is a bound, since the load generator was nearly full: that "
        "service may be better.",
    )


METRICS = st.sampled_from(COMPARED)
REASONS = st.sampled_from([cold, late])


@st.composite
def standings(draw: st.DrawFn) -> list[Standing]:
    metric = draw(METRICS)
    each: list[Standing] = []
    for number in range(draw(st.integers(1, 6))):
        count = draw(st.integers(0, 10))
        steps = draw(st.lists(st.floats(1.001, 3), min_size=count, max_size=count))
        each.append(one(draw, metric, number, steps))
    return each


def one(draw: st.DrawFn, metric: str, number: int, steps: list[float]) -> Standing:
    """Figures from the best to the worst, as far apart as `steps`."""
    from loadstone.metrics.catalogue import metric as info

    value, figures = 0.2, {}
    for index, step in enumerate(steps):
        value = value / step if info(metric).direction == "higher" else value * step
        figures[f"s{index}"] = value
    missing: list[NoPlace] = [draw(REASONS)(f"m{n}") for n in range(draw(st.integers(0, 6)))]
    changes: dict[str, Any] = {"workload": f"w{number}"}
    if len(figures) < 2:
        outcome: Outcome = "one figure" if figures else "no figure"
        return standing(figures, metric, outcome=outcome, missing=missing, **changes)
    outcome = draw(st.sampled_from(["one best", "shared", "equivalent", "cannot tell"]))
    best = draw(st.integers(2, len(figures) - 1)) if outcome == "shared" and len(figures) > 2 else 1
    return standing(
        figures,
        metric,
        best=best,
        outcome=outcome if best > 1 or outcome != "shared" else "one best",
        missing=missing,
        bound=draw(st.sampled_from([*figures, ""])),
        names_workload=True,
        **changes,
    )


@given(standings())
def test_every_sentence_is_one(found: list[Standing]) -> None:
    for sentence in (*headline(found), *(s for each in found for s in each.sentences)):
        assert "  " not in sentence
        assert sentence[0] == sentence[0].upper()
        assert sentence.endswith(".")
        assert not sentence.endswith("..")
        assert " ." not in sentence
        assert " ," not in sentence
        assert not re.search(r"\b1 (runs|workloads|arms|cases|others)\b", sentence), sentence
        for ratio in re.findall(r"([\d.,e-]+) times", sentence):
            assert float(ratio.replace(",", "")) > 1, sentence
