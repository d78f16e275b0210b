import socket
from collections.abc import Callable

import pytest

from loadstone.contract.declare import check
from loadstone.contract.expect import expect_equal
from loadstone.contract.model import Contract, ContractCheck
from loadstone.contract.run import run_checks
from loadstone.contract.subject import Subject
from loadstone.contract.upstream import RecordingUpstream
from loadstone.errors import InputError, Interrupted


@check("A-1", "it echoes", quick=True)
def echoes(subject: Subject) -> None:
    expect_equal(subject.ask("/", body=b"a").body, b"a", "the body")


@check("A-2", "it sends one request", needs_upstream=True)
def sends_one(subject: Subject) -> None:
    subject.ask("/", body=b"a")
    subject.upstream.only_exchange()


@check("A-3", "it answers b")
def answers_b(subject: Subject) -> None:
    expect_equal(subject.ask("/", body=b"a").body, b"b", "the body")


@check("A-4", "it breaks")
def breaks(subject: Subject) -> None:
    raise KeyError(subject.address[0])


@check("A-5", "it is interrupted")
def is_interrupted(subject: Subject) -> None:
    raise Interrupted("stopped by SIGINT")


def states(
    checks: tuple[ContractCheck, ...],
    url: str,
    upstream: RecordingUpstream | None,
    *,
    quick_only: bool = False,
    budget_seconds: float | None = None,
    check_seconds: float = 5.0,
) -> list[tuple[str, str, str]]:
    results = run_checks(
        Contract(checks, ()),
        url,
        upstream,
        quick_only=quick_only,
        budget_seconds=budget_seconds,
        check_seconds=check_seconds,
    )
    return [(result.clause, result.state, result.message) for result in results]


# The recording upstream stands for the service under test here: it is its own upstream.


def test_a_check_passes_fails_or_breaks_and_the_others_go_on(upstream: RecordingUpstream) -> None:
    assert states((breaks, answers_b, sends_one, echoes), upstream.url, upstream) == [
        ("A-4", "failed", "KeyError: '127.0.0.1'"),
        ("A-3", "failed", "the body is b'a', not b'b'"),
        ("A-2", "passed", ""),
        ("A-1", "passed", ""),
    ]


def test_each_check_begins_with_an_empty_record(upstream: RecordingUpstream) -> None:
    assert [state for _, state, _ in states((sends_one, sends_one), upstream.url, upstream)] == [
        "passed",
        "passed",
    ]


def test_without_the_recording_upstream_what_needs_it_is_skipped(
    upstream: RecordingUpstream,
) -> None:
    assert states((echoes, sends_one), upstream.url, None) == [
        ("A-1", "passed", ""),
        ("A-2", "skipped", "it needs the recording upstream"),
    ]


def test_quick_leaves_the_others_out(upstream: RecordingUpstream) -> None:
    checks = (breaks, echoes, sends_one)
    assert states(checks, upstream.url, None, quick_only=True) == [("A-1", "passed", "")]


def test_a_service_that_hangs_fails_its_check_and_spends_the_budget() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        first, second = states((echoes, echoes), url, None, budget_seconds=0.2)
    assert first[1] == "failed"
    assert first[2].startswith("TimeoutError: ")
    assert second == ("A-1", "skipped", "0.2 s were spent before it")


def test_a_service_that_is_not_there_fails_every_check(upstream: RecordingUpstream) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    results = states((echoes, sends_one), url, upstream)
    assert [state for _, state, _ in results] == ["failed", "failed"]
    assert all(message.startswith("ConnectionRefusedError: ") for _, _, message in results)


def test_a_base_url_that_cannot_be_one_is_refused() -> None:
    for url in ("127.0.0.1:80", "https://127.0.0.1:80", "http://127.0.0.1"):
        with pytest.raises(InputError, match="a base URL is like"):
            states((echoes,), url, None)


def test_a_check_that_uses_an_undeclared_upstream_says_so(upstream: RecordingUpstream) -> None:
    undeclared: Callable[[Subject], None] = sends_one.function
    wrong = check("A-5", "it forgot")(undeclared)
    [(_, state, message)] = states((wrong,), upstream.url, None)
    assert (state, message) == (
        "failed",
        "RuntimeError: the check uses the upstream, but is not declared to need it",
    )


def test_a_signal_in_a_check_is_not_taken_for_a_failure_of_the_service() -> None:
    with pytest.raises(Interrupted):
        states((is_interrupted,), "http://127.0.0.1:1", None)
