"""What the gateway answers itself, and the fields that all of its answers have."""

import re
from typing import Final

from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject
from loadstone.contract.wire import Head

from .problems import expect_problem

UP: Final = b'{"status":"up"}'
REQUEST_ID: Final = "X-Request-Id"

OWN_ANSWER_FIELDS: Final = frozenset(
    {
        *("connection", "content-length", "date", "keep-alive", "server", "transfer-encoding"),
        *("via", "x-request-id"),
    }
)
"""What a gateway may add to an answer of the service."""
OWN_REQUEST_FIELDS: Final = frozenset(
    {
        *("host", "connection", "content-length", "transfer-encoding", "via"),
        *("x-user-id", "x-user-role", "x-request-id"),
        *("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"),
    }
)
"""What a gateway sets in a request, or may add."""
CORS_FIELDS: Final = (
    *("Access-Control-Allow-Origin", "Access-Control-Allow-Methods"),
    *("Access-Control-Allow-Headers", "Access-Control-Max-Age"),
    *("Access-Control-Expose-Headers", "Access-Control-Allow-Credentials"),
)

_REQUEST_ID = re.compile("[A-Za-z0-9-]{8,64}")


def expect_refused(subject: Subject, answer: Answer, code: str, when: str) -> None:
    """Expect that the gateway itself tells of this, by a problem with the fields of all answers."""
    expect_problem(answer, code, when)
    expect_own_fields(subject, answer, when)


def expect_own_fields(subject: Subject, answer: Answer, when: str) -> None:
    """Expect the fields of what the gateway answers itself."""
    port = subject.address[1]
    expect_equal(answer.values("cache-control"), ("no-store",), f"Cache-Control {when}")
    expect_equal(answer.values("x-instance-id"), (f"gateway-{port}",), f"X-Instance-Id {when}")
    request_id_of(answer, when)


def request_id_of(head: Head, when: str) -> str:
    """The one X-Request-Id of a request or an answer. Raises AssertionError where it is none."""
    values = head.values(REQUEST_ID)
    is_one = len(values) == 1 and _REQUEST_ID.fullmatch(values[0]) is not None
    expect(is_one, f"{REQUEST_ID} {when} is {values}")
    return values[0]
