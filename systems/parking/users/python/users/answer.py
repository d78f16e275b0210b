"""Answers in JSON: compact, in UTF-8, and without a charset in their type."""

from collections.abc import Mapping

from pydantic_core import to_json
from starlette.responses import Response

JSON_TYPE = "application/json"

OK = 200
CREATED = 201


def answer(value: object, status: int = OK, headers: Mapping[str, str] | None = None) -> Response:
    """Return the answer with a value."""
    return answer_content(to_json(value), status, headers)


def answer_content(
    content: bytes, status: int = OK, headers: Mapping[str, str] | None = None
) -> Response:
    """Return the answer with JSON that is there already."""
    return Response(content, status, headers, JSON_TYPE)


def created(value: object, location: str) -> Response:
    """Return the answer 201 of what is at a path from now on."""
    return answer(value, CREATED, {"location": location})
