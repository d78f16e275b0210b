"""What each answer asks of a store of keys, from the record of a run."""

import dataclasses
from pathlib import Path

import pytest

from loadstone.analysis.figures.run_figures import run_figures
from loadstone.metrics.store_metrics import STORE_METRICS
from loadstone.results.store_work import StoreReading, StoreWork, work_between
from loadstone.results.window import WindowedRun
from observed import observed
from results_builder import rate

WORK = StoreWork(
    commands=2_500,
    hits=1_900,
    misses=600,
    connections=8,
    expired_keys=0,
    evicted_keys=0,
    keys_before=10,
    keys_after=610,
    memory_bytes=1_300_000,
)


def behind_store(run: WindowedRun) -> WindowedRun:
    """The run with a backend that is a store."""
    processes = tuple(
        each.model_copy(update={"store_work": WORK}) if each.name == "backend" else each
        for each in run.record.processes
    )
    return dataclasses.replace(run, record=run.record.model_copy(update={"processes": processes}))


def test_commands_are_of_the_whole_load_and_keys_and_memory_are_behind_it(tmp_path: Path) -> None:
    run = behind_store(observed(tmp_path, workload=rate(100, seconds=10, warm_up=2)))
    assert run.whole_ok == 1_000  # the window alone has 800
    found = run_figures(run)
    assert found["store_commands_per_ok"].value == pytest.approx(2.5)
    assert found["store_keys_added"].value == 600
    assert found["store_memory"].value == 1_300_000
    assert found["store_cpu_per_ok"] == found["dependency_cpu_per_ok"]


def test_without_a_store_its_figures_say_so(tmp_path: Path) -> None:
    found = run_figures(observed(tmp_path))
    for info in STORE_METRICS:
        assert found[info.name].state == "not measured"
        assert found[info.name].reason == "the lab started no store for it"


def test_work_is_what_came_to_the_counts_and_what_is_held_at_both_ends() -> None:
    counts = ("commands", "hits", "misses", "connections", "expired_keys", "evicted_keys")
    before = StoreReading(**dict.fromkeys(counts, 7), keys=10, memory_bytes=1_000_000)
    after = StoreReading(
        **{name: 7 + getattr(WORK, name) for name in counts}, keys=610, memory_bytes=1_300_000
    )
    assert work_between(before, after) == WORK
