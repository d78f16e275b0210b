"""The errors of the service, whole: what is said of each is in the tables of the SPEC."""

from typing import Final, NamedTuple

from loadstone.contract.client import Answer
from loadstone.contract.expect import expect_equal

from .service import compact


class _Kind(NamedTuple):
    status: int
    title: str
    detail: str


_FAULTS: Final = {
    "malformed": _Kind(400, "Malformed request", "The body must be one JSON value in UTF-8."),
    "not-found": _Kind(404, "Not found", "Nothing is here."),
    "method-not-allowed": _Kind(405, "Method not allowed", "The path does not have this method."),
    "duplicate-id": _Kind(409, "Duplicate id", "The id exists."),
    "too-large": _Kind(413, "Body too large", "A body has at most 16384 bytes."),
    "unsupported-media-type": _Kind(
        415, "Unsupported media type", "The body must be application/json."
    ),
    "invalid": _Kind(422, "Invalid conference", "The conference is not valid."),
}
"""Of the caller."""

_FAILURES: Final = {
    "internal": (500, "The service failed."),
    "country-failed": (502, "The country service failed."),
    "unavailable": (503, "The database is not available."),
    "country-open": (503, "The country service is not asked for now."),
    "country-timeout": (504, "The country service did not answer in time."),
}
"""Of the service; their titles say in which operation."""

TITLES: Final = {
    "list": "Error occurred while retrieving conferences",
    "insert": "Error occurred while creating conference",
    "with-country": "Error occurred while retrieving conferences with country",
    "get": "Error occurred while retrieving conference",
    "replace": "Error occurred while updating conference",
    "remove": "Error occurred while removing conference",
    "ready": "Error occurred while asking the database",
}

PAGE_DETAIL: Final = "The limit must be 1 to 1000, and after an id beside it."
FIRST_FAILURE_STATUS: Final = 500


def expect_fault(answer: Answer, code: str, when: str, *, detail: str | None = None) -> None:
    """Expect that the caller is told of a fault of its own, and nothing else."""
    kind = _FAULTS[code]
    _expect(answer, code, kind.status, kind.title, detail or kind.detail, when)


def expect_invalid(answer: Answer, *errors: tuple[str, str]) -> None:
    """Expect 422 with these faults, each a pointer and a code."""
    kind = _FAULTS["invalid"]
    told = [{"pointer": pointer, "code": code} for pointer, code in errors]
    when = f"where {errors} is wrong"
    _expect(answer, "invalid", kind.status, kind.title, kind.detail, when, errors=told)


def expect_failure(answer: Answer, code: str, operation: str, when: str) -> None:
    """Expect that the caller is told of a failure of the service."""
    status, detail = _FAILURES[code]
    _expect(answer, code, status, TITLES[operation], detail, when)
    retry = ("1",) if status == _FAILURES["unavailable"][0] else ()
    expect_equal(answer.values("retry-after"), retry, f"Retry-After {when}")


def _expect(
    answer: Answer,
    code: str,
    status: int,
    title: str,
    detail: str,
    when: str,
    **more: object,
) -> None:
    expect_equal(answer.status, status, f"the status {when}")
    media_types = answer.values("content-type")
    expect_equal(media_types, ("application/problem+json",), f"Content-Type {when}")
    problem = {"type": f"urn:conference:{code}", "title": title, "status": status}
    expect_equal(answer.body, compact({**problem, "detail": detail, **more}), f"the body {when}")
