"""`python -m loadstone.cluster.lab`: a lab by its lines, and what becomes of it when they end."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from lab import SIMULATE, Lab, is_gone, study_of, wait_for

from loadstone.cluster.engines.engine_lab import engine_cpus
from loadstone.cluster.lab_process import STARTER_VARIABLE, LabProcess, clean_environment
from loadstone.cluster.line_writer import LineWriter
from loadstone.cluster.lines import (
    Begin,
    BlockDone,
    DoBlock,
    Prepare,
    Prepared,
    Ready,
    Refused,
    digest_of,
    read_line,
)
from loadstone.cluster.wire import WireLost
from loadstone.deploy.placement import Core, available_cores
from loadstone.machine import ownership
from loadstone.measure.told import LoadSecond, RunBegan, RunEnded, Step
from loadstone.results.read import read_record
from loadstone.study.design.resolve import resolve_plan
from loadstone.study.systems.catalogue import Catalogue


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = Lab(tmp_path)
    made.behave("default: {}\nnode: {median: 26ms}\n")
    made.study(study_of("go", "node", blocks=2))
    return tmp_path


@pytest.fixture
def process(root: Path) -> Iterator[LabProcess]:
    process = LabProcess(root, root / "lab.log")
    yield process
    process.close()


def begin(root: Path, **changes: object) -> str:
    study = root / "studies" / "trial.yaml"
    told = Begin(
        site="a",
        study=str(study),
        profile="short",
        plan=digest_of(resolve_plan(study, Catalogue(root), "short").plan),
        results=str(root / "out"),
        simulation=str(root / SIMULATE[1]),
    )
    return told.model_copy(update=changes).model_dump_json()


def test_a_machine_of_engines_says_which_cpus_one_may_use(root: Path, process: LabProcess) -> None:
    process.send(begin(root, is_engine=True, address="127.0.0.1"))
    ready = read_line(process.receive())
    assert isinstance(ready, Ready)
    assert ready.engine_cpus == engine_cpus(available_cores())


@pytest.mark.parametrize(
    ("cores", "cpus"),
    [
        (((0,),), (0,)),
        (((0, 1),), (1,)),
        (((0,), (1,)), (1,)),
        (((0, 4), (1, 5), (2, 6)), (1, 2)),
        (((2, 6), (0, 4), (1, 5)), (1, 2)),
    ],
)
def test_an_engine_has_a_cpu_of_each_core_but_the_first(
    cores: tuple[Core, ...], cpus: tuple[int, ...]
) -> None:
    assert engine_cpus(cores) == cpus


def test_a_lab_does_the_runs_that_it_is_told_and_says_what_happens(
    root: Path, process: LabProcess
) -> None:
    process.send(begin(root))
    ready = read_line(process.receive())
    assert isinstance(ready, Ready)
    lab = psutil.Process(ready.pid)
    assert os.getsid(ready.pid) == ready.pid
    assert lab.ppid() != os.getpid()
    assert len(lab.cpu_affinity()) == os.cpu_count()
    process.send(Prepare().model_dump_json())
    assert isinstance(read_line(process.receive()), Step)
    assert read_line(process.receive()) == Prepared(builds=())
    plan = resolve_plan(root / "studies" / "trial.yaml", Catalogue(root), "short").plan
    runs = tuple(run.id for run in plan.runs if run.block == 2)
    process.send(DoBlock(block=2, attempt=3, runs=runs[1:]).model_dump_json())
    told = []
    while not told or not isinstance(told[-1], BlockDone):
        told.append(read_line(process.receive()))
    assert [type(each) for each in told] == [RunBegan, LoadSecond, LoadSecond, RunEnded, BlockDone]
    record = read_record(root / "out" / "runs" / runs[1] / "run.json")
    assert (record.run.site, record.run.attempt, record.run.id) == ("a", 3, runs[1])
    process_ended_by_its_input(process, lab)


def process_ended_by_its_input(process: LabProcess, lab: psutil.Process) -> None:
    process._stdin.close()
    with pytest.raises(WireLost, match="its lab ended"):
        process.receive()
    wait_for(lambda: is_gone(lab))


def test_another_plan_is_refused(root: Path, process: LabProcess) -> None:
    process.send(begin(root, plan="another"))
    refused = read_line(process.receive())
    assert isinstance(refused, Refused)
    assert "another plan" in refused.message
    with pytest.raises(WireLost):
        process.receive()


def test_a_study_that_is_wrong_is_refused_with_its_place(root: Path, process: LabProcess) -> None:
    study = root / "studies" / "trial.yaml"
    line = begin(root)
    study.write_text(study.read_text().replace("blocks: 2", "blocks: many"))
    process.send(line)
    refused = read_line(process.receive())
    assert isinstance(refused, Refused)
    assert "trial.yaml:" in refused.message
    assert "blocks" in refused.message


def test_a_lab_that_would_give_way_to_others_measures_nothing(root: Path) -> None:
    score = Path("/proc/self/oom_score_adj")
    before = score.read_text()
    score.write_text("500")
    try:
        process = LabProcess(root, root / "lab.log")
    finally:
        score.write_text(before)
    process.send(begin(root, simulation=None))
    refused = read_line(process.receive())
    process.close()
    assert isinstance(refused, Refused)
    assert "OOM score 500" in refused.message


def test_a_line_that_is_no_command_ends_the_lab_and_is_told(process: LabProcess) -> None:
    process.send("{}")
    with pytest.raises(WireLost, match="this is no command"):
        process.receive()


def test_a_lab_has_the_variables_of_a_person_and_none_of_who_starts_it() -> None:
    given = {
        "PATH": "/bin",
        "JAVA_HOME": "/jdk",
        "LC_ALL": "C",
        "OMP_NUM_THREADS": "1",
        "RAY_JOB_ID": "1",
        "LOADSTONE_OWNER": "1:2",
        "LOADSTONE_ROOT": "/elsewhere",
    }
    kept = clean_environment(given, Path("/root"))
    assert kept.pop(STARTER_VARIABLE) == ownership.mark()
    assert kept == {
        "PATH": "/bin",
        "JAVA_HOME": "/jdk",
        "LC_ALL": "C",
        "LOADSTONE_ROOT": "/root",
    }


def test_lines_that_nobody_takes_hold_up_nobody_and_are_noticed() -> None:
    reading, writing = os.pipe()
    lines = LineWriter(writing)
    lines.write("x" * (1 << 20))  # more than the pipe holds
    deadline = time.monotonic() + 30
    while not lines.is_stuck(0.01) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert lines.is_stuck(0.01)
    assert not lines.is_stuck()
    os.close(reading)
    lines.close()
    os.close(writing)
