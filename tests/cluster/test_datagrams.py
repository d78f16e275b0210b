"""The time of another machine by datagrams: who knows the key is told it, and nobody else."""

import secrets
import socket

import pytest

from loadstone.cluster.engines import datagrams
from loadstone.cluster.engines.datagrams import KEY_BYTES, telling_time, time_there
from loadstone.errors import StepFailed

KEY = secrets.token_bytes(KEY_BYTES)
HERE = "127.0.0.1"


def test_the_clock_of_this_machine_is_that_of_this_machine() -> None:
    with telling_time(HERE, KEY) as port:
        offset = time_there(HERE, port, KEY)
    assert abs(offset.offset_ns) <= offset.bound_ns
    assert offset.bound_ns < 5_000_000
    assert offset.round_trip_ns >= 2 * offset.bound_ns - 1


def test_who_does_not_know_the_key_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datagrams, "ANSWER_SECONDS", 0.01)
    with telling_time(HERE, KEY) as port:
        with pytest.raises(StepFailed, match="let UDP through between the machines of a site"):
            time_there(HERE, port, secrets.token_bytes(KEY_BYTES))
        assert time_there(HERE, port, KEY).bound_ns > 0


@pytest.mark.parametrize("junk", [b"", b"x" * 24, b"x" * 500])
def test_junk_is_not_answered_and_hinders_nobody(junk: bytes) -> None:
    with telling_time(HERE, KEY) as port, socket.socket(type=socket.SOCK_DGRAM) as stranger:
        stranger.settimeout(0.1)
        stranger.sendto(junk, (HERE, port))
        with pytest.raises(TimeoutError):
            stranger.recv(64)
        assert time_there(HERE, port, KEY).bound_ns > 0


def test_an_answer_is_shorter_than_its_question() -> None:
    with telling_time(HERE, KEY) as port, socket.socket(type=socket.SOCK_DGRAM) as asker:
        question = KEY + (7).to_bytes(8, "big")
        asker.settimeout(5)
        asker.sendto(question, (HERE, port))
        answer = asker.recv(64)
    assert len(answer) < len(question)
    assert int.from_bytes(answer[:8], "big") == 7


def test_some_lost_answers_are_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datagrams, "ANSWER_SECONDS", 0.02)
    real, lost = socket.socket.recv, iter([True, False, True])

    class Lossy(socket.socket):
        def recv(self, *arguments: int) -> bytes:
            received = real(self, *arguments)
            if next(lost, False):
                raise TimeoutError
            return received

    with telling_time(HERE, KEY) as port:
        monkeypatch.setattr(datagrams.socket, "socket", Lossy)
        offset = time_there(HERE, port, KEY)
    assert abs(offset.offset_ns) <= offset.bound_ns


def test_a_machine_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datagrams, "ANSWER_SECONDS", 0.01)
    with pytest.raises(StepFailed, match=r"127\.0\.0\.1 was asked for its time by UDP at port 9"):
        time_there(HERE, 9, KEY)
