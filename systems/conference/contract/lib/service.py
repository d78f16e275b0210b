"""The service as its callers see it: paths, bodies, and how one is asked."""

import json
from collections.abc import Mapping
from typing import Any, Final

from loadstone.contract.client import Answer
from loadstone.contract.expect import expect_equal
from loadstone.contract.faults import ServiceFault
from loadstone.contract.subject import Subject

LIST: Final = "/conferences"
WITH_COUNTRY: Final = "/conferenceswithcountry"
LIVE: Final = "/healthz"
READY: Final = "/readyz"

JSON: Final = ("Content-Type", "application/json")
MANY_SECONDS: Final = 60.0
"""For a check of some hundred requests: a JVM is slow at first on a busy machine."""
STARTS_SECONDS: Final = 240.0
"""For one that starts the service several times: a JVM may take half a minute on a slow core."""

MOST_BODY_BYTES: Final = 16_384
MOST_ID_CHARACTERS: Final = 64
MOST_NAME_CHARACTERS: Final = 191


class NotJson(ServiceFault):
    """A body that should be JSON is none."""


def compact(value: object) -> bytes:
    """The bytes of a value as the service writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def conference(identifier: str, name: str) -> dict[str, str]:
    """A row as it is sent and answered."""
    return {"id": identifier, "name": name}


def path_of(identifier: str) -> str:
    """The path of a row."""
    return f"{LIST}/{identifier}"


def get(subject: Subject, target: str) -> Answer:
    """Ask by GET."""
    return subject.ask(target, method="GET")


def insert(subject: Subject, body: object) -> Answer:
    """Ask for a row; `body` is any JSON value."""
    return insert_bytes(subject, json.dumps(body).encode())


def insert_bytes(subject: Subject, body: bytes) -> Answer:
    """The same with bytes as they are."""
    return subject.ask(LIST, [JSON], body, method="POST")


def replace(subject: Subject, identifier: str, body: object) -> Answer:
    """Ask for another name of a row."""
    return subject.ask(path_of(identifier), [JSON], json.dumps(body).encode(), method="PUT")


def remove(subject: Subject, identifier: str) -> Answer:
    """Ask to remove a row."""
    return subject.ask(path_of(identifier), method="DELETE")


def read_json(body: bytes) -> Any:
    """The value of a body. Raises NotJson."""
    try:
        return json.loads(body.decode("utf-8"))
    except ValueError as error:
        raise NotJson(f"not JSON: {error} in {body[:80]!r}") from error


def rows_of(answer: Answer, members: tuple[str, str] = ("id", "name")) -> list[dict[str, str]]:
    """The rows of a list. Raises AssertionError where it is not 200, or holds anything else."""
    expect_equal(answer.status, 200, "the status of a list")
    rows = read_json(answer.body)
    if not isinstance(rows, list) or not all(_is_row(row, members) for row in rows):
        raise NotJson(f"not a list of {' and '.join(members)}: {answer.body[:80]!r}")
    expect_equal(answer.body, compact(rows), "the list, not as compact as it could be,")
    return rows


def listed(subject: Subject) -> list[dict[str, str]]:
    """The rows of `list` now."""
    return rows_of(get(subject, LIST))


def expect_json(answer: Answer, status: int, value: object, what: str) -> None:
    """Expect exactly this value, compact, and its media type."""
    expect_equal(answer.status, status, f"the status of {what}")
    expect_equal(answer.values("content-type"), ("application/json",), f"Content-Type of {what}")
    expect_equal(answer.body, compact(value), f"the body of {what}")


def expect_row(subject: Subject, identifier: str, name: str) -> None:
    """Expect that `get` returns the row."""
    answer = get(subject, path_of(identifier))
    expect_json(answer, 200, conference(identifier, name), f"get of {identifier}")


def _is_row(row: object, members: tuple[str, str]) -> bool:
    return (
        isinstance(row, Mapping)
        and tuple(row) == members
        and all(isinstance(value, str) for value in row.values())
    )
