"""A recording in the HTTP Archive format (HAR 1.2), as the requests of one host in their order."""

from base64 import b64decode
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from loadstone.errors import InputError
from loadstone.openapi.plain_tree import read_tree
from loadstone.study.values.target import names_loopback

MOST_BYTES = 64 << 20
"""Recordings hold the bodies of answers; a page of a large application has some MiB."""
MOST_ENTRIES = 20_000
"""An hour of a busy page."""

_ASSET_KINDS = frozenset(
    {"stylesheet", "script", "image", "font", "media", "manifest", "texttrack"}
)
"""`_resourceType`, as browsers write it."""
_ASSET_TYPES = (
    *("image/", "font/", "audio/", "video/"),
    *("text/css", "application/font", "application/wasm"),
)
_SCRIPTS = ("javascript", "ecmascript")
_ASSET_SUFFIXES = (
    *(
        ".js",
        ".mjs",
        ".css",
        ".map",
        ".png",
        ".jpg",
        ".jpeg",
        ".gif",
        ".svg",
        ".webp",
        ".avif",
        ".ico",
    ),
    *(".woff", ".woff2", ".ttf", ".otf", ".eot", ".mp4", ".webm", ".mp3", ".wasm", ".webmanifest"),
)

_OF_PAGES = ("GET", "HEAD", "OPTIONS")
"""Methods by which pages are asked for."""


@dataclass(frozen=True)
class Recorded:
    """One request of a recording, and what is known of its answer."""

    method: str
    """In capitals."""
    url: SplitResult
    headers: tuple[tuple[str, str], ...]
    body: Mapping[str, Any] | None
    """`postData`, where there is one."""
    status: int
    """0: it was not answered."""
    answer_headers: tuple[tuple[str, str], ...]
    answer_type: str
    answer_text: str | None
    """The body of the answer, where the recording has it as text."""
    kind: str
    """What the browser took it for."""
    began: datetime | None
    took: timedelta

    @property
    def is_asset(self) -> bool:
        """Whether it is a static part of a page."""
        return (
            self.kind.lower() in _ASSET_KINDS
            or self.answer_type.startswith(_ASSET_TYPES)
            or any(each in self.answer_type for each in _SCRIPTS)
            or self.url.path.lower().endswith(_ASSET_SUFFIXES)
        )

    @property
    def host(self) -> str:
        """Host and port."""
        return self.url.netloc.rpartition("@")[2].lower()

    @property
    def origin(self) -> tuple[str, str]:
        """Scheme and host: what one service is called by."""
        return self.url.scheme, self.host

    @property
    def machine(self) -> str:
        """The host's name alone, the same for every name of loopback."""
        name = self.url.hostname or ""
        return "localhost" if names_loopback(name) else name

    @property
    def is_of_api(self) -> bool:
        """Whether it was answered in JSON, or asked for more than a page."""
        return not self.is_asset and ("json" in self.answer_type or self.method not in _OF_PAGES)

    @property
    def ended(self) -> datetime | None:
        """When its answer was there; none where the recording does not tell."""
        try:
            return None if self.began is None else self.began + self.took
        except OverflowError:
            return None


@dataclass(frozen=True)
class Recording:
    """The requests of the service that was recorded, and those to others."""

    host: str
    """With its port."""
    of_service: Sequence[Recorded]
    """In their order; at least one."""
    elsewhere: Sequence[Recorded]
    """Those to other hosts."""

    @property
    def others(self) -> Sequence[tuple[str, int]]:
        """Other hosts and how many requests they got, the most first."""
        return Counter(each.host for each in self.elsewhere).most_common()


def read_har(path: Path) -> Recording:
    """Read a recording: the requests of its first host.

    Where that gave pages alone, as a server of a single-page application does, and another port of
    the same machine answered in JSON, it is that one. Raises InputError.
    """
    tree = read_tree(path, "HAR", MOST_BYTES)
    log = tree.get("log")
    entries = log.get("entries") if isinstance(log, dict) else None
    if not isinstance(entries, list):
        raise InputError(
            "is no HAR: it has no list log.entries",
            path=path,
            key="log.entries",
            remedy="save one from a browser: developer tools, Network, Save all as HAR",
        )
    if len(entries) > MOST_ENTRIES:
        raise InputError(
            f"has {len(entries)} requests, {MOST_ENTRIES} at most",
            path=path,
            key="log.entries",
            remedy="record what one user does",
        )
    found = [each for each in map(_recorded, entries) if each is not None]
    if not found:
        raise InputError(
            "has no request by HTTP",
            path=path,
            key="log.entries",
            remedy="record while you use the service, then: loadstone init --har FILE",
        )
    return _of_service(found)


def _of_service(found: Sequence[Recorded]) -> Recording:
    first = found[0]
    asked = [each for each in found if each.is_of_api and each.machine == first.machine]
    service = asked[0] if asked else first
    return Recording(
        service.host,
        [each for each in found if each.origin == service.origin],
        [each for each in found if each.origin != service.origin],
    )


def _recorded(entry: Any) -> Recorded | None:
    """An entry; none for what is no request by HTTP."""
    request, response = _mapping(entry, "request"), _mapping(entry, "response")
    url, method = request.get("url"), request.get("method")
    if not isinstance(url, str) or not isinstance(method, str):
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host:
        return None
    content = _mapping(response, "content")
    status = response.get("status")
    body = request.get("postData")
    return Recorded(
        method=method.upper(),
        url=parts,
        headers=_headers(request),
        body=body if isinstance(body, dict) else None,
        status=status if isinstance(status, int) and not isinstance(status, bool) else 0,
        answer_headers=_headers(response),
        answer_type=str(content.get("mimeType") or "").lower(),
        answer_text=_answer_text(content),
        kind=str(entry.get("_resourceType") or ""),
        began=_moment(entry.get("startedDateTime")),
        took=_milliseconds(entry.get("time")),
    )


def _answer_text(content: Mapping[str, Any]) -> str | None:
    """The body of an answer as text; none where it has none. Browsers write some in Base64."""
    text, encoding = content.get("text"), content.get("encoding")
    if not isinstance(text, str) or encoding is None:
        return text if isinstance(text, str) else None
    try:
        return b64decode(text, validate=True).decode() if encoding == "base64" else None
    except ValueError:
        return None


def _mapping(value: Any, key: str) -> Mapping[str, Any]:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _headers(message: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    typed = message.get("headers")
    entries = typed if isinstance(typed, list) else ()
    pairs = ((_text(each, "name"), _text(each, "value")) for each in entries)
    return tuple((name, value) for name, value in pairs if name)


def _text(value: Any, key: str) -> str:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def _moment(value: Any) -> datetime | None:
    """A time with its zone; none where it is not one."""
    try:
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return None if found.tzinfo is None else found


def _milliseconds(value: Any) -> timedelta:
    try:
        return timedelta(milliseconds=max(0.0, float(value)))
    except (TypeError, ValueError, OverflowError):
        return timedelta()
