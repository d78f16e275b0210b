"""Stages: how much load there is over time, and its integral."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.study.values.arrivals import Rate, Stage, Stages, steady

SECOND_NS = 10**9
STAGES = st.builds(
    Stage,
    to=st.floats(0, 10_000),
    over_ns=st.one_of(st.just(0), st.integers(1, 100 * SECOND_NS)),
)


def level_at(stages: Stages, time_ns: float) -> float:
    """By the definition, at one moment."""
    level, began_ns = 0.0, 0
    for stage in stages.stages:
        if stage.over_ns and time_ns < began_ns + stage.over_ns:
            return level + (stage.to - level) * (time_ns - began_ns) / stage.over_ns
        level, began_ns = stage.to, began_ns + stage.over_ns
    return level


def test_a_steady_rate_starts_as_many_sessions_as_its_time_holds() -> None:
    assert Stages(stages=steady(50)).until(3 * SECOND_NS) == 150
    assert Stages(stages=steady(50)).is_steady


def test_a_ramp_a_hold_and_a_step_add_up() -> None:
    course = Stages(
        stages=(
            Stage(to=100, over_ns=10 * SECOND_NS),
            Stage(to=100, over_ns=5 * SECOND_NS),
            Stage(to=20, over_ns=0),
        )
    )
    assert course.until(5 * SECOND_NS) == pytest.approx(125)
    assert course.until(15 * SECOND_NS) == pytest.approx(500 + 500)
    assert course.until(20 * SECOND_NS) == pytest.approx(1000 + 100)
    assert (course.highest, course.length_ns) == (100, 15 * SECOND_NS)
    assert not course.is_steady


@given(st.lists(STAGES, min_size=1, max_size=6), st.integers(1, 200))
def test_the_integral_is_that_of_the_level(stages: list[Stage], seconds: int) -> None:
    course = Stages(stages=tuple(stages))
    end_ns, pieces = seconds * SECOND_NS, 2_000
    width_ns = end_ns / pieces
    summed = sum(level_at(course, (piece + 0.5) * width_ns) for piece in range(pieces))
    jumps = 1 + 2 * len(stages)  # a piece with a jump or a corner in it is off by its height
    allowed = jumps * course.highest * width_ns / 1e9
    assert course.until(end_ns) == pytest.approx(summed * width_ns / 1e9, abs=allowed + 1e-6)


def test_a_rate_that_never_changes_is_steady_only_from_the_first_moment_on() -> None:
    ramp = Rate(stages=(Stage(to=5, over_ns=SECOND_NS), Stage(to=5, over_ns=9)), connections=1)
    assert not ramp.is_steady
