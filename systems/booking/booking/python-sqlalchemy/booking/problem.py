"""What a request can fail of, as the caller is told: problems of RFC 9457, by the table of SPEC.md."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from starlette.responses import Response

PROBLEM_TYPE = "application/problem+json"

INTERNAL_SERVER_ERROR = 500
SERVICE_UNAVAILABLE = 503
# In seconds: the database may be there again by then.
RETRY_AFTER = "1"


class Kind(Enum):
    """Code, status, title and detail."""

    MALFORMED = ("malformed", 400, "Malformed request", "The request is not well formed.")
    UNAUTHENTICATED = ("unauthenticated", 401, "Not authenticated", "A valid token is needed.")
    BAD_CREDENTIALS = (
        "bad-credentials",
        401,
        "Bad credentials",
        "The e-mail address or the password is wrong.",
    )
    FORBIDDEN = ("forbidden", 403, "Forbidden", "The account may not do this.")
    NOT_FOUND = ("not-found", 404, "Not found", "Nothing is here.")
    METHOD_NOT_ALLOWED = (
        "method-not-allowed",
        405,
        "Method not allowed",
        "The path does not have this method.",
    )
    EMAIL_TAKEN = (
        "email-taken",
        409,
        "E-mail address taken",
        "There is an account of this e-mail address.",
    )
    SLOT_TAKEN = ("slot-taken", 409, "Slot taken", "Another reservation is in this time.")
    FACILITY_RETIRED = (
        "facility-retired",
        409,
        "Facility retired",
        "The facility takes no reservations.",
    )
    WRONG_STATE = ("wrong-state", 409, "Wrong state", "The reservation is in another state.")
    TOO_LARGE = ("too-large", 413, "Body too large", "A body has at most 16384 bytes.")
    UNSUPPORTED_MEDIA_TYPE = (
        "unsupported-media-type",
        415,
        "Unsupported media type",
        "The body must be application/json.",
    )
    VALIDATION = ("validation", 422, "Invalid members", "The body is not valid.")
    IDEMPOTENCY_MISMATCH = (
        "idempotency-mismatch",
        422,
        "Key used before",
        "The key belongs to another request.",
    )
    INTERNAL = ("internal", INTERNAL_SERVER_ERROR, "Internal error", "The service failed.")
    UNAVAILABLE = (
        "unavailable",
        SERVICE_UNAVAILABLE,
        "Not available",
        "The database is not available.",
    )


@dataclass(frozen=True)
class Fault:
    """What is wrong with one member of a body."""

    pointer: str
    code: str


class Problem(Exception):
    """One problem; what else it is given as its reason is for the log alone."""

    def __init__(
        self,
        kind: Kind,
        reason: str = "",
        *,
        faults: Sequence[Fault] = (),
        allow: str | None = None,
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.code, self.status, self._title, self._detail = kind.value
        self.faults = faults
        self._allow = allow

    def response(self) -> Response:
        """Return the answer to a request."""
        content: dict[str, object] = {
            "type": f"https://booking.example/problems/{self.code}",
            "title": self._title,
            "status": self.status,
            "detail": self._detail,
        }
        if self.faults:
            content["errors"] = [vars(fault) for fault in self.faults]
        headers = {}
        if self._allow is not None:
            headers["allow"] = self._allow
        if self.kind is Kind.UNAUTHENTICATED:
            headers["www-authenticate"] = "Bearer"
        if self.status == SERVICE_UNAVAILABLE:
            headers["retry-after"] = RETRY_AFTER
        body = json.dumps(content, separators=(",", ":"))
        return Response(body, self.status, headers, PROBLEM_TYPE)

    def __str__(self) -> str:
        reason = super().__str__()
        return f"{self.code}: {reason}" if reason else self.code


def invalid(pointer: str, code: str) -> Problem:
    """Return the problem of a body with one fault."""
    return Problem(Kind.VALIDATION, faults=[Fault(pointer, code)])
