"""What a session sends, by a plain interpreter of the engine's plan.

`Session(plan, group, number, ...).requests(answer)` yields the requests of one session in their order,
where `answer` is a function that answers each. The generator returns how the session ended. It follows
the nested plan by recursion and has no clock but the one that it is given, no connections and no limits
of size: what is left is the meaning of a plan, and the engine must send the same bytes.

A user's first session performs `once` before; pass the `Session` of before as `after` for a later one,
which then has its captures and cookies. Left out: redirects, compressed bodies, and `Expires` and
`Domain` of cookies. Texts and values are `session_values.py`, what is seen in an answer `answers.py`.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from answers import Answer, Json, Text, is_equal, parsed, scalar_of, set_cookies, values_at
from draws import CHOOSE, PICK, below, mix
from session_values import Known, SessionValues, UnsendableError


class Request(NamedTuple):
    """One request of a session."""

    cell: str
    step: int
    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    body: str


class Ended(NamedTuple):
    """How a session ended."""

    how: Literal["finished", "ended_early", "aborted"]
    outcome: str = "ok"
    """Of the request that aborted it."""


class SessionEnd(Exception):  # it is none
    """The session has ended."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(ended)
        self.ended = ended


@dataclass
class Session(SessionValues):
    """One session of a group of a plan."""

    after: "Session | None" = None
    """The session before of the same user; none: it is its first."""
    cookies: dict[tuple[str, str], str] = field(init=False)
    """By name and path."""
    kept: tuple[list[Known], dict[tuple[str, str], str]] = field(init=False)
    """What `once` left."""

    def __post_init__(self) -> None:
        empty: list[Known] = [None] * len(self.of["values"])
        values, cookies = (empty, {}) if self.after is None else self.after.kept
        self.cookies = dict(cookies)
        self.begin(values)
        self.kept = (list(self.values), dict(self.cookies))

    def requests(self, answer: Callable[[Request], Answer]) -> Generator[Request, None, Ended]:
        """Its requests; returns how it ended."""
        once, session = self.of["once"], self.of["session"]
        try:
            if self.after is None:
                yield from self._nodes(once, 0, answer)
                self.kept = (list(self.values), dict(self.cookies))
            else:
                self.kept = self.after.kept
            yield from self._nodes(session, _sends(once), answer)
        except SessionEnd as end:
            return end.ended
        return Ended("finished")

    def _nodes(
        self, nodes: Sequence[Json], step: int, answer: Callable[[Request], Answer]
    ) -> Generator[Request, None, None]:
        for node in nodes:
            match node:
                case {"send": send}:
                    yield from self._send(send, step, answer)
                case {"choose": choose}:
                    yield from self._choose(choose, step, answer)
                case {"repeat": repeat}:
                    for turn in range(self.integer(repeat["times"])):
                        self.turns.append(turn)
                        yield from self._nodes(repeat["steps"], step, answer)
                        self.turns.pop()
            step += _sends([node])

    def _choose(
        self, choose: Json, step: int, answer: Callable[[Request], Answer]
    ) -> Generator[Request, None, None]:
        alternatives = choose["alternatives"]
        roll = below(
            self.draw(CHOOSE, choose["draw"]), sum(each["weight"] for each in alternatives)
        )
        for alternative in alternatives:
            if roll < alternative["weight"]:
                yield from self._nodes(alternative["steps"], step, answer)
                return
            roll -= alternative["weight"]
            step += _sends(alternative["steps"])

    def _send(
        self, send: Json, step: int, answer: Callable[[Request], Answer]
    ) -> Generator[Request, None, None]:
        operation = self.of["operations"][send["operation"]]
        when = send["when"]
        if when is not None and self.values[when] in (None, Text("")):
            return
        try:
            request = self._request(operation, step)
        except UnsendableError:
            self._failed(operation, "not_sent")
            return
        yield request
        answered = answer(request)
        if self.of["cookies"]:
            self._take_cookies(request, answered)
        self._judge(operation, answered)

    def _request(self, operation: Json, step: int) -> Request:
        path = self.text(operation["path"])
        headers = [(name, self._header(pieces)) for name, pieces in operation["headers"]]
        if cookies := self._cookies_for(path):
            headers.append(("cookie", cookies))
        body = self.text(operation["body"])
        if any(segment in (".", "..") for segment in path.partition("?")[0].split("/")):
            raise UnsendableError
        return Request(operation["cell"], step, operation["method"], path, tuple(headers), body)

    def _header(self, pieces: Sequence[Any]) -> str:
        text = self.text(pieces)
        if any(not isinstance(piece, str) for piece in pieces) and text != text.strip(" "):
            raise UnsendableError
        return text

    def _failed(self, operation: Json, outcome: str) -> None:
        for capture in operation["captures"]:
            self.values[capture["value"]] = None
        if operation["on_failure"] == "end":
            raise SessionEnd(Ended("aborted", outcome))

    def _judge(self, operation: Json, answer: Answer) -> None:
        """Judge an answer, and take what is captured of it."""
        check = operation["check"]
        if answer.status in check["or_end"]:
            raise SessionEnd(Ended("ended_early"))
        is_expected = (
            answer.status in check["status"] if check["status"] else 200 <= answer.status < 300
        )
        if not is_expected:
            self._failed(operation, "status")
            return
        found = self._captured(operation, answer) if self._holds(check, answer) else None
        if found is None:
            self._failed(operation, "check")
            return
        ends = False
        for capture, text in zip(operation["captures"], found, strict=True):
            if text is None and isinstance(capture["or"], dict):
                text = Text(capture["or"]["value"])
            ends = ends or text is None
            self.values[capture["value"]] = text
        if ends:
            raise SessionEnd(Ended("ended_early"))

    def _holds(self, check: Json, answer: Answer) -> bool:
        body = parsed(answer.body) if check["json"] else None
        for member in check["json"]:
            found = [] if body is None else list(values_at(body.value, member["pointer"]))
            if body is None or not self._is(member["is"], found):
                return False
        for header in check["header"]:
            texts = [
                value for name, value in answer.headers if name.lower() == header["name"].lower()
            ]
            if not self._is(header["is"], texts[:1]):
                return False
        contains = check["body_contains"]
        return contains is None or self.text(contains) in answer.body

    def _is(self, wanted: Any, found: Sequence[Any]) -> bool:
        match wanted:
            case "present":
                return bool(found)
            case "absent":
                return not found
            case {"value": value}:
                return any(is_equal(each, value) for each in found)
            case {"text": pieces}:
                text = self.text(pieces)
                return any(
                    (scalar := scalar_of(each)) is not None and scalar.text == text
                    for each in found
                )
        raise AssertionError(wanted)

    def _captured(self, operation: Json, answer: Answer) -> list[Text | None] | None:
        """What is captured; none where something is missing that fails the check."""
        found: list[Text | None] = []
        for capture in operation["captures"]:
            text = self._one_captured(capture, answer)
            if text is None and capture["or"] == "fail":
                return None
            found.append(text)
        return found

    def _one_captured(self, capture: Json, answer: Answer) -> Text | None:
        match capture["from"]:
            case {"json": pointer}:
                body = parsed(answer.body)
                at = [] if body is None else values_at(body.value, pointer)
                return self._picked(capture, [text for each in at if (text := scalar_of(each))])
            case {"header": name}:
                values = [value for other, value in answer.headers if other.lower() == name.lower()]
                return Text(values[0]) if values else None
            case {"cookie": name}:
                pairs = [pair for pair, _ in set_cookies(answer) if pair[0] == name]
                return Text(pairs[-1][1]) if pairs else None
        raise AssertionError(capture)

    def _picked(self, capture: Json, found: Sequence[Text]) -> Text | None:
        if not found:
            return None
        match capture["pick"]:
            case "first":
                return found[0]
            case {"index": expression}:
                index = self.integer(expression)
                return found[index] if index < len(found) else None
        bits, chosen = self.draw(PICK, capture["draw"]), 0
        for number in range(len(found)):
            if below(mix(bits ^ number), number + 1) == 0:
                chosen = number
        return found[chosen]

    # Cookies

    def _take_cookies(self, request: Request, answer: Answer) -> None:
        for (name, value), attributes in set_cookies(answer):
            path = attributes.get("path", "")
            if not path.startswith("/"):
                path = request.path.partition("?")[0].rpartition("/")[0] or "/"
            if int(attributes.get("max-age", "1")) <= 0:
                self.cookies.pop((name, path), None)
            else:
                self.cookies[name, path] = value

    def _cookies_for(self, path: str) -> str:
        path = path.partition("?")[0]
        sent = [
            (of, f"{name}={value}")
            for (name, of), value in self.cookies.items()
            if path == of or path.startswith(of if of.endswith("/") else f"{of}/")
        ]
        return "; ".join(text for _, text in sorted(sent, key=lambda each: -len(each[0])))


def _sends(nodes: Iterable[Json]) -> int:
    """How many requests stand among steps, each counted once."""
    count = 0
    for node in nodes:
        match node:
            case {"send": _}:
                count += 1
            case {"choose": choose}:
                count += sum(_sends(each["steps"]) for each in choose["alternatives"])
            case {"repeat": repeat}:
                count += _sends(repeat["steps"])
    return count
