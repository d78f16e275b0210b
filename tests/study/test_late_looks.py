"""Which runs of a plan go on behind their window, and what that takes."""

import json

import pytest
from rich.console import Console
from small_lab import SmallLab, plan_of

from loadstone.errors import InputError
from loadstone.report.terminal.dry_run import print_plan
from loadstone.study.design.plan import estimate
from loadstone.study.values.model import Plan

SECOND_NS = 10**9
STEADY = ("duration: 10s\nwarm_up: 2s", "warm_up: {until: steady, at_most: 120s}\nwindow: 20s")
BUSY, RATE = "systems/shop/workloads/busy.yaml", "systems/shop/workloads/steady.yaml"
WITH_LOOK = "seed: 7\nlate_look: 180s"


@pytest.fixture
def watched(lab: SmallLab) -> SmallLab:
    """Its closed users are watched until steady, its rate has a fixed warm-up."""
    lab.change(BUSY, *STEADY)
    return lab


def looking(plan: Plan) -> list[tuple[int, str, str]]:
    return [
        (run.late_look_ns // SECOND_NS, run.arm, run.workload)
        for run in plan.runs
        if run.late_look_ns
    ]


def test_the_first_watched_run_of_the_same_services_looks_and_no_other(watched: SmallLab) -> None:
    plan = plan_of(watched.study("seed: 7", WITH_LOOK), watched.catalogue)
    assert sorted(looking(plan)) == [(180, "go", "busy"), (180, "node", "busy")]
    for arm in ("go", "node"):
        first = next(run for run in plan.runs if (run.arm, run.workload) == (arm, "busy"))
        assert first.late_look_ns == 180 * SECOND_NS


def test_arms_of_the_same_services_have_one_look(watched: SmallLab) -> None:
    path = watched.study("seed: 7", WITH_LOOK)
    text = path.read_text().replace(
        "upstream: [h1c]", "upstream: [h1c]\n  page-cache: [warm, cold]"
    )
    path.write_text(text.replace("[go, node]", "[go, node, {stack: go, label: again}]"))
    plan = plan_of(path, watched.catalogue)
    assert len(plan.arms) == 6
    looks = [next(arm for arm in plan.arms if arm.id == looked) for _, looked, _ in looking(plan)]
    assert sorted(choice.stack for arm in looks for choice in arm.services) == ["go", "node"]
    first = next(run for run in plan.runs if run.workload == "busy")
    assert first.late_look_ns


def test_where_all_workloads_are_watched_the_plans_order_decides(watched: SmallLab) -> None:
    watched.change(RATE, "duration: 10s", "warm_up: steady\nwindow: 20s")
    plan = plan_of(watched.study("seed: 7", WITH_LOOK), watched.catalogue)
    for arm in ("go", "node"):
        first, *others = [run for run in plan.runs if run.arm == arm]
        assert first.late_look_ns == 180 * SECOND_NS
        assert not any(run.late_look_ns for run in others)


def test_without_the_key_the_plan_is_the_same_but_for_the_looks(watched: SmallLab) -> None:
    without = plan_of(watched.study(), watched.catalogue)
    with_look = plan_of(watched.study("seed: 7", WITH_LOOK), watched.catalogue)
    assert looking(without) == []
    assert [run.model_copy(update={"late_look_ns": 0}) for run in with_look.runs] == list(
        without.runs
    )


def test_an_older_plan_is_read_as_one_without_looks(watched: SmallLab) -> None:
    plan = plan_of(watched.study(), watched.catalogue)
    written = json.loads(plan.model_dump_json())
    for run in written["runs"]:
        del run["late_look_ns"]
    assert Plan.model_validate(written) == plan


def test_a_profile_with_fixed_warm_ups_drops_it(watched: SmallLab) -> None:
    path = watched.study("seed: 7", WITH_LOOK)
    assert looking(plan_of(path, watched.catalogue, "smoke")) == []


def test_a_profile_may_be_the_one_that_watches(lab: SmallLab) -> None:
    path = lab.study("seed: 7\nquestions:", f"{WITH_LOOK}\nquestions:")
    path.write_text(
        path.read_text().replace(
            "profiles:\n", "profiles:\n  warm: {warm_up: steady, window: 9s}\n"
        )
    )
    assert len(looking(plan_of(path, lab.catalogue, "warm"))) == 2
    assert looking(plan_of(path, lab.catalogue)) == []


def test_both_bounds_of_the_estimate_have_it(watched: SmallLab) -> None:
    without = plan_of(watched.study(), watched.catalogue)
    with_look = plan_of(watched.study("seed: 7", WITH_LOOK), watched.catalogue)
    longer, shorter = estimate(with_look), estimate(without)
    assert longer.seconds - shorter.seconds == pytest.approx(2 * 180)
    assert longer.most_seconds - shorter.most_seconds == pytest.approx(2 * 180)
    assert longer.size_bytes > shorter.size_bytes


def test_a_dry_run_says_it(watched: SmallLab) -> None:
    def said(plan: Plan) -> str:
        console = Console(width=200)
        with console.capture() as shown:
            print_plan(console, plan)
        return shown.get()

    assert "late step" not in said(plan_of(watched.study(), watched.catalogue))
    plan = plan_of(watched.study("seed: 7", WITH_LOOK), watched.catalogue)
    assert (
        "the first watched run of each arm goes on for 180 s behind its window, to look for a late "
        "step (2 runs)" in said(plan)
    )


@pytest.mark.parametrize(
    ("typed", "said", "remedy"),
    [
        ("180s", "looks behind a warm-up until steady, and no", "write `warm_up: steady`"),
        ("59s", "is too short to be told from noise", "write at least 60s"),
        ("180", "180 has no unit of time", ""),
        ("90.5s", "", ""),
    ],
)
def test_a_wrong_one_is_refused_with_file_line_and_key(
    lab: SmallLab, typed: str, said: str, remedy: str
) -> None:
    path = lab.study("seed: 7", f"seed: 7\nlate_look: {typed}")
    with pytest.raises(InputError) as caught:
        plan_of(path, lab.catalogue)
    assert caught.value.message.startswith(f"{path}:11: late_look: {said}")
    assert (caught.value.remedy or "").startswith(remedy)
