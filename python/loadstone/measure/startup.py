"""The start-up clock: one external probe, the same for every stack.

It asks from the moment of the spawn until the answer is the right one; a port that opens early
earns nothing. What a stack says of itself is never used.
"""

import http.client
import time
from collections.abc import Callable

from loadstone.deploy.process import Child
from loadstone.errors import StepFailed
from loadstone.results.service_facts import StartupFacts
from loadstone.study.manifest import Ready

STEP_NS = 500_000
"""Between two attempts; with the attempt itself on loopback, below the 1 ms that the clock
promises.
"""

ANSWER_TIMEOUT_SECONDS = 5.0
HOST = "127.0.0.1"


def first_correct_response(
    child: Child,
    ending_of: Callable[[], str | None],
    port: int,
    ready: Ready,
    timeout_seconds: float,
    spawned_ns: int,
) -> StartupFacts:
    """Ask until the service answers correctly. Raises StepFailed('start-up') if it ends or the time
    is up.

    `spawned_ns` is the monotonic clock just before the spawn.
    """
    attempts, seen = 0, "it never listened"
    while (elapsed_ns := time.monotonic_ns() - spawned_ns) < timeout_seconds * 1e9:
        ending = ending_of()
        if ending is not None:
            raise StepFailed("start-up", f"{child.name} {ending}", child.log_tail())
        attempts += 1
        wrong = ask(HOST, port, ready)
        if wrong is None:
            return StartupFacts(
                first_correct_response_ns=time.monotonic_ns() - spawned_ns,
                resolution_ns=STEP_NS,
                attempts=attempts,
            )
        seen = wrong or seen
        time.sleep(STEP_NS / 1e9)
    raise StepFailed(
        "start-up",
        f"{child.name} gave no correct response within {elapsed_ns / 1e9:.0f} s: {seen}",
        child.log_tail(),
    )


def ask(host: str, port: int, ready: Ready) -> str | None:
    """Return none for the right answer, what was wrong with it otherwise; empty while nothing
    listens.
    """
    operation = ready.operation
    connection = http.client.HTTPConnection(host, port, timeout=ANSWER_TIMEOUT_SECONDS)
    try:
        body = operation.body.encode()
        connection.request(operation.method, operation.path, body or None, dict(operation.headers))
        response = connection.getresponse()
        answer = response.read()
    except ConnectionRefusedError:
        return ""
    except (OSError, http.client.HTTPException) as error:
        return f"{type(error).__name__}: {error}"
    finally:
        connection.close()
    check = operation.check
    if (response.status != check.status) if check.status else not 200 <= response.status < 300:
        return f"status {response.status}"
    if check.body_contains and check.body_contains.encode() not in answer:
        return f"the body lacks {check.body_contains!r}"
    if ready.body_equals_request and answer != body:
        return "the body is not the request's"
    return None
