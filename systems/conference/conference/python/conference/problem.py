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

TITLES = {
    "list": "Error occurred while retrieving conferences",
    "insert": "Error occurred while creating conference",
    "with-country": "Error occurred while retrieving conferences with country",
    "get": "Error occurred while retrieving conference",
    "replace": "Error occurred while updating conference",
    "remove": "Error occurred while removing conference",
    "ready": "Error occurred while asking the database",
}
"""What an operation says of its failures."""


class Kind(Enum):
    """Code, status, title and detail; those of 5xx have the title of their operation."""

    MALFORMED = (
        "malformed",
        400,
        "Malformed request",
        "The body must be one JSON value in UTF-8.",
    )
    NOT_FOUND = ("not-found", 404, "Not found", "Nothing is here.")
    METHOD_NOT_ALLOWED = (
        "method-not-allowed",
        405,
        "Method not allowed",
        "The path does not have this method.",
    )
    DUPLICATE_ID = ("duplicate-id", 409, "Duplicate id", "The id exists.")
    TOO_LARGE = ("too-large", 413, "Body too large", "A body has at most 16384 bytes.")
    UNSUPPORTED_MEDIA_TYPE = (
        "unsupported-media-type",
        415,
        "Unsupported media type",
        "The body must be application/json.",
    )
    INVALID = ("invalid", 422, "Invalid conference", "The conference is not valid.")
    INTERNAL = ("internal", INTERNAL_SERVER_ERROR, None, "The service failed.")
    COUNTRY_FAILED = ("country-failed", 502, None, "The country service failed.")
    UNAVAILABLE = ("unavailable", SERVICE_UNAVAILABLE, None, "The database is not available.")
    COUNTRY_OPEN = (
        "country-open",
        SERVICE_UNAVAILABLE,
        None,
        "The country service is not asked for now.",
    )
    COUNTRY_TIMEOUT = (
        "country-timeout",
        504,
        None,
        "The country service did not answer in time.",
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
        detail: str | None = None,
        faults: Sequence[Fault] = (),
        allow: str | None = None,
    ) -> None:
        super().__init__(reason)
        self.code, self.status, self._title, standard = kind.value
        self._detail = detail or standard
        self.faults = faults
        self._allow = allow

    def response(self, operation: str = "") -> Response:
        """Return the answer to a request of an operation."""
        content: dict[str, object] = {
            "type": f"urn:conference:{self.code}",
            "title": self._title or TITLES.get(operation),
            "status": self.status,
            "detail": self._detail,
        }
        if self.faults:
            content["errors"] = [vars(fault) for fault in self.faults]
        headers = {}
        if self._allow is not None:
            headers["allow"] = self._allow
        if self.status == SERVICE_UNAVAILABLE:
            headers["retry-after"] = RETRY_AFTER
        body = json.dumps(content, separators=(",", ":"))
        return Response(body, self.status, headers, PROBLEM_TYPE)

    def __str__(self) -> str:
        reason = super().__str__()
        return f"{self.code}: {reason}" if reason else self.code
