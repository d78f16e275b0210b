"""The looks of an adaptive study on disk, and which runs they ask for."""

import json
from pathlib import Path

import pytest

from loadstone.errors import InputError
from loadstone.results import folder
from loadstone.results.looks import Look, Looks, kept, needed_until, runs_needed
from loadstone.results.read import read_looks, read_plan, read_results
from loadstone.study.values.model import Plan
from results_builder import Behaviour, build_results, closed

LOOKS = (6, 12, 24)
BEHIND_2 = tuple(range(3, 25))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Of a study of two arms that was broken off after two blocks of at most 24."""
    behaviour = Behaviour(missing_blocks=BEHIND_2)
    return build_results(
        tmp_path,
        arms={"go": behaviour, "node": behaviour},
        workloads=(closed(2, seconds=3, warm_up=1),),
        blocks=24,
        looks=LOOKS,
    )


@pytest.fixture
def plan(results: Path) -> Plan:
    return read_plan(results / folder.PLAN)


def look(after_block: int, *, stop: bool) -> Look:
    return Look(
        after_block=after_block,
        runs=2 * after_block,
        taken_at="2026-01-01T12:00:00.000+00:00",
        level=1 - 0.05 / 3,
        comparisons=(),
        stop=stop,
    )


ON = look(6, stop=False)
STOP = look(6, stop=True)


def write(results: Path, *looks: Look) -> None:
    (results / folder.LOOKS).write_text(Looks(looks=looks).model_dump_json())


def test_without_a_look_the_runs_to_the_first_are_needed(results: Path) -> None:
    read = read_results(results)
    assert read.looks == ()
    assert len(read.runs) == 12
    assert sum(run.completed for run in read.runs) == 4
    assert {run.problem for run in read.runs} == {"", "run: not done"}


def test_a_study_that_goes_on_needs_the_runs_to_the_next_look(results: Path) -> None:
    write(results, ON)
    assert len(read_results(results).runs) == 24
    write(results, ON, look(12, stop=False))
    assert len(read_results(results).runs) == 48


def test_the_runs_behind_the_stop_are_not_needed(results: Path) -> None:
    write(results, STOP)
    read = read_results(results)
    assert read.looks == (STOP,)
    assert max(run.planned.block for run in read.runs) == 6


def test_a_study_with_fixed_blocks_needs_every_run(plan: Plan) -> None:
    fixed = plan.model_copy(update={"looks": ()})
    assert runs_needed(fixed, ()) == plan.runs
    assert needed_until(fixed, ()) == 24


def test_a_resumed_study_keeps_its_decisions(plan: Plan) -> None:
    behind = {run.id for run in plan.runs if run.block > 6}
    before = {plan.runs[3].id}
    assert kept(plan, (STOP,), behind) == (STOP,)
    assert kept(plan, (ON,), behind) == (ON,)
    assert kept(plan, (ON,), before) == (ON,)
    assert kept(plan, (), before) == ()


def test_a_stop_is_asked_again_where_a_run_before_it_is_to_be_done_again(plan: Plan) -> None:
    assert kept(plan, (STOP,), {plan.runs[3].id}) == ()
    assert kept(plan, (ON, look(12, stop=True)), {plan.runs[3].id}) == (ON,)


@pytest.mark.parametrize(
    "looks",
    [
        (look(5, stop=True),),
        (look(12, stop=False),),
        (STOP, look(12, stop=True)),
        (ON, ON),
        (ON, look(12, stop=False), look(24, stop=True), look(24, stop=True)),
    ],
)
def test_looks_of_another_plan_are_refused(
    results: Path, plan: Plan, looks: tuple[Look, ...]
) -> None:
    write(results, *looks)
    with pytest.raises(InputError, match=r"looks\.json: these are not looks of the plan") as told:
        read_looks(results, plan)
    assert told.value.remedy


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("{}", "no looks_version"),
        ('{"looks_version": 2, "looks": []}', "looks_version is 2, and this Loadstone reads 1"),
        ('{"looks_version": 1}', "looks: Field required"),
    ],
)
def test_a_foreign_file_is_refused(results: Path, plan: Plan, text: str, message: str) -> None:
    (results / folder.LOOKS).write_text(text)
    with pytest.raises(InputError, match=message):
        read_looks(results, plan)


def test_a_look_at_block_0_is_refused(results: Path, plan: Plan) -> None:
    tree = json.loads(Looks(looks=(ON,)).model_dump_json())
    tree["looks"][0]["after_block"] = 0
    (results / folder.LOOKS).write_text(json.dumps(tree))
    with pytest.raises(InputError, match="greater than or equal to 1"):
        read_looks(results, plan)
