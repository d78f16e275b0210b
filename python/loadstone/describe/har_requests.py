"""A recording as one session: its requests in their order, with its pauses, and without its secrets.

Static assets are left out, and headers that are a browser's own. A request that came twice is one
operation. Cookies that the service set are kept by the session; those from before are a secret.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from loadstone.describe.har_captures import SessionMasks
from loadstone.describe.har_file import Recorded, Recording, read_har
from loadstone.describe.har_secrets import JSON, body_of, learn_secrets, query_of
from loadstone.describe.literal import header_name, header_value, path_literal, query_value
from loadstone.describe.model import (
    Body,
    CannotMake,
    Description,
    LeftOut,
    MadeRequest,
    MadeWorkload,
    Secret,
)
from loadstone.describe.names import name_of, unused
from loadstone.describe.ready_request import without_secrets
from loadstone.describe.step_text import entry_lines
from loadstone.describe.yaml_text import unwritable
from loadstone.errors import InputError
from loadstone.study.files.operation_file import ENGINE_HEADERS, METHODS
from loadstone.study.files.workload_file import MOST_CELLS
from loadstone.text.quoted import shortened
from loadstone.text.words import counted

WORKLOAD, GROUP = "recorded", "visitors"
MOST_STEPS = 500
MOST_BYTES = 768 << 10
"""Of a session: its file may have a MiB."""
LONGEST_PAUSE_MS = 30_000
"""Whoever was away for longer was not using the service."""
LEAST_PAUSE_MS = 10
"""What is shorter is a program's, not a person's."""
_MOST_HOSTS = 5
"""That are left out, and named."""
_CHECKS = 5
_NOT_MODIFIED = 304
"""The answer to a browser that has a copy, as a session has none."""

_OF_BROWSERS = frozenset(
    {
        "accept-charset",
        "accept-encoding",
        "cache-control",
        "cookie",
        "dnt",
        "if-match",
        "if-modified-since",
        "if-none-match",
        "if-range",
        "if-unmodified-since",
        "origin",
        "pragma",
        "priority",
        "purpose",
        "range",
        "referer",
        "save-data",
        "upgrade-insecure-requests",
        "user-agent",
    }
)
"""Headers that say something of a browser, and nothing of what is asked."""
_OF_BROWSERS_TOO = ("sec-", ":", "proxy-")
"""What the names of others begin with."""


@dataclass
class _Session:
    """The session so far."""

    steps: list[MadeRequest] = field(default_factory=list)
    distinct: dict[str, MadeRequest] = field(default_factory=dict)
    """By name."""
    left_out: list[LeftOut] = field(default_factory=list)
    bytes_written: int = 0

    def add(self, request: MadeRequest) -> None:
        """Add a step: under the name of an equal one, else of its own. Raises CannotMake."""
        if len(self.steps) >= MOST_STEPS:
            raise CannotMake(f"it stands behind the first {MOST_STEPS} requests")
        written = len("\n".join(entry_lines(request)).encode())
        if self.bytes_written + written > MOST_BYTES:
            raise CannotMake("the file of the session would be larger than the lab reads")
        same = (name for name, each in self.distinct.items() if each.content == request.content)
        name = next(same, None)
        if name is None:
            if len(self.distinct) >= MOST_CELLS:
                raise CannotMake(f"a workload has {MOST_CELLS} different requests at most")
            name = unused(request.name, self.distinct)
            self.distinct[name] = replace(request, name=name)
        self.steps.append(replace(request, name=name))
        self.bytes_written += written


def har_description(path: Path) -> Description:
    """What a recording says of an API. Raises InputError."""
    recording = read_har(path)
    recorded = recording.of_service
    kept = [each for each in recorded if not each.is_asset]
    masks = SessionMasks(kept)
    for each in (*kept, *recording.elsewhere):
        learn_secrets(masks, each)
    sets_cookies = any(
        name.lower() == "set-cookie" for each in kept for name, _ in each.answer_headers
    )
    session = _Session()
    for position, each in enumerate(kept):
        following = kept[position + 1] if position + 1 < len(kept) else None
        try:
            request = _request(masks, each, sets_cookies=sets_cookies)
            captured = masks.captures_of(each, position)
            session.add(
                replace(
                    request,
                    captures={one.name: one.source for one in captured},
                    pause_ms=_pause_ms(each, following),
                )
            )
            masks.know(captured)
        except CannotMake as error:
            session.left_out.append(LeftOut(_title(masks, each), error.message))
    if not session.steps:
        raise _nothing(path, recorded, session.left_out)
    workload = MadeWorkload(
        name=WORKLOAD,
        group=GROUP,
        about=f"What one visitor did in {path.name}, with the pauses of the recording.",
        requests=session.steps,
        left_out=session.left_out,
        cookies=sets_cookies,
        is_independent=False,
    )
    alone = (each for each in session.distinct.values() if each.is_read and each.stands_alone)
    reads = [replace(each, captures={}) for each in alone]
    plain = [each for each in reads if not each.has_templates]
    return Description(
        made_of=path.name,
        title=f"The service that was recorded in {path.name}",
        workloads=[workload],
        measured=[WORKLOAD],
        ready=plain[0] if plain else without_secrets(session.steps[0]),
        # Behind a log-in a check is refused: it has no session.
        checks=[] if sets_cookies else reads[:_CHECKS],
        secrets=_sent_secrets(masks, session),
        notes=tuple(_notes(recording, kept, session)),
    )


def _sent_secrets(masks: SessionMasks, session: _Session) -> tuple[Secret, ...]:
    """Those whose variables stand in the session: others were in answers, or in what is left out."""
    sent = {name for step in session.steps for name in step.variables}
    return tuple(each for each in masks.secrets if each.variable in sent)


def _request(masks: SessionMasks, recorded: Recorded, *, sets_cookies: bool) -> MadeRequest:
    """A recorded request as a step. Raises CannotMake."""
    if recorded.method.lower() not in METHODS:
        raise CannotMake(f"sessions do not send {shortened(recorded.method)}")
    if not recorded.status:
        raise CannotMake("it was not answered")
    path = _path(masks, recorded)
    if {".", ".."} & set(path.split("/")):
        raise CannotMake("its path has a segment of dots")
    pairs = [
        f"{_of_query(masks, name)}={_of_query(masks, value, name)}"
        for name, value in query_of(recorded)
    ]
    body, media_type = _body(masks, recorded)
    headers = _headers(masks, recorded, sets_cookies=sets_cookies)
    headers |= {} if media_type is None else {"content-type": media_type}
    known = 200 <= recorded.status <= 599 and recorded.status != _NOT_MODIFIED
    target = path + (f"?{'&'.join(pairs)}" if pairs else "")
    for part in (target, headers, None if body is None else body.value):
        if reason := unwritable(part):
            raise CannotMake(f"a value of it {reason}")
    return MadeRequest(
        name=name_of(f"{recorded.method} {'-'.join(_words(path))}", "request"),
        method=recorded.method.lower(),
        path=target,
        headers=headers,
        body=body,
        status=recorded.status if known else None,
    )


def _title(masks: SessionMasks, recorded: Recorded) -> str:
    """Method and path, without its secrets."""
    try:
        path = _path(masks, recorded)
    except CannotMake:
        path = "a path that cannot be sent"
    return f"{shortened(recorded.method)} {shortened(path)}"


def _path(masks: SessionMasks, recorded: Recorded) -> str:
    """The path without its secrets. Raises CannotMake."""
    segments = recorded.url.path.split("/") if recorded.url.path else ["", ""]
    return "/".join(
        masks.template_in(unquote(each), "id", "/".join(segments[:position]), query_value)
        or path_literal(each)
        for position, each in enumerate(segments)
    )


def _words(path: str) -> Iterator[str]:
    """The segments of a path that are no secrets."""
    return (each for each in path.split("/") if "{{" not in each)


def _of_query(masks: SessionMasks, text: str, name: str = "") -> str:
    return masks.template_in(text, name, written=query_value) or query_value(text)


def _headers(masks: SessionMasks, recorded: Recorded, *, sets_cookies: bool) -> dict[str, str]:
    """The headers that are not a browser's. Raises CannotMake."""
    headers: dict[str, str] = {}
    for typed, value in recorded.headers:
        name, value = typed.lower(), value.strip()
        if name == "cookie" and not sets_cookies and value:
            headers[name] = masks.text(value, name)
            continue
        is_kept = name not in _OF_BROWSERS | ENGINE_HEADERS | {"content-type"}
        if value and is_kept and not name.startswith(_OF_BROWSERS_TOO):
            headers[header_name(name)] = masks.template(value, name) or header_value(value)
    return headers


def _body(masks: SessionMasks, recorded: Recorded) -> tuple[Body | None, str | None]:
    """The body, and the media type that its kind does not say already. Raises CannotMake."""
    kind, value = body_of(recorded)
    if kind == "none":
        return None, None
    if kind == "other":
        raise CannotMake(
            "its body is neither JSON nor a form, so that nobody can tell secrets in it"
        )
    if reason := unwritable([list(each) for each in value] if kind == "form" else value):
        raise CannotMake(f"its body {reason}")
    if kind == "form":
        fields = {name: masks.text(text, name) for name, text in value}
        if len(fields) < len(value):
            raise CannotMake("its form has a name twice")
        return Body("form", fields), None
    media_type = _media_type(recorded.body or {})
    return Body("json", masks.tree(value)), None if media_type == JSON else header_value(media_type)


def _media_type(body: Mapping[str, Any]) -> str:
    return str(body.get("mimeType") or JSON).strip()


def _pause_ms(recorded: Recorded, following: Recorded | None) -> int:
    """From the end of an answer to the next request, as far as the recording tells."""
    if following is None or following.began is None or recorded.ended is None:
        return 0
    pause_ms = (following.began - recorded.ended) // timedelta(milliseconds=1)
    return 0 if pause_ms < LEAST_PAUSE_MS else min(pause_ms, LONGEST_PAUSE_MS)


def _notes(recording: Recording, kept: Sequence[Recorded], session: _Session) -> Iterator[str]:
    steps = counted(len(session.steps), "request")
    yield f"{steps} to {shortened(recording.host)} in one session"
    if others := recording.others:
        named = ", ".join(f"{shortened(host)} ({n})" for host, n in others[:_MOST_HOSTS])
        more = ", and more" if len(others) > _MOST_HOSTS else ""
        yield f"requests to other hosts left out: {named}{more}"
    if assets := len(recording.of_service) - len(kept):
        yield f"{counted(assets, 'static asset')} left out"
    if session.left_out:
        yield (
            f"{counted(len(session.left_out), 'request')} left out; each is named with its reason in "
            f"workloads/{WORKLOAD}.yaml"
        )
    writes = sum(not each.is_read for each in session.steps)
    if writes:
        yield f"{counted(writes, 'request')} of it may change data, and each session sends them again"


def _nothing(path: Path, recorded: Sequence[Recorded], left_out: Sequence[LeftOut]) -> InputError:
    why = f": {left_out[0].title}: {left_out[0].reason}" if left_out else ", only static assets"
    return InputError(
        f"none of its {counted(len(recorded), 'request')} can be sent{why}",
        path=path,
        key="log.entries",
        remedy="record what a user does with the API, then: loadstone init --har FILE",
    )
