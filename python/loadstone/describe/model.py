"""What is known of an API before its files are written: the requests that can be made, and those that
cannot.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from loadstone.errors import LoadstoneError

BodyKind = Literal["json", "form", "body"]
"""The key of a step that holds the body: a JSON value, the names and values of a form, or a text."""
CaptureSource = str | Mapping[str, str]
"""Where a captured value stands in an answer, as a step has it: a JSON pointer, or `{header: NAME}`."""
_VARIABLE = re.compile(r"env\.(\w+)(?=[)}])")
"""Of an environment, in a template: alone, or as what a function is given."""
_CAPTURED = re.compile(r"\{\{\w+\}\}")
"""A value of a step before, in a template."""


class CannotMake(LoadstoneError):
    """Why a request, or a value of it, cannot be made."""


@dataclass(frozen=True)
class Body:
    """The body of a request."""

    kind: BodyKind
    value: Any
    """With templates, as a step has them."""


@dataclass(frozen=True)
class MadeRequest:
    """One request of a session. Its texts are as a step has them: braces are written as `{{'{{'}}`."""

    name: str
    """Of the operation."""
    method: str
    """In lower case: the step's key."""
    path: str
    """With its query."""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Body | None = None
    status: int | None = None
    """What its answer must have; none: any 2xx."""
    any_status: bool = False
    """Of what the start-up clock asks: every status below 500 will do."""
    captures: Mapping[str, CaptureSource] = field(default_factory=dict)
    """Values of its answer that later steps send, by their names."""
    pause_ms: int = 0
    """Behind it."""
    said: str = ""
    """A comment beside it, such as where its values are from."""

    @property
    def is_read(self) -> bool:
        """Whether it changes nothing by what its method means (RFC 9110, section 9.2.1)."""
        return self.method in ("get", "head")

    @property
    def content(self) -> tuple[Any, ...]:
        """What it asks and expects, without its name: equal ones are one operation."""
        captures = dict(self.captures)
        return self.method, self.path, dict(self.headers), self.body, self.status, captures

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables of the environment that are filled in."""
        return tuple(_VARIABLE.findall(repr((self.path, dict(self.headers), self.body))))

    @property
    def stands_alone(self) -> bool:
        """Whether it needs no step before it."""
        return not _CAPTURED.search(repr((self.path, dict(self.headers), self.body)))

    @property
    def has_templates(self) -> bool:
        """Whether something is filled in, such as a variable of the environment."""
        return "{{" in repr((self.path, dict(self.headers), self.body))


@dataclass(frozen=True)
class LeftOut:
    """A request that is not made."""

    title: str
    """Method and path."""
    reason: str


@dataclass(frozen=True)
class MadeWorkload:
    """One workload: a session of requests."""

    name: str
    group: str
    about: str
    """What it is, as the first comment of its file."""
    requests: Sequence[MadeRequest]
    left_out: Sequence[LeftOut] = ()
    cookies: bool = False
    """Whether a session keeps the cookies that answers set."""
    is_independent: bool = True
    """Whether each request stands for itself: one that fails does not end the session then."""

    @property
    def pauses(self) -> bool:
        """Whether users pause, so that it is their number and not the service that sets throughput."""
        return any(each.pause_ms for each in self.requests)


@dataclass(frozen=True)
class Secret:
    """A secret that was masked."""

    variable: str
    """Of the environment, in its place."""
    seen_in: str
    """Where it stood, for people."""


@dataclass(frozen=True)
class Description:
    """What is known of an API."""

    made_of: str
    """What it is made of, for people: `openapi.yaml`, or a URL."""
    title: str
    workloads: Sequence[MadeWorkload]
    """At least one. The study has those whose names are in `measured`."""
    measured: Sequence[str]
    ready: MadeRequest
    """What the start-up clock asks: without templates."""
    checks: Sequence[MadeRequest]
    document: Path | None = None
    """An OpenAPI document that answers are held against."""
    secrets: Sequence[Secret] = ()
    notes: Sequence[str] = ()
    """What is to be told on the terminal."""

    @property
    def needed_variables(self) -> frozenset[str]:
        """Those of the environment without which its study is not begun."""
        measured = (each for each in self.workloads if each.name in self.measured)
        sent = (*self.checks, *(request for each in measured for request in each.requests))
        return frozenset(name for request in sent for name in request.variables)
