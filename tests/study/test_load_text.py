"""Arrivals, think time and stop rules as one word on a command line."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.errors import WrongValueError
from loadstone.study.design.load_text import stages_of, stop_rules_of, think_of
from loadstone.study.values.arrivals import ConstantThink, ExponentialThink, Stage, UniformThink
from loadstone.study.values.stop_rules import FailuresRule, MeanRule, StopRules

SECOND_NS = 10**9


def test_a_ramp_and_a_hold() -> None:
    assert stages_of("10..100/30s,100/1m") == (
        Stage(to=10, over_ns=0),
        Stage(to=100, over_ns=30 * SECOND_NS),
        Stage(to=100, over_ns=60 * SECOND_NS),
    )


def test_a_first_stage_goes_on_from_where_the_load_begins() -> None:
    assert stages_of("100/30s, 5/0s", 10) == (
        Stage(to=10, over_ns=0),
        Stage(to=100, over_ns=30 * SECOND_NS),
        Stage(to=5, over_ns=0),
    )
    assert stages_of("10..100/30s", 10) == stages_of("100/30s", 10)


def test_without_a_beginning_it_is_zero() -> None:
    assert stages_of("0.5/1s") == (Stage(to=0.5, over_ns=SECOND_NS),)


def test_a_jump_between_stages_is_a_step() -> None:
    assert stages_of("10/1s,50..60/1s")[1:] == (
        Stage(to=50, over_ns=0),
        Stage(to=60, over_ns=SECOND_NS),
    )


@given(
    st.lists(st.tuples(st.integers(0, 9999), st.integers(0, 9999), st.integers(0, 999)), min_size=1)
)
def test_stages_mean_what_they_say(typed: list[tuple[int, int, int]]) -> None:
    text = ",".join(f"{start}..{to}/{seconds}s" for start, to, seconds in typed)
    if not any(start or to for start, to, _ in typed):
        with pytest.raises(WrongValueError, match="never rises above 0"):
            stages_of(text)
        return
    stages = stages_of(text)
    assert sum(stage.over_ns for stage in stages) == sum(each[2] for each in typed) * SECOND_NS
    assert stages[-1].to == typed[-1][1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a stage"),
        ("10", "'10' is not a stage"),
        ("10/30", "30' has no unit of time"),
        ("10/1s,", "'' is not a stage"),
        ("10..20..30/1s", "is not a stage"),
        ("-5/1s", "is not a stage"),
        ("5/-1s", "must not be negative"),
        ("0/1s", "never rises above 0"),
        ("1e9/1s", "is not a stage"),
    ],
)
def test_a_wrong_stage_is_told(text: str, message: str) -> None:
    with pytest.raises(WrongValueError, match=message) as caught:
        stages_of(text)
    assert caught.value.remedy


def test_think_times() -> None:
    assert think_of("500ms") == ConstantThink(constant_ns=SECOND_NS // 2)
    assert think_of("uniform:0s..2s") == UniformThink(uniform_ns=(0, 2 * SECOND_NS))
    assert think_of("exponential:1s") == ExponentialThink(exponential_ns=SECOND_NS)


@pytest.mark.parametrize(
    "text", ["", "0s", "5", "uniform:1s", "uniform:2s..1s", "normal:1s", "exponential:", "uniform:"]
)
def test_a_wrong_think_time_is_told(text: str) -> None:
    with pytest.raises(WrongValueError) as caught:
        think_of(text)
    assert caught.value.remedy


def test_stop_rules() -> None:
    texts = ["timeout", "failed-check", "failures>50%/10s", "mean>1500ms/60s"]
    assert stop_rules_of(texts) == StopRules(
        mean_response_time=MeanRule(above_ns=1_500_000_000, for_ns=60 * SECOND_NS),
        failures=FailuresRule(above_share=0.5, for_ns=10 * SECOND_NS),
        first_timeout=True,
        first_failed_check=True,
    )
    assert stop_rules_of([]) == StopRules()


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["timeouts"], "is not a stop rule"),
        (["failures>50%"], "is not a stop rule"),
        (["failures>0.5/10s"], "no percent sign"),
        (["failures>100%/10s"], "never more failures than 100%"),
        (["mean>30s/1500ms"], "whole seconds"),
        (["mean>30/10s"], "no unit of time"),
        (["timeout", "timeout"], "second rule of its kind"),
        (["mean>3s/1s", "mean>5s/1s"], "second rule of its kind"),
    ],
)
def test_a_wrong_stop_rule_is_told(texts: list[str], message: str) -> None:
    with pytest.raises(WrongValueError, match=message) as caught:
        stop_rules_of(texts)
    assert caught.value.remedy


@given(st.text())
def test_any_text_is_read_or_told(text: str) -> None:
    for read in (stages_of, think_of, lambda each: stop_rules_of([each])):
        with suppress(WrongValueError):
            read(text)
