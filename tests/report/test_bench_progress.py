"""The line that shows a load while it goes on."""

from typing import Any

from loadstone.report.terminal.load_progress import progress_line

EVENT: dict[str, Any] = {
    "elapsed_ns": 12_000_000_000,
    "users": 1_200,
    "throughput": 12_345.6,
    "response_time_p99_ns": 4_830_000,
    "offered": 150_000,
    "in_flight": 1_190,
    "outcomes": {"ok": 148_800},
    "cpu_share": 0.234,
    "limited_by": [],
}


def test_users_throughput_p99_failures_and_cpu_are_shown() -> None:
    assert progress_line(EVENT) == (
        "12 s: 1,200 users, 12,346 ok/s, p99 4.83 ms, 10 failed, engine 23% CPU"
    )


def test_what_limits_the_engine_is_shown_while_it_does() -> None:
    line = progress_line({**EVENT, "limited_by": ["cpu", "steal"]})
    assert line.endswith("engine 23% CPU, limited by the engine: cpu, steal")


def test_a_rate_without_an_answer_yet_shows_neither_users_nor_p99() -> None:
    line = progress_line({**EVENT, "users": None, "response_time_p99_ns": None})
    assert line == "12 s: 12,346 ok/s, 10 failed, engine 23% CPU"
