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
    """Code, status and title."""

    MALFORMED = ("malformed", 400, "Malformed request")
    UNKNOWN_MEMBER = ("unknown-member", 400, "Unknown member")
    TOKEN_MISSING = ("token-missing", 401, "Token missing")
    TOKEN_INVALID = ("token-invalid", 401, "Token not valid")
    CREDENTIALS = ("credentials", 401, "Wrong e-mail address or password")
    FORBIDDEN = ("forbidden", 403, "Forbidden")
    ACCOUNT_BLOCKED = ("account-blocked", 403, "Account blocked")
    NOT_FOUND = ("not-found", 404, "Not found")
    METHOD_NOT_ALLOWED = ("method-not-allowed", 405, "Method not allowed")
    DUPLICATE_EMAIL = ("duplicate-email", 409, "E-mail address taken")
    DUPLICATE_NIF = ("duplicate-nif", 409, "Tax number taken")
    DUPLICATE_PLATE = ("duplicate-plate", 409, "Plate taken")
    VEHICLE_LIMIT = ("vehicle-limit", 409, "Too many vehicles")
    COINS = ("coins", 409, "Not enough coins, or too many")
    TOO_LARGE = ("too-large", 413, "Body too large")
    UNSUPPORTED_MEDIA_TYPE = ("unsupported-media-type", 415, "Unsupported media type")
    INVALID = ("invalid", 422, "Invalid members")
    IDEMPOTENCY_MISMATCH = ("idempotency-mismatch", 422, "Key used before")
    INTERNAL = ("internal", INTERNAL_SERVER_ERROR, "Internal error")
    UNAVAILABLE = ("unavailable", SERVICE_UNAVAILABLE, "Not available")


_CHALLENGES = (Kind.TOKEN_MISSING, Kind.TOKEN_INVALID)


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
        self.code, self.status, self._title = kind.value
        self.faults = faults
        self._allow = allow

    def response(self) -> Response:
        """Return the answer to a request."""
        content: dict[str, object] = {
            "type": f"urn:park:{self.code}",
            "title": self._title,
            "status": self.status,
            "code": self.code,
        }
        if self.faults:
            content["errors"] = [vars(fault) for fault in self.faults]
        headers = {}
        if self._allow is not None:
            headers["allow"] = self._allow
        if self.kind in _CHALLENGES:
            headers["www-authenticate"] = "Bearer"
        if self.status == SERVICE_UNAVAILABLE:
            headers["retry-after"] = RETRY_AFTER
        body = json.dumps(content, separators=(",", ":"))
        return Response(body, self.status, headers, PROBLEM_TYPE)

    def __str__(self) -> str:
        reason = super().__str__()
        return f"{self.code}: {reason}" if reason else self.code
