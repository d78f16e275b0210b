"""How long the rest of a study will take, as people are told of it."""

import numpy as np
import pytest

from loadstone.cli.remaining_time import RemainingTime
from loadstone.study.design.plan import run_seconds
from loadstone.study.values.model import Plan, PlannedRun
from results_builder import closed, plan_of

BLOCKS = 2


@pytest.fixture
def plan() -> Plan:
    workloads = (closed(4, name="few"), closed(50, name="many"))
    random = np.random.default_rng(1)
    return plan_of(("go", "spring"), workloads, BLOCKS, (), 0.05, 1, random)


def planned_seconds(plan: Plan, runs: tuple[PlannedRun, ...]) -> float:
    of = {each.workload: each for each in plan.workloads}
    return sum(run_seconds(of[each.workload], each) for each in runs)


def of(plan: Plan, arm: str, workload: str) -> tuple[PlannedRun, ...]:
    return tuple(each for each in plan.runs if (each.arm, each.workload) == (arm, workload))


def test_before_a_run_has_ended_the_plan_tells(plan: Plan) -> None:
    assert RemainingTime(plan).seconds(plan.runs) == pytest.approx(planned_seconds(plan, plan.runs))


def test_an_arm_takes_what_it_took_before(plan: Plan) -> None:
    few = plan.workloads[0].workload
    first, second = of(plan, "spring", few)
    remaining = RemainingTime(plan)
    remaining.took(first, 71.0)
    assert remaining.seconds([second]) == pytest.approx(71)
    remaining.took(second, 73.0)
    assert remaining.seconds([second]) == pytest.approx(72)


def test_another_arm_takes_as_many_times_what_is_planned(plan: Plan) -> None:
    few, many = (each.workload for each in plan.workloads)
    first, _ = of(plan, "spring", few)
    remaining = RemainingTime(plan)
    remaining.took(first, 3 * planned_seconds(plan, (first,)))
    gos = of(plan, "go", few)
    assert remaining.seconds(gos) == pytest.approx(3 * planned_seconds(plan, gos))
    others = of(plan, "go", many)
    assert remaining.seconds(others) == pytest.approx(planned_seconds(plan, others))
