"""The errors of the service, whole: what is said of each is in the table of the SPEC."""

from typing import Final, NamedTuple

from loadstone.contract.client import Answer
from loadstone.contract.expect import expect_equal

from .service import compact, expect_status


class Kind(NamedTuple):
    """A row of that table."""

    status: int
    title: str
    detail: str


KINDS: Final = {
    "malformed": Kind(400, "Malformed request", "The request is not well formed."),
    "unauthenticated": Kind(401, "Not authenticated", "A valid token is needed."),
    "bad-credentials": Kind(401, "Bad credentials", "The e-mail address or the password is wrong."),
    "forbidden": Kind(403, "Forbidden", "The account may not do this."),
    "not-found": Kind(404, "Not found", "Nothing is here."),
    "method-not-allowed": Kind(405, "Method not allowed", "The path does not have this method."),
    "email-taken": Kind(409, "E-mail address taken", "There is an account of this e-mail address."),
    "slot-taken": Kind(409, "Slot taken", "Another reservation is in this time."),
    "facility-retired": Kind(409, "Facility retired", "The facility takes no reservations."),
    "wrong-state": Kind(409, "Wrong state", "The reservation is in another state."),
    "too-large": Kind(413, "Body too large", "A body has at most 16384 bytes."),
    "unsupported-media-type": Kind(
        415, "Unsupported media type", "The body must be application/json."
    ),
    "validation": Kind(422, "Invalid members", "The body is not valid."),
    "idempotency-mismatch": Kind(422, "Key used before", "The key belongs to another request."),
    "internal": Kind(500, "Internal error", "The service failed."),
    "unavailable": Kind(503, "Not available", "The database is not available."),
}
"""By the code."""


def expect_problem(answer: Answer, code: str, when: str) -> None:
    """Expect that the caller is told of this, and of nothing else."""
    _expect(answer, code, when)


def expect_invalid(answer: Answer, *errors: tuple[str, str], when: str = "") -> None:
    """Expect 422 with these faults of members, each a pointer and a code."""
    told = [{"pointer": pointer, "code": code} for pointer, code in errors]
    _expect(answer, "validation", when or f"where {errors} is wrong", errors=told)


def body_of(code: str, **more: object) -> bytes:
    """The bytes of a problem."""
    kind = KINDS[code]
    problem = {"type": f"https://booking.example/problems/{code}", "title": kind.title}
    return compact({**problem, "status": kind.status, "detail": kind.detail, **more})


def _expect(answer: Answer, code: str, when: str, **more: object) -> None:
    expect_status(answer, KINDS[code].status, f"what is asked {when}")
    media_types = answer.values("content-type")
    expect_equal(media_types, ("application/problem+json",), f"Content-Type {when}")
    expect_equal(answer.values("content-encoding"), (), f"Content-Encoding {when}")
    expect_equal(answer.body, body_of(code, **more), f"the body {when}")
    if KINDS[code].status == KINDS["unauthenticated"].status:
        asked = ("Bearer",) if code == "unauthenticated" else ()
        expect_equal(answer.values("www-authenticate"), asked, f"WWW-Authenticate {when}")
    retry = ("1",) if code == "unavailable" else ()
    expect_equal(answer.values("retry-after"), retry, f"Retry-After {when}")
