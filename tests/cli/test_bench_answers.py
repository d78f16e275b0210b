"""`loadstone bench`: what an answer must be, answers that differ, and users who wait longer."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from lab import Lab
from servers import Counting, Mixed, Unequal, http_server

from corpus.live_gateways import backend

RATE = ("--rate", "100", "--duration", "2s")


def codes(shown: str) -> set[str]:
    return {line.split()[1] for line in shown.splitlines() if line.endswith("  bench")}


def test_a_few_answers_that_differ_are_told_and_the_load_stands(lab: Lab) -> None:
    Mixed.count = 0
    with http_server(Mixed) as url:
        ended = lab.run("bench", f"{url}/", *RATE)
    assert "answers-differ" in codes(ended.stdout)
    shown = " ".join(ended.stdout.split())
    assert "4 of 200 answers to get, 2.00 %, had another body" in shown
    assert "usual one of 5 bytes, 4 of them as long" in shown


def test_an_operation_whose_answers_vary_is_not_accused_and_need_not_be_compared(lab: Lab) -> None:
    with http_server(Counting) as url:
        compared = lab.run("bench", f"{url}/", *RATE).stdout
        left_alone = lab.run("bench", f"{url}/", *RATE, "--varying-answers").stdout
    assert "answers-vary" in codes(compared)
    assert "answers-differ" not in codes(compared)
    assert not {"answers-vary", "answers-differ"} & codes(left_alone)


def test_answers_that_are_not_as_expected_fail_by_their_kind(lab: Lab) -> None:
    Mixed.count = 0
    with http_server(Mixed) as url:
        words = ("bench", f"{url}/", *RATE, "--json")
        of_body = json.loads(lab.run(*words, "--expect-body", "hello").stdout)
        of_status = json.loads(lab.run(*words, "--expect", "201").stdout)
    assert (of_body["outcomes"]["ok"], of_body["outcomes"]["check"]) == (196, 4)
    assert of_body["load"]["error_samples"] == {"check": ["the body lacks the expected text"]}
    assert of_status["outcomes"]["status"] == 200


def test_values_of_json_are_named_by_pointers(lab: Lab) -> None:
    Counting.count = 0
    with http_server(Counting) as url:
        words = ("bench", f"{url}/", *RATE, "--json", "--expect-json", "/items/0/id=7")
        right = lab.run(*words)
        wrong = lab.run(*words, "--expect-json", "/count=-1")
    assert json.loads(right.stdout)["outcomes"]["ok"] == 200
    record = json.loads(wrong.stdout)
    assert wrong.code == 1
    assert record["outcomes"]["check"] == 200
    assert record["load"]["error_samples"] == {"check": ['the body\'s "/count" is not -1']}


@pytest.mark.parametrize("text", ["items=7", "/items", "/a~2=1"])
def test_what_is_no_pointer_with_a_value_is_refused(lab: Lab, text: str) -> None:
    ended = lab.run("bench", "http://127.0.0.1:9/", "--expect-json", text)
    assert ended.code == 2
    assert f"--expect-json {text!r} is not PATH=VALUE" in ended.stderr


def test_a_user_who_is_served_slowly_is_told(lab: Lab) -> None:
    Unequal.connections = 0
    with http_server(Unequal) as url:
        ended = lab.run("bench", f"{url}/", "--users", "10", "--duration", "2s", "--json")
        Unequal.connections = 0
        shown = lab.run("bench", f"{url}/", "--users", "10", "--duration", "2s").stdout
    by_user = json.loads(ended.stdout)["load"]["by_user"]
    assert by_user["users"] == by_user["answered"] == 10
    assert "unequal-users" in codes(shown)
    assert "1 of 10 users was served more than 2 times slower" in " ".join(shown.split())


@contextmanager
def spinning(cpu: int) -> Iterator[None]:
    """A program on a CPU that never waits."""
    program = subprocess.Popen(
        [sys.executable, "-c", "while True: pass"],
        preexec_fn=lambda: os.sched_setaffinity(0, {cpu}),
    )
    try:
        yield
    finally:
        program.kill()
        program.wait()


def test_what_the_engine_waits_for_a_cpu_stands_in_the_record(lab: Lab) -> None:
    if not Path("/proc/self/schedstat").exists():
        pytest.skip("this kernel does not count waits")
    cpu = min(os.sched_getaffinity(0))
    # A backend that is as fast as the engine keeps it busy: whoever sleeps between answers may
    # come before the other program each time.
    with backend() as url, spinning(cpu):
        words = ("--users", "5", "--duration", "2s", "--cpus", str(cpu), "--json")
        ended = lab.run("bench", f"{url}/", *words)
    (worker,) = json.loads(ended.stdout)["load"]["engine"]["workers"]
    assert worker["waits"]["long_waits"] > 0
    assert worker["waits"]["waited_ns"] >= worker["waits"]["long_waited_ns"] >= 10**6
