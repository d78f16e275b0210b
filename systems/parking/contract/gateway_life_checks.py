"""G28 and G40: how the process ends, what it prints, and which variables it refuses."""

import os
import signal
import socket
import time
from contextlib import ExitStack
from functools import partial
from secrets import token_hex
from threading import Event

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.http2_client import Http2Connection
from loadstone.contract.scripts import close_unanswered, fixed, gated, never
from loadstone.contract.subject import Subject

from .lib.clock import expect_speed, undisturbed
from .lib.gateway_instances import WELL_SECONDS, warm
from .lib.gateway_service import (
    AS_SUPERVISOR,
    COINS,
    HEALTH,
    LEFT_OUT_SECONDS,
    LOGIN,
    STARTS_SECONDS,
    TOKEN,
    USERS,
    ask,
    ask_on,
    get,
    post,
    wait_for_status,
)
from .lib.gateway_tokens import claims
from .lib.objects import JSON, expect_status
from .lib.tokens import SECRET, VECTOR, bearer, signed

check = partial(declare.check, needs_upstream=True, needs_stand=True, seconds=STARTS_SECONDS)
refusing = partial(declare.check, needs_stand=True, seconds=STARTS_SECONDS)

END_SECONDS = 5.0
GRACE_SECONDS = END_SECONDS + 1.0
"""Of what may use all of its time, and then has to end."""
IDLE_END_SECONDS = 1.0
IN_FLIGHT = 6
QUIET_REQUESTS = 40
FAILED_REQUESTS = 10
PRINTED_SECONDS = 0.5
"""Until what was printed is in the log."""

WRONG_CODE, TAKEN_CODE = 2, 1
SECRETS = ("JWT_SECRET",)
"""Of these no value is shown."""
MANY_URLS = ",".join(f"http://127.0.0.1:{port}" for port in range(9001, 9018))
WRONG_VARIABLES = (
    *(("PORT", "x"), ("PORT", "65536"), ("PORT", "-1"), ("PORT", "")),
    *(("CLIENT_PROTOCOL", "http"), ("UPSTREAM_PROTOCOL", ""), ("DISCOVERY_PROTOCOL", "h2")),
    *(
        ("UPSTREAM_TIMEOUT_MS", "0"),
        ("UPSTREAM_TIMEOUT_MS", "60001"),
        ("UPSTREAM_TIMEOUT_MS", "1s"),
    ),
    *(("UPSTREAM_TIMEOUT_MS", "+5"), ("REGISTRY", "consul"), ("REGISTRY", "")),
    *(("JWT_SECRET", "a-secret-of-too-few-characters"), ("JWT_SECRET", "a-secret-" + "x" * 248)),
    *(("JWT_SECRET", "a-secret-with-a blank-and-32-characters"), ("ALLOWED_ORIGIN", "")),
)
WRONG_INSTANCES = (
    *("", "users=", "users", "{scheme}://127.0.0.1:1", "parks={scheme}://127.0.0.1:1"),
    *("users={scheme}://127.0.0.1:1,", "users=ftp://127.0.0.1:1", "users={other}://127.0.0.1:1"),
    *("users={scheme}://127.0.0.1:1/path", "users={many}"),
)
WRONG_REGISTRIES = ("", "127.0.0.1:8761", "ftp://127.0.0.1:8761", "http://")


@check("G28", "on SIGTERM requests in flight are answered, and it ends in order")
def ends_in_order(subject: Subject) -> None:
    undisturbed(partial(_expect_end_in_order, subject, signal.SIGTERM))


@check("G28", "on SIGINT requests in flight are answered, and it ends in order")
def ends_in_order_by_hand(subject: Subject) -> None:
    undisturbed(partial(_expect_end_in_order, subject, signal.SIGINT))


@check("G28", "a request that does not end is cut off after 5 s, and it exits with 0")
def cuts_off(subject: Subject) -> None:
    variables = {"UPSTREAM_TIMEOUT_MS": "60000"}
    with subject.stand.restarted(variables, unready=True) as other:
        warm(other, "before it ends")
        subject.upstream.answer_with(never)
        with other.connect() as connection:
            connection.send_request(USERS, [AS_SUPERVISOR], method="GET")
            subject.upstream.wait_for_exchange(subject.deadline)
            other.process.terminate()
            expect_equal(other.process.wait(GRACE_SECONDS), 0, "the exit code")


@check(
    "G28", "on SIGTERM it ends at once while nothing is in flight, also one that finds instances"
)
def ends_idle(subject: Subject) -> None:
    choices: tuple[dict[str, str], ...] = ({}, {"REGISTRY": "eureka"})
    for variables in choices:
        with subject.stand.restarted(variables, unready=True) as other:
            wait_for_status(other, 200, WELL_SECONDS, "once it is up", HEALTH)
            began = time.monotonic()
            other.process.terminate()
            expect_equal(other.process.wait(END_SECONDS), 0, f"the exit code with {variables}")
            spent = time.monotonic() - began
            expect(spent <= END_SECONDS, f"it took {spent:.1f} s to end while nothing was on")


@check("G28", "no token, key or body is in what it printed")
def prints_no_secret(subject: Subject) -> None:
    body = token_hex(16)
    expired = signed(claims(exp=int(time.time()) - 60))
    wrong = signed(claims(), key="x" * 32)
    with subject.stand.restarted({"UPSTREAM_TIMEOUT_MS": "1000"}, unready=True) as other:
        warm(other, "before its log is read")
        for token in (TOKEN, VECTOR, expired, wrong):
            get(other, f"{USERS}?token={token}", token=token)
        post(other, LOGIN, f'{{"password":"{body}"}}'.encode(), JSON)
        get(other, USERS, bearer(TOKEN), bearer(wrong), token=None)
        for script in (never, fixed(500, [], body.encode()), close_unanswered):
            subject.upstream.answer_with(script)
            post(other, COINS, f'{{"reason":"{body}"}}'.encode(), JSON, ("X-Any", body))
        other.process.terminate()
        expect_equal(other.process.wait(END_SECONDS), 0, "the exit code")
        log = other.process.log()
    for what, secret in (
        *(("a token", each.rpartition(".")[2]) for each in (TOKEN, VECTOR, expired, wrong)),
        *(("claims", each.split(".")[1]) for each in (TOKEN, VECTOR)),
        *(("the key", SECRET), ("a body", body)),
    ):
        expect(secret not in log, f"{what} is in what it printed")
    subject.upstream.forget()


@check("G28", "requests, refusals and callers that leave print nothing, a failure one line at most")
def prints_little(subject: Subject) -> None:
    with subject.stand.restarted(unready=True) as other:
        warm(other, "before its log is read")
        port = other.address[1]
        told = _lines(other).count(f"listening on 127.0.0.1:{port}")
        expect_equal(told, 1, "how often it says where it listens")
        before = len(_lines(other))
        for number in range(QUIET_REQUESTS):
            get(other)
            ask(other, ("PUT", "POST")[number % 2], "/nothing")
            get(other, token=None)
            with other.connect() as connection:
                connection.send_request(COINS, [AS_SUPERVISOR, JSON], b"{}")
                if number % 2:
                    connection.break_off()
        added = _lines(other)[before:]
        expect_equal(added, [], "what it printed for requests that are no failures of its own")
        subject.upstream.answer_with(close_unanswered)
        for _ in range(FAILED_REQUESTS):
            status = post(other, COINS, b"{}", JSON).status
            expect(status in (502, 503), f"the status of a failed attempt is {status}")
            time.sleep(LEFT_OUT_SECONDS / FAILED_REQUESTS)
        added = _lines(other)[before:]
        # What stays away gives a line a second besides.
        most = FAILED_REQUESTS + int(LEFT_OUT_SECONDS) + 2
        expect(len(added) <= most, f"{FAILED_REQUESTS} failures gave {len(added)} lines")
    subject.upstream.forget()


@refusing("G40", "a wrong variable is exit code 2 and one line")
def wrong_variables(subject: Subject) -> None:
    for name, value in WRONG_VARIABLES:
        _expect_wrong(subject, {name: value}, name)


@refusing("G40", "wrong instances are exit code 2 and one line")
def wrong_instances(subject: Subject) -> None:
    scheme = subject.upstream_protocol.scheme
    told = {
        "{scheme}": scheme,
        "{other}": "http" if scheme == "https" else "https",
        "{many}": MANY_URLS.replace("http:", f"{scheme}:"),
    }
    for text in WRONG_INSTANCES:
        value = text
        for name, stands_for in told.items():
            value = value.replace(name, stands_for)
        _expect_wrong(subject, {"STATIC_INSTANCES": value}, "STATIC_INSTANCES")


@refusing("G40", "with eureka a wrong address of the registry is exit code 2 and one line")
def wrong_registries(subject: Subject) -> None:
    for value in WRONG_REGISTRIES:
        _expect_wrong(subject, {"REGISTRY": "eureka", "REGISTRY_URL": value}, "REGISTRY_URL")


@refusing("G40", "a file of TLS for callers that cannot be read is exit code 2", client="tls")
def wrong_files(subject: Subject) -> None:
    for name in ("TLS_CERT", "TLS_KEY"):
        for value in ("/nothing/here.pem", "", "/etc/passwd"):
            _expect_wrong_file(subject, name, value)


@refusing("G40", "a file of TLS for the service that cannot be read is exit code 2", upstream="tls")
def wrong_authority(subject: Subject) -> None:
    for value in ("/nothing/here.pem", "", "/etc/passwd"):
        _expect_wrong_file(subject, "TLS_CA", value)


@refusing("G40", "a port that is taken is exit code 1, and it says so")
def taken_port(subject: Subject) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = subject.stand.refused_start({"PORT": str(taken.getsockname()[1])})
    expect_equal(ended.exit_code, TAKEN_CODE, "the exit code of a port that is taken")
    expect("in use" in ended.stderr, f"of a port that is taken it says {ended.stderr[:100]!r}")
    expect_equal(ended.stdout, "", "stdout of a port that is taken")


@check("G40", "16 instances, the largest limit and the key itself are taken")
def right_variables(subject: Subject) -> None:
    url = subject.upstream.url
    for variables in (
        {"STATIC_INSTANCES": f"users={','.join([url] * 16)}"},
        {"UPSTREAM_TIMEOUT_MS": "60000", "JWT_SECRET": SECRET},
    ):
        with subject.stand.restarted(variables, unready=True) as other:
            warm(other, f"with {list(variables)}")


def _lines(subject: Subject) -> list[str]:
    time.sleep(PRINTED_SECONDS)
    return subject.process.log().splitlines()


def _expect_end_in_order(subject: Subject, number: signal.Signals) -> None:
    gate = Event()
    pieces = [token_hex(8).encode() for _ in range(2)]
    subject.upstream.forget()
    with subject.stand.restarted(unready=True) as other, ExitStack() as opened:
        opened.callback(gate.set)
        warm(other, "before it ends")
        subject.upstream.forget()
        script = gated(pieces, gate, subject.deadline.remaining_seconds())
        subject.upstream.answer_with(script)
        used, unused = (opened.enter_context(other.connect()) for _ in range(2))
        expect_status(ask_on(used, "GET", HEALTH), 200, "/health on a connection")
        connections = [opened.enter_context(other.connect()) for _ in range(IN_FLIGHT)]
        calls = [each.send_request(USERS, [AS_SUPERVISOR], method="GET") for each in connections]
        subject.upstream.wait_for_exchanges(IN_FLIGHT, subject.deadline)
        for call in calls:
            expect_equal(call.receive_head()[0], 200, "the status of a request in flight")
        began = time.monotonic()
        os.killpg(other.process.pid, number)
        for idle in (used, unused):
            idle.wait_for_end()
        spent = time.monotonic() - began
        expect_speed(spent <= IDLE_END_SECONDS, f"idle connections were ended after {spent:.1f} s")
        expect(_is_refused(other), "a connection is accepted behind the signal")
        gate.set()
        for call in calls:
            body = b"".join(call.receive_pieces())
            expect_equal(body, b"".join(pieces), "the body of a request in flight")
        for each in connections:
            if not isinstance(each, Http2Connection):
                each.wait_for_end()
        expect_equal(other.process.wait(END_SECONDS), 0, "the exit code")


def _is_refused(subject: Subject) -> bool:
    """Whether a further connection is refused, or ended at once without a word."""
    try:
        with socket.create_connection(subject.address, IDLE_END_SECONDS) as connection:
            connection.settimeout(IDLE_END_SECONDS)
            return not connection.recv(1)
    except TimeoutError:
        return False
    except OSError:
        return True


def _expect_wrong(subject: Subject, variables: dict[str, str], name: str) -> None:
    value = variables[name]
    what = f"{name}={value[:60]}"
    line = _only_line(subject, variables, what)
    expect(line.startswith(f"gateway: {name} must be "), f"of {what} it says {line[:160]}")
    if name in SECRETS:
        expect("a-secret" not in line, f"of {name} the value is shown")
    else:
        expect(line.endswith(f', not "{value}"'), f"of {what} it says {line[:200]}")


def _expect_wrong_file(subject: Subject, name: str, value: str) -> None:
    line = _only_line(subject, {name: value}, f"{name}={value}")
    expect(line.startswith(f"gateway: {name} "), f"of {name}={value} it says {line[:160]}")


def _only_line(subject: Subject, variables: dict[str, str], what: str) -> str:
    """What a start says that is refused for a wrong variable."""
    ended = subject.stand.refused_start(variables)
    expect_equal(ended.exit_code, WRONG_CODE, f"the exit code of {what}")
    expect_equal(ended.stdout, "", f"stdout of {what}")
    lines = ended.stderr.splitlines()
    expect_equal(len(lines), 1, f"the lines on stderr of {what}")
    return lines[0]
