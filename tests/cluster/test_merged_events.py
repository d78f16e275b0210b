"""The lines of several engines as those of one."""

from typing import Any

from loadstone.cluster.engines.merged_events import MergedEvents, merged_progress

SECOND_NS = 10**9


def line(second: int, **changes: Any) -> dict[str, Any]:
    return {
        "event": "progress",
        "elapsed_ns": second * SECOND_NS,
        "offered": 10 * second,
        "outcomes": {"ok": 9 * second, "status": second},
        "throughput": 9.0,
        "response_time_p50_ns": 5,
        "response_time_p99_ns": 50,
        "lag_p99_ns": None,
        "in_flight": 1,
        "connections": 2,
        "users": 3,
        "cpu_share": 0.25,
        "waited_share": None,
        "limited_by": [],
    } | changes


def test_counts_are_added_and_of_percentiles_the_highest_is_told() -> None:
    slow = line(1, response_time_p50_ns=7, response_time_p99_ns=90, limited_by=["cpu"], users=4)
    merged = merged_progress([line(1), slow])
    assert (merged["offered"], merged["outcomes"]) == (20, {"ok": 18, "status": 2})
    assert (merged["throughput"], merged["cpu_share"], merged["users"]) == (18.0, 0.5, 7)
    assert (merged["response_time_p99_ns"], merged["lag_p99_ns"]) == (90, None)
    assert (merged["limited_by"], merged["waited_share"]) == (["cpu"], None)


def test_an_interval_is_told_once_every_engine_has_told_it() -> None:
    events = MergedEvents(("a", "b"))
    events.add("a", {"event": "started", "started_unix_ns": 5})
    events.add("a", line(1))
    events.add("a", line(2))
    assert events.take() == []
    events.add("b", {"event": "started", "started_unix_ns": 8})
    events.add("b", line(1))
    assert [each["event"] for each in events.take()] == ["started", "progress"]
    assert events.elapsed_ns == SECOND_NS
    events.leave("b")
    (last,) = events.take()
    assert (last["elapsed_ns"], last["offered"]) == (2 * SECOND_NS, 20)


def test_a_load_began_and_its_window_begins_when_those_of_the_last_engine_do() -> None:
    events = MergedEvents(("a", "b"))
    for machine, started, window in (("b", 8, 3), ("a", 5, 3)):
        events.add(machine, {"event": "started", "started_unix_ns": started})
        events.add(machine, {"event": "window", "start_ns": window})
    assert events.take() == [
        {"event": "started", "started_unix_ns": 8},
        {"event": "window", "start_ns": 3},
    ]


def test_what_an_engine_complains_of_is_passed_on() -> None:
    events = MergedEvents(("a", "b"))
    events.add("a", {"event": "error", "error": "no command"})
    assert events.take() == [{"event": "error", "error": "no command"}]
