"""`loadstone bench` of a service whose users wait while it is idle: half of them tell for what."""

import json
import re
import signal

from lab import Lab, wait_for_line

from corpus.live import running

QUIET = """
from loadstone.audit.engine import unexplained_wait
unexplained_wait.limit_of = lambda run: unexplained_wait.NOTHING
"""
"""Whatever else this machine does meanwhile, it is not what the users wait for."""
USERS = ("--users", "20", "--duration", "2s")
SAID = "a second step of 5 s with 10 users: "


def test_a_lock_keeps_the_throughput_of_half_the_users(lab: Lab) -> None:
    with running("takes_turns", 5) as url:
        ended = lab.run("bench", f"{url}/", *USERS, changed=QUIET)
    assert ended.code == 0, ended.stderr
    assert SAID in ended.told
    assert re.search(
        r"^second step +10 users for 5.00 s · .*/s · response time ", ended.stdout, re.M
    )
    shown = re.sub(r"\s+", " ", ended.stdout)
    assert "waits-not-on-cpu" in shown
    assert "throughput stayed, so that requests are taken one at a time" in shown


def test_a_pause_keeps_their_response_time(lab: Lab) -> None:
    with running("waits", 50) as url:
        ended = lab.run("bench", f"{url}/", *USERS, "--json", changed=QUIET)
        shown = lab.run("bench", f"{url}/", *USERS, changed=QUIET).stdout
    record = json.loads(ended.stdout)
    assert SAID in ended.told
    assert record["load"]["users"] == 20
    assert record["load"]["load_ns"] == 2 * 10**9  # the record is that of the first step
    assert record["second_step"]["users"] == 10
    assert record["second_step"]["length_ns"] == 5 * 10**9
    assert "each request waits for itself" in re.sub(r"\s+", " ", shown)


def test_a_rate_and_users_that_pause_have_no_second_step(lab: Lab) -> None:
    with running("waits", 50) as url:
        for words in (
            ("--rate", "100", "--duration", "1s"),
            ("--users", "20", "--think", "10ms", "--duration", "1s"),
            ("--users", "3", "--duration", "1s"),
        ):
            ended = lab.run("bench", f"{url}/", *words, "--json", changed=QUIET)
            assert ended.stdout, ended.stderr
            assert json.loads(ended.stdout)["second_step"] is None
            assert "second step" not in ended.stderr


def test_a_signal_in_it_shows_the_load_before_it_and_leaves_nothing(lab: Lab) -> None:
    with running("waits", 50) as url:
        command = lab.start("bench", f"{url}/", *USERS, changed=QUIET)
        wait_for_line(command, SAID)
        command.send_signal(signal.SIGINT)
        ended = lab.end(command)
    assert ended.code == 2
    assert "stopped by SIGINT" in ended.stderr
    assert re.search(r"^throughput +", ended.stdout, re.M)
    assert "second step" not in ended.stdout.partition("findings")[0]
    assert lab.left_behind() == []
