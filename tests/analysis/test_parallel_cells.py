import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import psutil
import pytest

from large_study.write import write_study
from loadstone.analysis.analyse import analyse
from loadstone.analysis.cells import parallel_cells
from loadstone.analysis.cells.parallel_cells import CellTask
from loadstone.errors import InputError
from loadstone.report.tables.csv_tables import render_tables
from loadstone.results import folder

ARMS, BLOCKS = 3, 2


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("large") / "study"
    return write_study(directory, arms=ARMS, blocks=BLOCKS, seconds=36, processes=1)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_cells, "FEWEST_RUNS", 1)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})


def told(study: Path) -> tuple[str, list[str], dict[str, str]]:
    """All that an analysis says, as it is written."""
    analysis, findings = analyse(study)
    return (
        analysis.model_dump_json(),
        [finding.model_dump_json() for finding in findings],
        render_tables(analysis, findings),
    )


def test_cold_cached_and_with_a_broken_cache_the_same_is_told(study: Path, own_cache: Path) -> None:
    cold = told(study)
    kept = [each for each in own_cache.rglob("*") if each.is_file()]
    assert len(kept) == ARMS * BLOCKS
    cached = told(study)
    for each in kept:
        each.write_bytes(b"broken" + each.read_bytes())
    broken = told(study)
    assert cold == cached == broken


def test_several_processes_tell_what_one_does(
    study: Path, own_cache: Path, several: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    parallel = told(study)
    assert len([each for each in own_cache.rglob("*") if each.is_file()]) == ARMS * BLOCKS
    monkeypatch.setattr(parallel_cells, "FEWEST_RUNS", 10**6)
    assert told(study) == parallel


def test_the_runs_that_are_read_are_counted(study: Path, several: None) -> None:
    seen: list[tuple[int, int]] = []
    analyse(study, on_read=lambda read, runs: seen.append((read, runs)))
    assert seen == [(2, 6), (4, 6), (6, 6)]


def test_processes_that_are_lost_are_done_without(
    study: Path, several: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = told(study)

    def lost(tasks: list[CellTask], _: int) -> Iterator[object]:
        yield tasks[0].examine()
        raise BrokenProcessPool("one was killed")

    monkeypatch.setattr(parallel_cells, "_in_processes", lost)
    assert told(study) == expected


def test_an_error_in_a_process_is_told_as_in_one(
    tmp_path: Path, several: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = write_study(tmp_path / "study", arms=ARMS, blocks=1, seconds=6, processes=1)
    (log,) = study.glob(f"{folder.RUNS}/*-h2c-*/{folder.HISTOGRAMS}")
    lines = log.read_text().splitlines()
    log.write_text("\n".join([*lines[:60], lines[60][:-9], *lines[61:]]) + "\n")
    texts = []
    for fewest in (1, 10**6):
        monkeypatch.setattr(parallel_cells, "FEWEST_RUNS", fewest)
        with pytest.raises(InputError) as error:
            analyse(study)
        texts.append((error.value.message, error.value.remedy, error.value.path, error.value.line))
    assert texts[0] == texts[1]
    assert texts[0][3] == 61


def report(study: Path) -> subprocess.Popen[str]:
    """The command, with several processes whatever the machine, and silent however long it takes."""
    changed = (
        "import os; os.sched_getaffinity = lambda _: {0, 1}; "
        "from loadstone.analysis.cells import parallel_cells; parallel_cells.FEWEST_RUNS = 1; "
        "from loadstone.cli import reading; reading.AFTER_SECONDS = 10**9; "
        "from loadstone.cli.main import main; main()"
    )
    return subprocess.Popen(
        [sys.executable, "-c", changed, "report", str(study)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def workers_of(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """Those that examine, once they are all there."""
    while process.poll() is None:
        children = psutil.Process(process.pid).children()
        workers = [each for each in children if "spawn_main" in " ".join(each.cmdline())]
        if len(workers) == 2:
            return workers
        time.sleep(0.01)
    raise AssertionError(process.communicate())


def test_an_interrupt_ends_all_processes_and_says_one_line(study: Path) -> None:
    process = report(study)
    workers = workers_of(process)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate()
    assert (process.returncode, stderr) == (2, "error: stopped by SIGINT\n")
    assert not psutil.wait_procs(workers, timeout=60)[1]


def test_processes_do_not_outlive_a_command_that_is_killed(study: Path) -> None:
    process = report(study)
    workers = workers_of(process)
    process.kill()
    process.communicate()
    assert not psutil.wait_procs(workers, timeout=60)[1]
