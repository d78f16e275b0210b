"""Groups in records: those of now, and those of before, which tell nothing of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from loadstone.analysis.figures.run_figures import run_figures
from loadstone.metrics.outcomes import Clock, SessionClock
from loadstone.results import folder
from loadstone.results.histogram_log import Key
from loadstone.results.load_facts import OperationFacts
from loadstone.results.parts import Part, by_group, over_groups
from loadstone.results.read import read_record
from loadstone.results.record import RunRecord
from loadstone.results.users import UserColumns
from loadstone.results.window import WindowedRun, read_windowed_run
from loadstone.results.window_times_form import arrays_of, times_of
from results_builder import Behaviour, build_results
from simulated_load import SECOND_NS, closed, group, grouped

NEW_OF_RECORD = ("groups",)
NEW_OF_LOAD = ("run_id", "repeatable", "groups")
NEW_OF_OPERATION = (
    "group",
    "operation",
    "unreached",
    "skipped",
    "failed_checks",
    "statuses",
)
NEW_OF_STOP = ("rule_group", "users_by_group")


def only_run(directory: Path, workload: object) -> Path:
    results = build_results(directory, arms={"go": Behaviour()}, workloads=(workload,), blocks=1)
    (path,) = (results / folder.RUNS).iterdir()
    return path


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> WindowedRun:
    workload = grouped(
        group("bookers", users=4), group("raters", per_second=20), seconds=10, warm_up=2
    )
    path = only_run(tmp_path_factory.mktemp("grouped"), workload)
    return read_windowed_run(read_record(path / folder.RECORD), path)


def of_before(record: dict[str, Any]) -> dict[str, Any]:
    """The record without any key that has come since."""
    old = {key: value for key, value in record.items() if key not in NEW_OF_RECORD}
    load = {key: value for key, value in old["load"].items() if key not in NEW_OF_LOAD}
    load["stop"] = {key: value for key, value in load["stop"].items() if key not in NEW_OF_STOP}

    def without(operations: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        return {
            name: {key: value for key, value in facts.items() if key not in NEW_OF_OPERATION}
            for name, facts in operations.items()
        }

    load["operations"] = without(load["operations"])
    return {**old, "load": load, "operations": without(old["operations"])}


def test_a_record_of_before_is_read_as_one_group_and_its_figures_are_the_same(
    tmp_path: Path,
) -> None:
    path = only_run(tmp_path, closed())
    written = json.loads((path / folder.RECORD).read_text())
    assert all(key in written["load"] for key in NEW_OF_LOAD)
    now = run_figures(read_windowed_run(read_record(path / folder.RECORD), path))
    (path / folder.RECORD).write_text(json.dumps(of_before(written)))
    record = read_record(path / folder.RECORD)
    before = read_windowed_run(record, path)
    assert run_figures(before) == now
    assert before.groups == {}
    assert list(record.asked_groups) == [""]
    assert before.asks_steadily
    assert now["session.duration.p99"].reason == "the engine told nothing of sessions"


def test_each_group_has_its_operations_and_shares_their_names(run: WindowedRun) -> None:
    assert list(run.groups) == ["bookers", "raters"]
    assert run.groups["raters"].operations == {"raters.log-in", "raters.book", "raters.book.409"}
    assert list(run.over_groups) == ["log-in", "book"]
    bookers, raters = (run.outcomes(part) for part in run.groups.values())
    assert {name: bookers[name] + raters[name] for name in bookers} == run.outcomes()
    assert run.load.arrivals == "mixed"
    assert run.record.arrivals is None


def test_sessions_are_counted_by_group_and_together(run: WindowedRun) -> None:
    parts = [run.sessions(part) for part in run.groups.values()]
    together = run.sessions()
    assert together is not None
    assert all(each is not None and each.finished for each in parts)
    assert tuple(map(sum, zip(*[each for each in parts if each], strict=True))) == together
    for part in run.groups.values():
        counted = run.sessions(part)
        assert counted is not None
        durations = run.histogram(SessionClock.SESSION_DURATION, ok=True, part=part)
        assert durations.count == counted.finished
    assert run.histogram(Clock.RESPONSE_TIME, ok=True).count == sum(
        run.histogram(Clock.RESPONSE_TIME, ok=True, part=part).count for part in run.groups.values()
    )


def test_users_are_told_group_by_group(run: WindowedRun) -> None:
    assert {name: len(places) for name, places in run.users_throughout.items()} == {"bookers": 4}


def test_the_later_group_decides_from_when_on_a_load_is_steady(tmp_path: Path) -> None:
    late = group("late", users=2, start_ns=3 * SECOND_NS)
    path = only_run(tmp_path, grouped(group("bookers", users=2), late, seconds=6, warm_up=2))
    found = read_windowed_run(read_record(path / folder.RECORD), path)
    assert found.record.changes_ns == 3 * SECOND_NS
    assert not found.asks_steadily
    assert found.record.asked_groups["late"].lowest(2 * SECOND_NS, 6 * SECOND_NS) == 0
    assert found.record.asked_groups["late"].lowest(3 * SECOND_NS, 6 * SECOND_NS) == 2
    assert found.users_throughout["late"].size == 0


def test_durations_of_sessions_are_kept_in_the_cache_bit_for_bit(run: WindowedRun) -> None:
    histograms, _ = times_of(arrays_of(run.histograms, run.times))
    assert list(histograms) == list(run.histograms)
    assert Key("bookers", SessionClock.SESSION_DURATION, ok=True) in histograms


def facts(group_name: str | None, operation: str | None) -> OperationFacts:
    return OperationFacts(
        group=group_name,
        operation=operation,
        outcomes={},
        bytes_sent=None,
        bytes_received=None,
        clocks={},
    )


def test_parts_of_a_record_of_before_and_of_one_group() -> None:
    old = {"echo": facts(None, None)}
    assert by_group(old, ()) == over_groups(old) == {}
    flat = {"book": facts("a", "book"), "book.409": facts("a", "book")}
    assert by_group(flat, ("a",)) == {"a": Part(frozenset(flat), frozenset("a"))}
    assert over_groups(flat) == {}
    several = flat | {"b.book": facts("b", "book"), "b.list": facts("b", "list")}
    assert over_groups(several) == {"book": Part(frozenset({"book", "book.409", "b.book"}))}


def test_users_of_a_group_are_those_of_it_alone() -> None:
    columns = UserColumns(
        from_ns=5,
        every=1,
        groups=("a", "b"),
        group=(0, 0, 1, 1),
        user=(0, 1, 0, 1),
        first_ns=(0, 9, 0, 0),
        answers=(1, 1, 1, 1),
        mean_ns=(1, 1, 1, 1),
        max_ns=(1, 1, 1, 1),
        log2_mean=(0, 0, 0, 0),
        log2_variance=(0, 0, 0, 0),
    )
    assert columns.there_throughout(2, "a").tolist() == [0]
    assert columns.there_throughout(1, "b").tolist() == [2]
    assert columns.there_throughout(2, "c").size == 0
    assert columns.there_throughout(2).tolist() == [0, 2, 3]


def test_the_schema_of_a_record_says_nothing_that_is_new_must_be_there() -> None:
    required = set(RunRecord.model_json_schema()["required"])
    assert not required & set(NEW_OF_RECORD)
