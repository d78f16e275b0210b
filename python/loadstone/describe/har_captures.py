"""Values of answers that later requests of a recording send again: the token of a log-in, the id of
what was just made. A session takes them from its own answers, as the recorded ones are long gone.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from loadstone.describe.har_file import Recorded
from loadstone.describe.har_secrets import answered, body_of, query_of
from loadstone.describe.literal import literal
from loadstone.describe.model import CaptureSource
from loadstone.describe.names import unused, value_of
from loadstone.describe.secret_values import Masks, is_id_name
from loadstone.study.templates.names import RESERVED

_LEAST_CHARACTERS = 8
"""Of a value that is known wherever it stands; a shorter one is known as a whole, and by its name."""
_MOST_CHARACTERS = 16 << 10
"""Of what a session captures."""
_MOST_SEGMENTS = 8
"""Of a JSON pointer."""
_MOST_OF_ANSWER = 8
_MOST = 200
"""Of a session: each is looked for in every text that is written."""
_READS = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True)
class Captured:
    """A value of an answer that is sent later."""

    text: str
    source: CaptureSource
    name: str
    is_secret: bool
    """Else it is an id."""
    asked_path: str
    """Of an id: what it is an id in."""


class SessionMasks(Masks):
    """The secrets of a recording, and what the steps so far have captured, which is no secret then."""

    def __init__(self, kept: Sequence[Recorded]) -> None:
        super().__init__()
        self._first: dict[tuple[str, bool], int] = {}
        """Of each text that is sent, and whether it may be an id: the first request that sends it."""
        self._last: dict[tuple[str, bool], int] = {}
        self._captured: list[Captured] = []
        self._names: set[str] = set(RESERVED)
        for position, each in enumerate(kept):
            for text, name in _sent_by(each):
                for word in (text, *text.split()):
                    for as_id in (False, True) if _may_be_id(word, name) else (False,):
                        self._first.setdefault((word, as_id), position)
                        self._last[word, as_id] = position

    def captures_of(self, recorded: Recorded, position: int) -> Sequence[Captured]:
        """What a session captures of the answer to this request, as later ones send it again."""
        found: list[Captured] = []
        known = {each.text for each in self._captured if each.is_secret}
        own = set(_echoed(recorded))
        for text, source, key, is_secret in _values(self, recorded):
            sent = (text, not is_secret)
            # A secret that was sent before is not the answer's. Two things may have the same id.
            was_sent = self._first.get(sent, position + 1) <= position
            is_old = was_sent if is_secret else not own.isdisjoint((("", text), (source, text)))
            if (
                is_old
                or not known.isdisjoint((text, *text.split()))
                or self._last.get(sent, -1) <= position
            ):
                continue
            if len(found) == _MOST_OF_ANSWER or len(self._captured) + len(found) == _MOST:
                break
            name = unused(value_of(key, "answered"), self._names, "_")
            self._names.add(name)
            known.add(text)
            found.append(Captured(text, source, name, is_secret, recorded.url.path))
        return found

    def know(self, captured: Sequence[Captured]) -> None:
        """Know what a step captures, for those behind it."""
        self._captured += captured

    def template(self, text: str, name: str = "") -> str | None:
        """The same, with captured values, too."""
        return self.template_in(text, name)

    def template_in(
        self,
        text: str,
        name: str,
        collection: str = "",
        written: Callable[[str], str] = literal,
    ) -> str | None:
        """The same where some values fit better: of an id those of its collection, else the newest.

        `collection` is the path before a segment; `written` how what is no secret stands beside one.
        """
        fitting = [each for each in self._captured if _is_in(each, text, name)]
        at = [each for each in fitting if each.asked_path.strip("/") == collection.strip("/")]
        for captured in (at or fitting)[-1:]:
            before, _, after = text.partition(captured.text)
            if not self.has_secret(before) and not self.has_secret(after):
                return f"{written(before)}{{{{{captured.name}}}}}{written(after)}"
        return super().template(text, name)


def _is_in(captured: Captured, text: str, name: str) -> bool:
    if captured.is_secret:
        return captured.text in (text, *text.split())
    return captured.text == text and _may_be_id(text, name)


def _may_be_id(text: str, name: str) -> bool:
    return is_id_name(name) or len(text) >= _LEAST_CHARACTERS


def _sent_by(recorded: Recorded) -> Iterator[tuple[str, str]]:
    """The texts that a request sends, each with the name of what holds it."""
    yield from ((unquote(each), "id") for each in recorded.url.path.split("/"))
    yield from ((value, name) for name, value in query_of(recorded))
    yield from ((value, name) for name, value in recorded.headers if name.lower() != "cookie")
    kind, body = body_of(recorded)
    if kind == "form":
        yield from ((value, name) for name, value in body)
    elif kind == "json":
        yield from ((text, key) for _, key, text in _leaves(body))


def _echoed(recorded: Recorded) -> Iterator[tuple[CaptureSource, str]]:
    """Ids that a request names itself: in its path, and where its body has them as the answer might."""
    yield from (("", unquote(each)) for each in recorded.url.path.split("/"))
    kind, body = body_of(recorded)
    if kind == "json":
        yield from ((pointer, text) for pointer, _, text in _leaves(body))


def _values(masks: Masks, recorded: Recorded) -> Iterator[tuple[str, CaptureSource, str, bool]]:
    """What an answer gives that may be sent again, where it stands, its name, whether it is secret."""
    if not 200 <= recorded.status < 300:
        return
    makes = recorded.method not in _READS
    for pointer, key, text in _leaves(answered(recorded)):
        is_secret = masks.knows(text)
        if len(text) <= _MOST_CHARACTERS and (is_secret or (makes and is_id_name(key))):
            yield text, pointer, key, is_secret
    for name, text in recorded.answer_headers:
        if name.lower() != "set-cookie" and masks.knows(text):
            yield text, {"header": name.lower()}, name, True


def _leaves(tree: Any) -> Iterator[tuple[str, str, str]]:
    """Pointer, name and text of every text and whole number inside, as far as a pointer may reach."""
    pending: list[tuple[tuple[str, ...], str, Any]] = [((), "", tree)]
    while pending:
        at, key, value = pending.pop()
        if isinstance(value, dict | list):
            if len(at) < _MOST_SEGMENTS:
                pending += [
                    ((*at, part), name, each)
                    for part, name, each in _members(value, key)
                    if part != "*"  # which stands for any element
                ]
        elif at and isinstance(value, str | int) and value != "" and not isinstance(value, bool):
            parts = (each.replace("~", "~0").replace("/", "~1") for each in at)
            yield "".join(f"/{each}" for each in parts), key, str(value)


def _members(value: dict[str, Any] | list[Any], key: str) -> Iterator[tuple[str, str, Any]]:
    """Part of a pointer, name and value; the elements of a list have the list's name."""
    if isinstance(value, dict):
        yield from ((name, name, each) for name, each in value.items())
    else:
        yield from ((str(number), key, each) for number, each in enumerate(value))
