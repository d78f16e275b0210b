"""The start-up clock: one external probe, the same for every stack.

It asks from the moment of the spawn until the answer is the right one. A stack that opens its port
early is not taken to have started by that. What a stack says of its own start is kept beside it in the
record, and no figure is made of it.
"""

import socket
import time
from collections.abc import Callable

from loadstone.deploy.listener import addresses_of
from loadstone.deploy.ports import LOOPBACK
from loadstone.deploy.process import Child
from loadstone.deploy.speaker import Speak, SpokenWrongly
from loadstone.errors import StepFailed
from loadstone.machine.procfs import with_descendants
from loadstone.results.service_facts import StartupFacts
from loadstone.study.values.manifest import Ready
from loadstone.text.at_port import at_port
from loadstone.text.quoted import shortened

STEP_NS = 500_000
"""Between two attempts; with the attempt itself on loopback, below the 1 ms that the clock
promises.
"""

ANSWER_TIMEOUT_SECONDS = 5.0
_FIRST_OF_FAILURES = 500
_TAKE_PORT = "it must take the port from the variable PORT"
_ADDRESS_TAKEN = f", since its address is in use: {_TAKE_PORT}"
_NEEDS_CREDENTIALS = (
    ", which wants credentials: let `ready` in system.yaml ask what needs none, or write "
    "`any_status: true` there"
)
_TAKEN_MARKS = ("eaddrinuse", "address already in use", "address in use")
"""What runtimes say of it."""


def first_correct_response(
    child: Child,
    ending_of: Callable[[], str | None],
    port: int,
    ready: Ready,
    timeout_seconds: float,
    speak: Speak,
    address: str = LOOPBACK,
) -> StartupFacts:
    """Ask until the service answers correctly at an address of this machine. Raises
    StepFailed('start-up') if it ends or the time is up.
    """
    spawned_ns = child.spawned_ns
    attempts, seen, listened_ns = 0, "", None
    tried_ns = spawned_ns
    while (began_ns := time.monotonic_ns()) - spawned_ns < timeout_seconds * 1e9:
        ending = ending_of()
        if ending is not None:
            log = child.log_tail()
            why = _ADDRESS_TAKEN if any(mark in log.lower() for mark in _TAKEN_MARKS) else ""
            raise StepFailed("start-up", f"{child.name} {ending}{why}", log)
        attempts += 1
        try:
            with _connected(address, port) as connection:
                listened_ns = listened_ns or time.monotonic_ns() - spawned_ns
                wrong = ask(connection, at_port(address, port), ready, speak)
        except ConnectionRefusedError:
            wrong = ""
        except OSError as error:
            wrong = f"{type(error).__name__}: {error}"
        answered_ns = time.monotonic_ns()
        if wrong is None:
            return StartupFacts(
                first_correct_response_ns=answered_ns - spawned_ns,
                resolution_ns=STEP_NS,
                attempts=attempts,
                last_step_ns=began_ns - tried_ns,
                listened_ns=listened_ns,
                first_request_ns=answered_ns - began_ns,
            )
        tried_ns = began_ns
        seen = wrong or seen
        time.sleep(STEP_NS / 1e9)
    raise StepFailed(
        "start-up",
        f"{child.name} gave no correct response within {timeout_seconds:g} s: "
        f"{seen or _not_listening(child, at_port(address, port))}",
        child.log_tail(),
    )


def _not_listening(child: Child, wanted: str) -> str:
    """Where it listens in place of the port that it was given, as one that does not read it."""
    elsewhere = addresses_of(tuple(with_descendants(child.pid)))
    if not elsewhere:
        return "it never listened"
    port = wanted.rpartition(":")[2]
    is_its_port = any(each.endswith(f":{port}") for each in elsewhere)
    must = f"it must listen at {wanted}" if is_its_port else _TAKE_PORT
    return f"it listens at {', '.join(elsewhere)}, and not at {wanted}: {must}"


def _connected(address: str, port: int) -> socket.socket:
    connection = socket.create_connection((address, port), ANSWER_TIMEOUT_SECONDS)
    # Head and body are written apart: without it the second waits for the first's ACK.
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def ask_at(address: str, port: int, ready: Ready, speak: Speak) -> str | None:
    """Ask once over a connection of its own; the rest is as in `ask`."""
    with _connected(address, port) as connection:
        return ask(connection, at_port(address, port), ready, speak)


def ask(connection: socket.socket, host: str, ready: Ready, speak: Speak) -> str | None:
    """Return none for the right answer, what was wrong with it otherwise. Raises OSError.

    `host` is host and port.
    """
    operation = ready.operation
    try:
        status, answer = speak(connection, host, operation)
    except SpokenWrongly as error:
        return str(error)
    check = operation.check
    if not _is_wanted(status, ready):
        wanted = "one below 500" if ready.any_status else check.status or "2xx"
        hint = _NEEDS_CREDENTIALS if status in (401, 403) else ""
        asked = f"{operation.method} {shortened(operation.path)}"
        return f"status {status}, not {wanted}, to {asked}{hint}"
    if check.body_contains and check.body_contains.encode() not in answer:
        return f"the body lacks {check.body_contains!r}"
    if ready.body_equals_request and answer != operation.body.encode():
        return "the body is not the request's"
    return None


def _is_wanted(status: int, ready: Ready) -> bool:
    if ready.any_status:
        return status < _FIRST_OF_FAILURES
    wanted = ready.operation.check.status
    return 200 <= status < 300 if wanted is None else status == wanted
