"""`loadstone bench` with ramps, pauses, stop rules and a row for every request."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from lab import Ended, Lab
from servers import Broken, Hello, accepting, http_server, node_server

from loadstone.cli import bench_words
from loadstone.results.requests import read_requests

SECOND_NS = 10**9


def record_of(ended: Ended) -> dict[str, Any]:
    assert ended.stdout, ended.stderr
    record: dict[str, Any] = json.loads(ended.stdout)
    return record


def test_stages_of_a_rate_start_what_their_line_holds(lab: Lab) -> None:
    """From 0 to 200 a second in 2 s, then 1 s of 100: 200 + 100 sessions."""
    with http_server(Hello) as url:
        words = ("--rate", "100", "--stages", "0..200/2s,100..100/1s", "--json")
        record = record_of(lab.run("bench", f"{url}/", *words))
    assert sum(record["outcomes"].values()) == pytest.approx(300, abs=1)
    assert record["load"]["load_ns"] == 3_000_000_000
    assert record["load"]["rate_per_second"] == 200


def test_users_come_one_after_another(lab: Lab) -> None:
    with http_server(Hello) as url:
        words = ("--stages", "1..6/2s", "--think", "uniform:10ms..20ms", "--json")
        record = record_of(lab.run("bench", f"{url}/", *words))
    assert record["load"]["users"] == 6
    assert record["load"]["stop"]["users"] in (5, 6)
    assert record["think"] == {"uniform_ns": [10_000_000, 20_000_000]}


def test_poisson_arrivals_are_neither_even_nor_different_the_next_time(
    lab: Lab, tmp_path: Path
) -> None:
    kept = [tmp_path / "first.bin", tmp_path / "second.bin"]
    with http_server(Hello) as url:
        for path in kept:
            words = ("--rate", "200", "--poisson", "--duration", "1s", "--requests", str(path))
            assert lab.run("bench", f"{url}/", *words).code != 2  # it may withhold a figure
    first, second = (read_requests(path).sort("sequence")["intended_ns"] for path in kept)
    assert first.equals(second)
    assert first.diff().n_unique() > 100


def test_every_request_is_kept_as_a_row(lab: Lab, tmp_path: Path) -> None:
    path = tmp_path / "kept.bin"
    with http_server(Broken) as url:
        words = ("--rate", "90", "--duration", "1s", "--requests", str(path), "--json")
        record = record_of(lab.run("bench", f"{url}/", *words))
    rows = read_requests(path)
    counts = dict(rows.group_by("outcome").len().iter_rows())
    assert counts == {name: count for name, count in record["outcomes"].items() if count}
    assert rows["operation"].unique().to_list() == ["get"]
    assert set(rows["status"]) == {200, 500}
    ordered = (
        (pl.col("intended_ns") <= pl.col("written_ns"))
        & (pl.col("written_ns") <= pl.col("first_byte_ns"))
        & (pl.col("first_byte_ns") <= pl.col("done_ns"))
    )
    assert rows.select(ordered.all()).item()


def test_a_stop_rule_ends_the_load_and_is_told_with_the_users(lab: Lab) -> None:
    with http_server(Broken) as url:
        words = ("--users", "3", "--duration", "30s", "--stop-on", "failed-check")
        stopped = record_of(lab.run("bench", f"{url}/", *words, "--json"))
        shown = lab.run("bench", f"{url}/", *words)
    assert stopped["load"]["stop"]["reason"] == "first_failed_check"
    assert stopped["load"]["stop"]["users"] == 3
    assert stopped["load"]["load_ns"] < 30_000_000_000
    assert "stop-rule" in shown.stdout
    assert "at 3 users: an answer was not the expected one" in shown.stdout
    assert shown.code == 1


def test_a_timeout_stops_the_load_where_it_shall(lab: Lab) -> None:
    with accepting(lambda _: None) as url:
        words = ("--users", "1", "--timeout", "200ms", "--duration", "30s", "--stop-on", "timeout")
        record = record_of(lab.run("bench", f"{url}/", *words, "--json"))
    assert record["load"]["stop"]["reason"] == "first_timeout"
    assert record["outcomes"]["timeout"] >= 1


def test_a_connection_for_every_request(lab: Lab) -> None:
    with http_server(Hello) as url:
        words = ("--rate", "40", "--duration", "1s", "--new-connections", "--json")
        record = record_of(lab.run("bench", f"{url}/", *words))
    assert record["load"]["connections"]["opened"] == record["outcomes"]["ok"] == 40
    assert record["load"]["connections"]["connect"]["ok"]["count"] == 40


def test_requests_are_pipelined_on_one_connection(lab: Lab) -> None:
    with http_server(Hello) as url:
        words = ("--users", "1", "--streams", "4", "--duration", "1s", "--json")
        record = record_of(lab.run("bench", f"{url}/", *words))
    assert record["load"]["connections"]["opened"] == 1
    assert record["outcomes"]["ok"] == sum(record["outcomes"].values()) > 4


def test_redirects_are_followed_where_asked_to(lab: Lab) -> None:
    words = ("--rate", "10", "--duration", "1s", "--json")
    with node_server("h2c") as url:
        stays = record_of(lab.run("bench", f"{url}/moved", "--http", "2", *words))
        goes = record_of(
            lab.run("bench", f"{url}/moved", "--http", "2", "--redirects", "1", *words)
        )
    assert stays["outcomes"]["status"] == 10
    assert (goes["outcomes"]["ok"], goes["load"]["redirects"]) == (10, 10)


def test_without_a_word_about_time_it_warms_up_and_then_measures(lab: Lab) -> None:
    """For 30 s at most; here for 3 s, in which no level can be seen."""
    assert bench_words.STEADY_WITHIN_NS == 30 * SECOND_NS
    sooner = "from loadstone.cli import bench_words; bench_words.STEADY_WITHIN_NS = 3 * 10**9"
    with http_server(Hello) as url:
        words = ("bench", f"{url}/", "--users", "2", "--window", "1s", "--json")
        window = record_of(lab.run(*words, changed=sooner))["window"]
    assert window == {
        "start_ns": 3 * SECOND_NS,
        "end_ns": 4 * SECOND_NS,
        "warm_up": "steady",
        "steady_by": "cap",
        "late_look_ns": 0,
    }


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--duration", "5s", "--window", "5s"), "--duration and --window exclude each other"),
        (("--duration", "5s", "--warm-up", "steady"), "--warm-up steady lasts as long as it must"),
        (("--duration", "5s", "--warm-up", "5s"), "--warm-up 5s leaves nothing to measure of 5 s"),
        (("--stages", "5/5s", "--warm-up", "steady"), "needs users or a rate that do not change"),
        (("--warm-up", "hot"), "--warm-up 'hot' is not a duration"),
        (("--window", "1500ms"), "--window must be whole seconds, not 1500ms"),
    ],
)
def test_times_that_cannot_be_are_refused(lab: Lab, words: tuple[str, ...], told: str) -> None:
    ended = lab.run("bench", "http://127.0.0.1:1/", *words)
    assert ended.code == 2
    assert told in " ".join(ended.stderr.split())


def test_a_set_warm_up_is_left_out_of_the_window(lab: Lab) -> None:
    with http_server(Hello) as url:
        words = ("--users", "2", "--warm-up", "1s", "--window", "1s", "--json")
        window = record_of(lab.run("bench", f"{url}/", *words))["window"]
    assert (window["start_ns"], window["end_ns"]) == (SECOND_NS, 2 * SECOND_NS)
    assert window["warm_up"] == "fixed"
