"""The errors of the services, whole: what is said of each is in the table of the SPEC."""

from typing import Final, NamedTuple

from loadstone.contract.client import Answer
from loadstone.contract.expect import expect_equal

from .objects import compact, expect_status


class Kind(NamedTuple):
    """A row of that table."""

    status: int
    title: str


KINDS: Final = {
    "malformed": Kind(400, "Malformed request"),
    "unknown-member": Kind(400, "Unknown member"),
    "token-missing": Kind(401, "Token missing"),
    "token-invalid": Kind(401, "Token not valid"),
    "credentials": Kind(401, "Wrong e-mail address or password"),
    "forbidden": Kind(403, "Forbidden"),
    "account-blocked": Kind(403, "Account blocked"),
    "not-found": Kind(404, "Not found"),
    "method-not-allowed": Kind(405, "Method not allowed"),
    "duplicate-email": Kind(409, "E-mail address taken"),
    "duplicate-nif": Kind(409, "Tax number taken"),
    "duplicate-plate": Kind(409, "Plate taken"),
    "vehicle-limit": Kind(409, "Too many vehicles"),
    "coins": Kind(409, "Not enough coins, or too many"),
    "too-large": Kind(413, "Body too large"),
    "unsupported-media-type": Kind(415, "Unsupported media type"),
    "invalid": Kind(422, "Invalid members"),
    "idempotency-mismatch": Kind(422, "Key used before"),
    "fields-too-large": Kind(431, "Header fields too large"),
    "internal": Kind(500, "Internal error"),
    "upstream": Kind(502, "Service failed"),
    "unavailable": Kind(503, "Not available"),
    "upstream-timeout": Kind(504, "Service did not answer in time"),
}
"""By the code."""


def expect_problem(answer: Answer, code: str, when: str) -> None:
    """Expect that the caller is told of this, and of nothing else."""
    _expect(answer, code, when)


def expect_invalid(answer: Answer, *errors: tuple[str, str], when: str = "") -> None:
    """Expect 422 with these faults of members, each a pointer and a code, in this order."""
    told = [{"pointer": pointer, "code": code} for pointer, code in errors]
    _expect(answer, "invalid", when or f"where {errors} is wrong", errors=told)


def expect_allow(answer: Answer, allowed: set[str], what: str) -> None:
    """Expect the methods of the path; HEAD may be among them."""
    told = {name.strip() for value in answer.values("allow") for name in value.split(",")}
    expect_equal(told - {"HEAD"}, allowed, f"Allow after {what}")


def body_of(code: str, **more: object) -> bytes:
    """The bytes of a problem."""
    kind = KINDS[code]
    problem = {"type": f"urn:park:{code}", "title": kind.title, "status": kind.status}
    return compact({**problem, "code": code, **more})


def _expect(answer: Answer, code: str, when: str, **more: object) -> None:
    kind = KINDS[code]
    expect_status(answer, kind.status, f"what is asked {when}")
    media_types = answer.values("content-type")
    expect_equal(media_types, ("application/problem+json",), f"Content-Type {when}")
    expect_equal(answer.values("content-encoding"), (), f"Content-Encoding {when}")
    expect_equal(answer.body, body_of(code, **more), f"the body {when}")
    asked = ("Bearer",) if code in ("token-missing", "token-invalid") else ()
    expect_equal(answer.values("www-authenticate"), asked, f"WWW-Authenticate {when}")
    retry = ("1",) if kind.status == KINDS["unavailable"].status else ()
    expect_equal(answer.values("retry-after"), retry, f"Retry-After {when}")
