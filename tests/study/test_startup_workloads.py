"""Workloads of starts: their file, their blocks, and the factor of the page cache."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_lab import SmallLab, plan_of
from test_study_plan import study_of

from loadstone.errors import InputError
from loadstone.study.design.order import ordered_runs
from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.model import StartupWorkload, Study


def with_starts(study: Study, starts: int) -> Study:
    added = StartupWorkload(workload="starts", starts=starts)
    return study.model_copy(update={"workloads": (*study.workloads, added)})


@given(
    arms=st.integers(1, 4),
    loads=st.integers(0, 2),
    blocks=st.integers(1, 5),
    starts=st.integers(1, 24),
)
def test_every_arm_is_started_as_often_as_asked_in_complete_blocks(
    arms: int, loads: int, blocks: int, starts: int
) -> None:
    runs = ordered_runs(with_starts(study_of(arms, loads, blocks, 3), starts))

    started = [run for run in runs if run.workload == "starts"]
    assert Counter((run.arm, run.block) for run in started) == {
        (f"a{arm}", block): 1 for arm in range(arms) for block in range(1, starts + 1)
    }
    assert len(runs) == arms * (loads * blocks + starts)
    for at in range(0, len(started), arms):  # complete: one of each arm before the next block
        assert len({run.block for run in started[at : at + arms]}) == 1


def test_starts_are_spread_over_the_blocks_of_the_loads() -> None:
    runs = ordered_runs(with_starts(study_of(2, 1, 4, 3), 20))
    halves = runs[: len(runs) // 2], runs[len(runs) // 2 :]
    assert [sum(run.workload == "starts" for run in half) for half in halves] == [20, 20]


def test_ten_starts_are_the_default_and_the_least(lab: SmallLab) -> None:
    path = lab.write("systems/shop/workloads/starts.yaml", "workload: starts\nkind: startup\n")
    assert read_workload(path) == StartupWorkload(workload="starts", starts=10)
    path.write_text("workload: starts\nkind: startup\nstarts: 9\n")
    with pytest.raises(InputError, match=r"starts.yaml:3: starts: must be 10 or more, not 9"):
        read_workload(path)


def with_starts_file(lab: SmallLab) -> None:
    lab.write("systems/shop/workloads/starts.yaml", "workload: starts\nkind: startup\n")
    lab.study("workloads: [busy, steady]", "workloads: [busy, starts]")


def test_a_question_is_asked_of_the_workloads_that_measure_it(lab: SmallLab) -> None:
    with_starts_file(lab)
    path = lab.study("metrics: [throughput, cpu_per_ok]", "metrics: [startup]")
    assert plan_of(path, lab.catalogue).questions[0].workloads == ("busy", "starts")
    lab.study("metrics: [startup]", "metrics: [startup, throughput]")
    assert plan_of(path, lab.catalogue).questions[0].workloads == ("busy",)


def test_throughput_cannot_be_asked_of_starts(lab: SmallLab) -> None:
    with_starts_file(lab)
    path = lab.study("    margin: 3%", "    margin: 3%\n    workloads: [starts]")
    with pytest.raises(InputError, match="throughput is not measured under starts") as told:
        plan_of(path, lab.catalogue)
    assert told.value.remedy == "ask it of workloads of kind load or footprint"


def test_a_profile_makes_fewer_starts(lab: SmallLab) -> None:
    with_starts_file(lab)
    path = lab.study("smoke: {blocks: 1,", "smoke: {blocks: 1, starts: 2,")
    plan = plan_of(path, lab.catalogue, "smoke")
    assert sum(run.workload == "starts" for run in plan.runs) == 2 * len(plan.arms)


def test_the_page_cache_is_a_factor_of_every_system(lab: SmallLab) -> None:
    path = lab.study("  upstream: [h1c]", "  upstream: [h1c]\n  page-cache: [warm, cold]")
    arms = plan_of(path, lab.catalogue).arms
    assert [(arm.id, arm.page_cache) for arm in arms] == [
        ("go-warm", "warm"),
        ("go-cold", "cold"),
        ("node-warm", "warm"),
        ("node-cold", "cold"),
    ]
    lab.study("[warm, cold]", "[warm, tepid]")
    with pytest.raises(
        InputError, match=r"arms.page-cache\[1\]: tepid is not a level of page-cache"
    ):
        plan_of(path, lab.catalogue)
