"""Studies that may end early, and orders that are not random: from the file to the plan."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_lab import SmallLab, plan_of
from test_startup_workloads import with_starts
from test_study_plan import study_of

from loadstone.errors import InputError
from loadstone.study.design.order import runs_by_block, runs_until
from loadstone.study.design.plan import estimate, make_plan
from loadstone.study.values.model import Plan, Study

LOOKS = (6, 12, 24)


def adaptive(study: Study) -> Study:
    return study.model_copy(update={"blocks": 24, "looks": LOOKS})


def test_adaptive_blocks_are_24_with_looks_and_a_number_has_none(lab: SmallLab) -> None:
    fixed = plan_of(lab.study(), lab.catalogue)
    assert (fixed.blocks, fixed.looks) == (6, ())
    plan = plan_of(lab.study("blocks: 6", "blocks: adaptive"), lab.catalogue)
    assert (plan.blocks, plan.looks) == (24, LOOKS)
    assert len(plan.runs) == 24 * len(plan.arms) * len(plan.workloads)
    assert plan.runs[: len(fixed.runs)] == fixed.runs  # the same seed, only more of it
    assert Plan.model_validate_json(plan.model_dump_json()) == plan


def test_a_profile_may_fix_the_blocks_of_an_adaptive_study_and_the_other_way_round(
    lab: SmallLab,
) -> None:
    path = lab.study("blocks: 6", "blocks: adaptive")
    smoke = plan_of(path, lab.catalogue, "smoke")
    assert (smoke.blocks, smoke.looks) == (1, ())
    lab.study("smoke: {blocks: 1, ", "smoke: {blocks: adaptive, ")
    lab.study("blocks: adaptive\nseed", "blocks: 6\nseed")
    assert plan_of(path, lab.catalogue).looks == ()
    assert plan_of(path, lab.catalogue, "smoke").looks == LOOKS
    lab.study("smoke: {blocks: adaptive, ", "smoke: {")
    lab.study("blocks: 6\nseed", "blocks: adaptive\nseed")
    assert plan_of(path, lab.catalogue, "smoke").looks == LOOKS


@pytest.mark.parametrize(
    ("old", "new", "message", "remedy"),
    [
        (
            "blocks: 6",
            "blocks: adaptve",
            "which.yaml:9: blocks: 'adaptve' is neither a whole number nor adaptive",
            "write a whole number, or adaptive",
        ),
        (
            "{blocks: 1,",
            "{blocks: often,",
            "which.yaml:17: profiles.smoke.blocks: 'often' is neither a whole number nor adaptive",
            "write a whole number, or adaptive",
        ),
        (
            "seed: 7",
            "seed: 7\norder: alphabetical",
            "which.yaml:11: order: must be 'random' or 'as-listed', not 'alphabetical'",
            "write 'random' or 'as-listed'",
        ),
    ],
)
def test_another_word_is_refused_with_what_may_stand_there(
    lab: SmallLab, old: str, new: str, message: str, remedy: str
) -> None:
    path = lab.study(old, new)
    with pytest.raises(InputError) as told:
        plan_of(path, lab.catalogue)
    assert told.value.message.endswith(message)
    assert told.value.remedy == remedy


def test_starts_that_do_not_reach_the_first_look_are_refused(lab: SmallLab) -> None:
    lab.write("systems/shop/workloads/starts.yaml", "workload: starts\nkind: startup\n")
    lab.study("workloads: [busy, steady]", "workloads: [busy, starts]")
    path = lab.study("smoke: {blocks: 1,", "smoke: {blocks: adaptive, starts: 3,")
    with pytest.raises(InputError, match="none are before the look after block 6") as told:
        plan_of(path, lab.catalogue)
    assert told.value.key == "profiles.smoke"
    assert told.value.remedy == "ask for at least 4 starts, or for a number of blocks"
    lab.study("starts: 3,", "starts: 4,")
    plan = plan_of(path, lab.catalogue, "smoke")
    starts = [run for run in plan.runs[: runs_until(plan, 6)] if run.workload == "starts"]
    assert len(starts) == len(plan.arms)


@given(
    arms=st.integers(1, 4),
    loads=st.integers(0, 2),
    starts=st.integers(4, 60),
    block=st.integers(0, 24),
)
def test_a_look_is_after_whole_blocks_of_loads_and_of_starts(
    arms: int, loads: int, starts: int, block: int
) -> None:
    plan = make_plan(with_starts(adaptive(study_of(arms, loads, 24, 3)), starts))
    seen, behind = plan.runs[: runs_until(plan, block)], plan.runs[runs_until(plan, block) :]
    for workload in plan.workloads:
        before = [run.block for run in seen if run.workload == workload.workload]
        after = [run.block for run in behind if run.workload == workload.workload]
        assert set(before).isdisjoint(after)
        assert len(before) == arms * len(set(before))
        if workload.workload != "starts":
            assert sorted(set(before)) == list(range(1, block + 1))
        else:
            assert len(set(before)) == starts * block // 24


def test_an_estimate_of_the_first_runs_is_a_part_of_the_whole() -> None:
    plan = make_plan(adaptive(study_of(arms=2, workloads=1, blocks=24, seed=1)))
    least, most = estimate(plan, runs_until(plan, 6)), estimate(plan)
    assert most.seconds == pytest.approx(4 * least.seconds)
    assert most.size_bytes == 4 * least.size_bytes


def test_an_order_as_listed_is_the_same_in_every_block(lab: SmallLab) -> None:
    path = lab.study("seed: 7", "seed: 7\norder: as-listed")
    plan = plan_of(path, lab.catalogue)
    assert plan.order == "as-listed"
    cells = [(arm.id, each.workload) for each in plan.workloads for arm in plan.arms]
    assert [(run.arm, run.workload) for run in plan.runs] == cells * 6
    lab.study("order: as-listed", "order: random")
    assert plan_of(path, lab.catalogue).order == "random"
    lab.study("order: random\n", "")
    assert plan_of(path, lab.catalogue).order == "random"


def test_starts_as_listed_follow_the_loads_of_their_block() -> None:
    study = study_of(arms=2, workloads=1, blocks=2, seed=3).model_copy(
        update={"order": "as-listed"}
    )
    runs = make_plan(with_starts(study, 4)).runs
    assert [(run.workload, run.block, run.arm) for run in runs[:6]] == [
        ("w0", 1, "a0"),
        ("w0", 1, "a1"),
        ("starts", 1, "a0"),
        ("starts", 1, "a1"),
        ("starts", 2, "a0"),
        ("starts", 2, "a1"),
    ]


@given(arms=st.integers(1, 4), loads=st.integers(1, 2), starts=st.integers(4, 60))
def test_blocks_are_the_whole_plan_and_each_ends_where_a_look_may_be(
    arms: int, loads: int, starts: int
) -> None:
    plan = make_plan(with_starts(adaptive(study_of(arms, loads, 24, 3)), starts))
    blocks = runs_by_block(plan)
    assert len(blocks) == plan.blocks
    assert tuple(run for block in blocks for run in block) == plan.runs
    for number, block in enumerate(blocks, start=1):
        assert {run.block for run in block if run.workload != "starts"} == {number}
