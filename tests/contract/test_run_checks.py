import socket
import ssl
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from loadstone.contract.connect import connect
from loadstone.contract.declare import check
from loadstone.contract.exchange import Exchange, Reply
from loadstone.contract.expect import expect_equal
from loadstone.contract.faults import ServiceFault
from loadstone.contract.http2_client import Http2Fault
from loadstone.contract.model import CheckResult, Contract, ContractCheck
from loadstone.contract.run import refuse_broken_checks, run_checks
from loadstone.contract.subject import Subject
from loadstone.contract.upstream import RecordingUpstream
from loadstone.contract.wire import BrokenMessage
from loadstone.errors import InputError, Interrupted, LoadstoneError, StepFailed
from loadstone.study.values.model import Protocol

HERE = Path(__file__).relative_to(Path.cwd())
"""As it is shown: below the working directory."""


def line_of(text: str) -> int:
    """The number of the only line of this file that begins with a text."""
    lines = Path(__file__).read_text().splitlines()
    (number,) = (at for at, line in enumerate(lines, 1) if line.strip().startswith(text))
    return number


@check("A-1", "it echoes", quick=True)
def echoes(subject: Subject) -> None:
    expect_equal(subject.ask("/", body=b"a").body, b"a", "the body")


@check("A-2", "it sends one request", needs_upstream=True)
def sends_one(subject: Subject) -> None:
    subject.ask("/", body=b"a")
    subject.upstream.only_exchange()


def sends(subject: Subject) -> None:
    subject.ask("/")


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
        (
            "A-4",
            "error",
            f"error in the check {HERE}:{line_of('raise KeyError')}: KeyError: '127.0.0.1'",
        ),
        ("A-3", "failed", "the body is b'a', not b'b'"),
        ("A-2", "passed", ""),
        ("A-1", "passed", ""),
    ]


def raising(error: Exception) -> ContractCheck:
    def raises(subject: Subject) -> None:
        raise error

    return check("A-1", "it raises")(raises)


@pytest.mark.parametrize(
    "error",
    [
        *(KeyError("a"), TypeError("a"), ZeroDivisionError(), AttributeError("a"), StopIteration()),
        *(ValueError("a"), RuntimeError("a"), FileNotFoundError(2, "a"), PermissionError(13, "a")),
        OSError(24, "Too many open files"),
        LoadstoneError("a"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_a_check_does_wrong_is_its_error(
    error: Exception, upstream: RecordingUpstream
) -> None:
    [(_, state, message)] = states((raising(error),), upstream.url, None)
    assert state == "error"
    assert message.startswith(f"error in the check {HERE}:{line_of('raise error')}: ")


@pytest.mark.parametrize(
    "error",
    [
        *(
            ConnectionRefusedError(111, "a"),
            ConnectionResetError(104, "a"),
            BrokenPipeError(32, "a"),
        ),
        *(ConnectionAbortedError("a"), TimeoutError("a"), OSError(113, "No route to host")),
        *(ssl.SSLError(1, "a"), ssl.SSLCertVerificationError(1, "a"), socket.gaierror(-2, "a")),
        *(BrokenMessage("a"), Http2Fault("a"), ServiceFault("a")),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_the_service_does_wrong_is_a_failure(
    error: Exception, upstream: RecordingUpstream
) -> None:
    assert states((raising(error),), upstream.url, None) == [
        ("A-1", "failed", f"{type(error).__name__}: {error}")
    ]


def test_a_check_in_error_is_named_by_its_own_line_and_not_by_that_of_the_lab(
    upstream: RecordingUpstream,
) -> None:
    def sends_a_number(subject: Subject, body: object) -> None:
        subject.ask("/", body=body)  # type: ignore[arg-type]

    wrong = check("A-1", "it sends a number")(partial(sends_a_number, body=1))
    [(_, state, message)] = states((wrong,), upstream.url, None)
    assert state == "error"
    line = line_of('subject.ask("/", body=body)')
    assert message.startswith(f"error in the check {HERE}:{line}: TypeError: ")


def test_a_check_that_takes_no_subject_is_named_by_where_it_is_declared(
    upstream: RecordingUpstream,
) -> None:
    def takes_nothing() -> None: ...

    wrong = check("A-1", "it takes nothing")(takes_nothing)  # type: ignore[arg-type]
    [(_, state, message)] = states((wrong,), upstream.url, None)
    assert state == "error"
    assert f"{HERE}:{line_of('def takes_nothing')}: TypeError: " in message


def test_a_script_of_a_check_that_breaks_is_an_error_of_the_check() -> None:
    def broken(exchange: Exchange, reply: Reply) -> None:
        raise LookupError(exchange.method)

    def scripted(subject: Subject) -> None:
        subject.upstream.answer_with(broken)
        subject.ask("/")

    def expects_broken(subject: Subject) -> None:
        with pytest.raises((BrokenMessage, ConnectionError)):
            scripted(subject)

    checks = [
        check("A-1", "one", needs_upstream=True)(each) for each in (scripted, expects_broken, sends)
    ]
    for protocol in (Protocol.H1C, Protocol.H2C):
        with RecordingUpstream(protocol) as upstream:
            results = run_checks(
                Contract(tuple(checks), ()),
                upstream.url,
                upstream,
                quick_only=False,
                budget_seconds=None,
                legs={"client": protocol},
            )
        assert [result.state for result in results] == ["error", "error", "passed"]
        wanted = f"error in the check {HERE}:{line_of('raise LookupError')}: LookupError: POST"
        assert [result.message for result in results[:2]] == [wanted] * 2


def test_what_a_script_asserts_is_a_failure(upstream: RecordingUpstream) -> None:
    def refuses(exchange: Exchange, reply: Reply) -> None:
        expect_equal(exchange.method, "GET", "the method")

    def scripted(subject: Subject) -> None:
        subject.upstream.answer_with(refuses)
        subject.ask("/")

    asserting = check("A-1", "one", needs_upstream=True)(scripted)
    assert states((asserting,), upstream.url, upstream) == [
        ("A-1", "failed", "the method is 'POST', not 'GET'")
    ]


def test_a_check_in_error_is_refused_as_no_clause() -> None:
    def result(state: str) -> CheckResult:
        return CheckResult.model_validate(
            {"clause": "A-1", "title": "one", "state": state, "message": state}
        )

    refuse_broken_checks([result(state) for state in ("passed", "failed", "skipped", "deviates")])
    with pytest.raises(StepFailed, match=r"^check: error; error$") as raised:
        refuse_broken_checks([result(state) for state in ("error", "failed", "error")])
    assert raised.value.step == "check"


@pytest.mark.parametrize("deviates", [("A-1", "A-3", "A-4"), ("B-1", "A-*")])
def test_what_a_service_is_known_to_do_otherwise_deviates(
    upstream: RecordingUpstream, deviates: tuple[str, ...]
) -> None:
    contract = Contract(checks=(echoes, answers_b, breaks), sample_checks=())
    results = run_checks(
        contract,
        upstream.url,
        upstream,
        quick_only=False,
        budget_seconds=None,
        deviates=deviates,
    )
    assert [result.state for result in results] == ["passed", "deviates", "error"]
    assert "b'a'" in results[1].message


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
        contract = Contract(checks=(echoes, echoes), sample_checks=())
        first, second = run_checks(
            contract, url, None, quick_only=False, budget_seconds=0.2, check_seconds=0.3
        )
    assert first.state == "failed"
    assert first.message.startswith("TimeoutError: ")
    assert (second.state, second.message) == ("skipped", "0.2 s were spent before it")


def test_a_service_that_is_not_there_fails_every_check(upstream: RecordingUpstream) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    results = states((echoes, sends_one), url, upstream)
    assert [state for _, state, _ in results] == ["failed", "failed"]
    assert all(message.startswith("ConnectionRefusedError: ") for _, _, message in results)


def test_a_base_url_that_cannot_be_one_is_refused() -> None:
    for url in ("127.0.0.1:80", "https://127.0.0.1:80", "http://127.0.0.1"):
        with pytest.raises(InputError, match="a base URL of h1c is like"):
            states((echoes,), url, None)


def test_a_check_that_uses_an_undeclared_upstream_says_so(upstream: RecordingUpstream) -> None:
    undeclared: Callable[[Subject], None] = sends_one.function
    wrong = check("A-5", "it forgot")(undeclared)
    [(_, state, message)] = states((wrong,), upstream.url, None)
    assert state == "error"
    assert message.startswith("error in the check ")
    assert message.endswith(": the check uses the upstream, but is not declared to need it")


def test_a_signal_in_a_check_is_not_taken_for_a_failure_of_the_service() -> None:
    with pytest.raises(Interrupted):
        states((is_interrupted,), "http://127.0.0.1:1", None)


def test_what_http_2_does_not_allow_at_the_upstream_fails_the_check_that_passed() -> None:
    def passes(subject: Subject) -> None: ...

    def speaks_http_1(subject: Subject) -> None:
        host, _, port = subject.upstream.authority.partition(":")
        with connect((host, int(port)), subject.deadline) as connection:
            connection.send_request("/")
            with pytest.raises((BrokenMessage, ConnectionError)):
                connection.receive_answer()

    checks = [check("A-1", "one", needs_upstream=True)(each) for each in (speaks_http_1, passes)]
    with RecordingUpstream(Protocol.H2C) as upstream:
        (_, first, message), (_, second, _) = states(tuple(checks), upstream.url, upstream)
    assert (first, second) == ("failed", "passed")
    assert message.startswith("what the upstream received is not HTTP/2: ")


def test_a_check_about_one_version_that_is_not_declared_to_be_says_so(
    upstream: RecordingUpstream,
) -> None:
    wrong = check("A-1", "it forgot")(lambda subject: subject.connect_http2())
    [(_, state, message)] = states((wrong,), upstream.url, upstream)
    assert state == "error"
    assert message.endswith("RuntimeError: the check is about HTTP/2, but is not declared to be")
    wrong = check("A-1", "it forgot")(lambda subject: subject.connect_http1())
    with RecordingUpstream(Protocol.H2C) as other:
        (result,) = run_checks(
            Contract((wrong,), ()),
            other.url,
            None,
            quick_only=False,
            budget_seconds=None,
            legs={"client": Protocol.H2C},
        )
    assert result.state == "error"
    assert result.message.endswith(": the check is about HTTP/1.1, but is not declared to be")
