"""`loadstone bench URL` against real servers: what it counts, prints, refuses and exits with."""

import json
import os
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from hdrh.log import HistogramLogReader
from lab import Lab
from servers import ROOT, Broken, Hello, accepting, http_server


def record_of(stdout: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(stdout)
    totals = record["outcomes"]
    by_operation = [each["outcomes"] for each in record["operations"].values()]
    assert totals == {name: sum(each[name] for each in by_operation) for name in totals}
    return record


@pytest.mark.alone
def test_users_get_a_result_with_distribution_outcomes_and_the_generators_own_cost(
    lab: Lab,
) -> None:
    with http_server(Hello) as url:
        ended = lab.run("bench", f"{url}/", "--users", "5", "--duration", "1s")
    assert ended.code == 0, ended.stderr
    for word in (
        *("requests", "throughput", "p99", "response time", "service time", "first byte"),
        *("spoken        HTTP/1.1 · cleartext", "connect", "lag", "engine", "generator"),
    ):
        assert word in ended.stdout
    assert "0 failed" in ended.stdout


def test_the_process_behind_the_url_is_found_and_measured(lab: Lab) -> None:
    with http_server(Hello) as url:
        words = ("bench", f"{url}/", "--users", "5", "--duration", "1s")
        record, shown = record_of(lab.run(*words, "--json").stdout), lab.run(*words).stdout
    (service,) = (each for each in record["processes"] if each["role"] == "service")
    assert service["pid"] == os.getpid()  # the server is a thread of this test
    assert record["address"] == {"url": f"{url}/", "not_found": None, "not_started": []}
    assert record["resources"]["service"]["cpu_ns"] > 0
    assert set(record["resources"]) == {"service", "engine", "probe"}
    assert record["machine"]["clock_jump_ns"] is not None
    assert all(each["idle_share"] is not None for each in record["cpus"])
    assert re.search(r"^service +CPU .* % of one · .* CPU per ok · memory .*MiB$", shown, re.M)
    assert f"process {os.getpid()}: " in shown


def test_what_an_answer_costs_is_of_the_window_alone(lab: Lab) -> None:
    """CPU time and answers: a warm-up of four fifths would show in either."""
    with http_server(Hello) as url:
        words = ("--rate", "200", "--duration", "5s", "--warm-up", "4s")
        shown = lab.run("bench", f"{url}/", *words).stdout
    found = re.search(r"CPU ([\d.]+) % of one · ([\d.]+) (µs|ms) CPU per ok", shown)
    assert found
    cost_ns = float(found[2]) * {"µs": 1e3, "ms": 1e6}[found[3]]
    assert float(found[1]) / 100 == pytest.approx(200 * cost_ns / 1e9, rel=0.1)


def test_a_rate_offers_what_it_says(lab: Lab) -> None:
    with http_server(Hello) as url:
        ended = lab.run("bench", f"{url}/", "--rate", "100", "--duration", "2s", "--json")
    record = record_of(ended.stdout)
    assert record["outcomes"]["ok"] == sum(record["outcomes"].values()) == 200
    assert record["load"]["arrivals"] == "rate"


def test_a_body_is_posted_with_its_header(lab: Lab, tmp_path: Path) -> None:
    (tmp_path / "body.json").write_text('{"a": 1}')
    with http_server(Hello) as url:
        ended = lab.run(
            *("bench", f"{url}/x?y=1", "--users", "1", "--duration", "1s", "--json"),
            *("--body", f"@{tmp_path / 'body.json'}", "--header", "content-type: application/json"),
        )
    record = record_of(ended.stdout)
    assert list(record["operations"]) == ["post"]
    assert record["outcomes"]["ok"] == sum(record["outcomes"].values()) > 0


def test_failures_beyond_the_allowed_number_are_exit_code_1(lab: Lab) -> None:
    with http_server(Broken) as url:
        words = ("bench", f"{url}/", "--rate", "30", "--duration", "1s")
        ended = lab.run(*words, "--json")
        assert ended.code == 1
        assert record_of(ended.stdout)["outcomes"]["status"] == 10
        shown = lab.run(*words)
    assert "status" in shown.stdout
    assert "failures" in shown.stdout


def test_a_server_that_never_answers_loses_no_request(lab: Lab) -> None:
    with accepting(lambda _: None) as url:
        ended = lab.run(
            *("bench", f"{url}/", "--rate", "50", "--connections", "5", "--duration", "1s"),
            *("--timeout", "500ms", "--json"),
        )
    outcomes = record_of(ended.stdout)["outcomes"]
    assert sum(outcomes.values()) == 50
    assert outcomes["ok"] == 0
    assert outcomes["timeout"] > 0
    assert ended.code == 1


def test_the_histogram_log_is_kept_and_readable(lab: Lab, tmp_path: Path) -> None:
    log = tmp_path / "kept.hlog"
    with http_server(Hello) as url:
        ended = lab.run(
            *("bench", f"{url}/", "--rate", "50", "--duration", "1s", "--hlog", str(log), "--json")
        )
    from hdrh.histogram import HdrHistogram

    reader = HistogramLogReader(str(log), HdrHistogram(1, 3_600_000_000_000, 3))
    counts: dict[str, int] = {}
    while (histogram := reader.get_next_interval_histogram()) is not None:
        tag = histogram.get_tag()
        counts[tag] = counts.get(tag, 0) + histogram.get_total_count()
    reader.close()
    assert counts["get/response_time/ok"] == record_of(ended.stdout)["outcomes"]["ok"] == 50


def test_a_target_that_is_not_loopback_is_refused_before_a_packet(lab: Lab) -> None:
    ended = lab.run("bench", "http://192.0.2.1:9/", "--duration", "1s")
    assert ended.code == 2
    assert "not loopback" in ended.stderr
    assert "--allow-target 192.0.2.1" in re.sub(r"\s+", " ", ended.stderr)


def test_nothing_listening_is_an_error_and_not_a_measurement(lab: Lab) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    ended = lab.run("bench", f"http://127.0.0.1:{port}/", "--duration", "1s")
    assert ended.code == 2
    assert "nothing listens" in ended.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ftp://127.0.0.1/",), "is not an http:// or https:// URL"),
        (("http://127.0.0.1:99999/",), "wrong port"),
        (("http://user:secret@127.0.0.1/",), "credentials in a URL"),
        (("http://127.0.0.1/", "--users", "1", "--rate", "1"), "exclude each other"),
        (("http://127.0.0.1/", "--duration", "-3s"), "-3s"),
        (("http://127.0.0.1/", "--duration", "1500ms"), "whole seconds"),
        (("http://127.0.0.1/", "--poisson"), "--poisson is for a rate"),
        (("http://127.0.0.1/", "--stages", "10"), "--stages '10' is not a stage"),
        (("http://127.0.0.1/", "--stages", "2.5/1s"), "users are whole numbers"),
        (("http://127.0.0.1/", "--stages", "5/1500ms"), "not whole seconds"),
        (("http://127.0.0.1/", "--stages", "5/9s", "--duration", "3s"), "longer than --duration"),
        (("http://127.0.0.1/", "--think", "long"), "--think 'long' is not a duration"),
        (("http://127.0.0.1/", "--stop-on", "never"), "--stop-on 'never' is not a stop rule"),
        (("http://127.0.0.1/", "--http", "3"), "'1.1', '2'"),
        (("http://127.0.0.1/", "--event-loop", "kqueue"), "'io_uring', 'epoll'"),
        (("http://127.0.0.1/", "--insecure"), "--insecure is for TLS"),
        (("http://127.0.0.1/", "--ca", str(ROOT)), "--ca is for TLS"),
        (("http://127.0.0.1/", "--resume", "50%"), "--resume is for TLS"),
        (("https://127.0.0.1/", "--resume", "0.5"), "no percent sign"),
        (("https://127.0.0.1/", "--insecure", "--ca", str(ROOT)), "exclude each other"),
        (("https://127.0.0.1/", "--ca", "absent"), "cannot be the certificates"),
        (("https://127.0.0.1/", "--ca", __file__), "holds no certificate"),
        (("http://127.0.0.1/", "--streams", "2", "--new-connections"), "exclude each other"),
        (("http://127.0.0.1/", "--header", "nonsense"), "is not a header"),
        (("http://127.0.0.1/", "--cpus", "0,4095"), "there is no CPU 4095"),
        (("http://127.0.0.1/", "--body", "@absent"), "cannot be the body"),
        (("http://127.0.0.1/", "--users", "0"), "--users"),
    ],
)
def test_wrong_words_are_exit_code_2_and_say_what_is_wrong(
    lab: Lab, words: tuple[str, ...], message: str
) -> None:
    ended = lab.run("bench", *words)
    assert ended.code == 2
    assert message in re.sub(r"\s+", " ", ended.stderr)
    assert ended.stdout == ""
