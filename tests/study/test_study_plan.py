"""The plan: complete blocks in random order, the same for the same seed; profiles; estimates."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_lab import SmallLab, plan_of

from loadstone.study.design.plan import OVERHEAD_SECONDS, estimate, make_plan
from loadstone.study.design.profile import shortened
from loadstone.study.design.resolve import resolve_plan
from loadstone.study.systems import catalogue
from loadstone.study.values.arrivals import Users, steady
from loadstone.study.values.model import (
    Arm,
    Limits,
    Operation,
    PlacementWish,
    Plan,
    Profile,
    Protocol,
    Question,
    Study,
    Workload,
)
from loadstone.study.values.service_choice import StackChoice

SECOND_NS = 10**9


def study_of(arms: int, workloads: int, blocks: int, seed: int) -> Study:
    return Study(
        study="any",
        goal="any",
        system="any",
        arms=tuple(
            Arm(
                id=f"a{n}",
                factors={"gateway": f"a{n}"},
                services=(StackChoice(service="gateway", label=f"a{n}", stack="go", runtime="go"),),
                legs={"client": Protocol.H1C},
            )
            for n in range(arms)
        ),
        workloads=tuple(
            Workload(
                workload=f"w{n}",
                group="any",
                arrivals=Users(stages=steady(1)),
                session=(Operation(operation="any", method="GET", path="/"),),
                duration_ns=10 * SECOND_NS,
                warm_up_ns=0,
                connect_timeout_ns=SECOND_NS,
                timeout_ns=SECOND_NS,
                grace_ns=SECOND_NS,
            )
            for n in range(workloads)
        ),
        blocks=blocks,
        seed=seed,
        allow_target=(),
        questions=(
            Question(
                question="any?",
                compare="gateway",
                metrics=("throughput",),
                margin=0.03,
                workloads=tuple(f"w{n}" for n in range(workloads)),
            ),
        ),
        profiles={"smoke": Profile(blocks=1, duration_ns=2 * SECOND_NS)},
    )


STUDIES = st.builds(
    study_of, st.integers(1, 5), st.integers(1, 4), st.integers(1, 8), st.integers(0, 2**53 - 1)
)


def order_of(plan: Plan, block: int) -> list[tuple[str, str]]:
    return [(run.arm, run.workload) for run in plan.runs if run.block == block]


@given(study=STUDIES)
def test_every_block_holds_every_arm_under_every_workload_once(study: Study) -> None:
    plan = make_plan(study)
    cells = {(arm.id, workload.workload) for arm in study.arms for workload in study.workloads}
    for block in range(1, study.blocks + 1):
        assert Counter(order_of(plan, block)) == Counter(cells)
    assert len(plan.runs) == len(cells) * study.blocks


@given(study=STUDIES)
def test_blocks_follow_one_another_and_runs_are_numbered_in_order(study: Study) -> None:
    runs = make_plan(study).runs
    assert [run.index for run in runs] == list(range(1, len(runs) + 1))
    assert [run.block for run in runs] == sorted(run.block for run in runs)
    assert len({run.id for run in runs}) == len(runs)
    assert all(run.id == f"{run.index:03d}-{run.arm}-{run.workload}" for run in runs)


@given(study=STUDIES)
def test_the_same_seed_gives_the_same_plan(study: Study) -> None:
    assert make_plan(study) == make_plan(study)


@given(seed=st.integers(0, 2**53 - 1))
def test_the_order_differs_between_blocks_and_between_seeds(seed: int) -> None:
    # Six equal orders of eight cells by chance: (1/8!)^5.
    plan = make_plan(study_of(arms=4, workloads=2, blocks=6, seed=seed))
    assert len({tuple(order_of(plan, block)) for block in range(1, 7)}) > 1
    other = make_plan(study_of(arms=4, workloads=2, blocks=6, seed=(seed + 1) % 2**53))
    assert [run.arm for run in plan.runs] != [run.arm for run in other.runs]


def test_no_arm_is_always_first() -> None:
    plan = make_plan(study_of(arms=2, workloads=1, blocks=400, seed=1))
    first = Counter(order_of(plan, block)[0][0] for block in range(1, 401))
    # Binomial(400, 1/2): 150 to 250 is five standard deviations; the seed makes it repeatable.
    assert 150 < first["a0"] < 250


def test_the_order_of_a_seed_is_the_same_on_every_python() -> None:
    plan = make_plan(study_of(arms=3, workloads=1, blocks=3, seed=20240915))
    # From `sorted` over the first nine values of `random.Random(20240915).random()`.
    assert [run.arm for run in plan.runs] == ["a0", "a1", "a2", "a0", "a1", "a2", "a1", "a2", "a0"]


@given(study=STUDIES)
def test_arms_of_a_block_share_the_engines_seed_and_blocks_do_not(study: Study) -> None:
    seeds: dict[tuple[int, str], set[int]] = {}
    for run in make_plan(study).runs:
        seeds.setdefault((run.block, run.workload), set()).add(run.seed)
        assert 0 <= run.seed < 2**53
    assert all(len(each) == 1 for each in seeds.values())
    assert len({next(iter(each)) for each in seeds.values()}) == len(seeds)


def test_a_profile_changes_what_it_names_and_nothing_else() -> None:
    study = study_of(arms=2, workloads=2, blocks=6, seed=7)
    full, smoke = make_plan(study), make_plan(study, "smoke")
    assert (smoke.profile, smoke.blocks, len(smoke.runs)) == ("smoke", 1, 4)
    assert {workload.duration_ns for workload in smoke.workloads} == {2 * SECOND_NS}
    assert (smoke.seed, smoke.arms, smoke.questions) == (full.seed, full.arms, full.questions)


@pytest.mark.parametrize(
    ("own", "change", "expected"),
    [
        ((20, None, 120), {"warm_up_ns": 1}, (21, 1, None)),
        ((20, None, 120), {"warm_up_ns": 1, "duration_ns": 2}, (2, 1, None)),
        ((20, None, 120), {"window_ns": 5}, (5, None, 120)),
        ((20, None, 120), {"steady_within_ns": 60}, (20, None, 60)),
        ((30, 10, None), {"steady_within_ns": 60}, (20, None, 60)),
        ((30, 10, None), {"steady_within_ns": 60, "window_ns": 5}, (5, None, 60)),
        ((30, 10, None), {"window_ns": 5}, (15, 10, None)),
        ((30, None, None), {"blocks": 1}, (30, None, None)),
    ],
)
def test_a_profile_changes_the_warm_up_and_what_is_measured_behind_it(
    own: tuple[int, int | None, int | None],
    change: dict[str, int],
    expected: tuple[int, int | None, int | None],
) -> None:
    names = ("duration_ns", "warm_up_ns", "steady_within_ns")
    whole = study_of(arms=2, workloads=1, blocks=2, seed=1)
    timed = whole.workloads[0].model_copy(update=dict(zip(names, own, strict=True)))
    whole = whole.model_copy(
        update={"workloads": (timed,), "profiles": {"other": Profile.model_validate(change)}}
    )
    (found,) = shortened(whole, "other").workloads
    assert tuple(getattr(found, name) for name in names) == expected


def test_a_profile_with_fewer_workloads_drops_the_questions_about_the_others(
    lab: SmallLab,
) -> None:
    lab.study("margin: 3%", "margin: 3%\n    workloads: [busy]")
    lab.study(
        "profiles:",
        "  - {question: Another, compare: gateway, metrics: [startup], margin: 3%}\nprofiles:",
    )
    path = lab.study("blocks: 1,", "workloads: [steady], seed: 9,")
    plan = plan_of(path, lab.catalogue, "smoke")
    assert [workload.workload for workload in plan.workloads] == ["steady"]
    assert [(each.question, each.workloads) for each in plan.questions] == [
        ("Another", ("steady",))
    ]
    assert (plan.seed, plan.blocks) == (9, 6)


def test_a_plan_survives_its_file(lab: SmallLab) -> None:
    plan = plan_of(lab.study(), lab.catalogue)
    assert Plan.model_validate_json(plan.model_dump_json()) == plan
    assert [each.metrics for each in plan.questions] == [("throughput", "cpu_per_ok")]
    assert plan.questions[0].workloads == ("busy", "steady")
    assert plan.questions[0].margin == 0.03


def test_an_estimate_is_the_loads_and_the_overhead_of_each_run() -> None:
    few = estimate(make_plan(study_of(arms=2, workloads=1, blocks=3, seed=1)))
    assert few.seconds == pytest.approx(6 * (10 + OVERHEAD_SECONDS))
    more = estimate(make_plan(study_of(arms=2, workloads=1, blocks=6, seed=1)))
    assert more.size_bytes == 2 * few.size_bytes


def test_limits_and_placement_reach_the_plan(lab: SmallLab) -> None:
    limits = "limits: {gateway: {cpus: 0.5, memory: 512M}}"
    typed = f"seed: 7\n{limits}\nplacement: {{service: [1], bench: [0]}}"
    plan = plan_of(lab.study("seed: 7", typed), lab.catalogue)
    assert plan.limits == {"gateway": Limits(cpus=0.5, memory_bytes=512 * 2**20)}
    assert plan.placement == PlacementWish(service=(1,), bench=(0,))


def test_every_manifest_is_read_once_for_a_plan(
    lab: SmallLab, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []
    for name in ("read_system", "read_stack", "read_runtime", "read_workload"):
        _listen(monkeypatch, name, read)
    resolved = resolve_plan(lab.study(), lab.catalogue)
    assert len(read) == len(set(read)) == 7  # a system, and two of each of the others
    assert {each.stack for each in resolved.stacks.values()} == {"go", "node"}
    assert set(resolved.runtimes) == {"go", "node"}


def _listen(monkeypatch: pytest.MonkeyPatch, name: str, read: list[Path]) -> None:
    reader = getattr(catalogue, name)

    def listening(path: Path, *others: object) -> object:
        read.append(path)
        return reader(path, *others)

    monkeypatch.setattr(catalogue, name, listening)
