"""The values of one session, and texts that are put together of them, as a plan says."""

import base64
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

from answers import Json, Text, is_number, json_string
from draws import FEED, RANDOM, UUID, below, draw, run_key, uuid

Known = int | Text | None


class UnsendableError(Exception):
    """A value may not stand where it should."""


@dataclass
class SessionValues:
    """What a session of a group knows."""

    plan: Json
    group: int
    number: int
    user: int = 0
    now_s: int = 2_240_719_200
    values: list[Known] = field(init=False)
    turns: list[int] = field(default_factory=list)
    """Of the repeats in which the session stands, the outer one first."""

    @property
    def of(self) -> Json:
        """Its group."""
        group: Json = self.plan["groups"][self.group]
        return group

    def begin(self, values: Sequence[Known]) -> None:
        """Begin with values that are there already: take rows, and make what is fixed then."""
        self.values = list(values)
        for feed in self.of["feeds"]:
            for value, text in zip(feed["values"], self._row(feed), strict=True):
                self.values[value] = Text(text)
        for let in self.of["let"]:
            self.values[let["value"]] = self._let(let)

    def text(self, pieces: Iterable[Any]) -> str:
        """A text, put together. Raises UnsendableError."""
        return "".join(
            piece
            if isinstance(piece, str)
            else self._written(self._value(piece["expression"]), piece["as"])
            for piece in pieces
        )

    def _written(self, value: Known, place: str) -> str:
        if value is None:
            raise UnsendableError
        if isinstance(value, int):
            if place == "location":
                raise UnsendableError
            return str(value)
        text = value.text
        match place:
            case "segment" | "query":
                return quote(text, safe="")
            case "form":
                return quote_plus(text, safe="")
            case "json_string":
                return json_string(text)
            case "json":
                return text if value.is_bare else f'"{json_string(text)}"'
            case "header" if not all(" " <= each <= "~" for each in text):
                raise UnsendableError
            case "json_number" if not is_number(text):
                raise UnsendableError
            case "location":
                return self._location(text)
        return text

    def _location(self, text: str) -> str:
        target = self.plan["target"]
        scheme = "http" if self.plan["protocol"] in ("h1c", "h2c") else "https"
        path = text.removeprefix(f"{scheme}://{target['host']}")
        allowed = "-._~!$&'()*+,;=:@/?%"
        is_path = all(each.isascii() and (each.isalnum() or each in allowed) for each in path)
        if not path.startswith("/") or path.startswith("//") or not is_path:
            raise UnsendableError
        return path

    def _value(self, expression: Any) -> Known:
        """What an expression comes to; none where it cannot be computed."""
        match expression:
            case {"value": index}:
                return self.values[index]
            case "session_number":
                return self.number
            case "user_number":
                return self.user
            case "turn":
                return self.turns[-1] if self.turns else 0
            case "epoch_ms":
                return self.now_s * 1000
            case {"integer": terms}:
                return self._terms(terms)
            case {"random": {"least": least, "most": most, "draw": number}}:
                drawn: int = least + below(self.draw(RANDOM, number), most - least + 1)
                return drawn
            case {"uuid": {"draw": number}}:
                return Text(uuid(self.draw(UUID, number), run_key(self.plan["run_id"])))
            case {"now": {"form": form}}:
                return _date(self.now_s, form)
            case {"date": {"base_s": base_s, "offset_s": terms, "form": form}}:
                begin: int = self.now_s if base_s is None else base_s
                return _date(begin + self._terms(terms), form)
            case {"base64": pieces}:
                return Text(base64.b64encode(self.text(pieces).encode()).decode())
        raise AssertionError(expression)

    def integer(self, expression: Any) -> int:
        found = self._value(expression)
        return int(found.text) if isinstance(found, Text) else found or 0

    def _terms(self, terms: Sequence[Any]) -> int:
        stack: list[int] = []
        for term in terms:
            if isinstance(term, str) and term in "+-*/%":
                right, left = stack.pop(), stack.pop()
                stack.append(_calculated(term, left, right))
            elif isinstance(term, int):
                stack.append(term)
            else:
                stack.append(self.integer(term))
        (found,) = stack
        return found

    def _let(self, let: Json) -> Known:
        try:
            if "integer" in let:
                return self._terms(let["integer"])
            pieces = let["text"]
            if len(pieces) == 1 and not isinstance(pieces[0], str):
                return self._value(pieces[0]["expression"])
            return Text(self.text(pieces))
        except UnsendableError:
            return None

    def _row(self, feed: Json) -> list[str]:
        source = self.plan["feeds"][feed["feed"]]
        number = self.number if feed["per"] == "session" else self.user
        if feed["take"] == "random":
            seed = self.plan["seed"]
            number = below(draw(seed, FEED, self.group, number, feed["draw"], 0), source["rows"])
        return read_row(Path(source["file"]), source, number % source["rows"])

    def draw(self, purpose: int, number: int) -> int:
        turn = 0
        for each in self.turns:
            turn = turn * 1000 + each
        return draw(self.plan["seed"], purpose, self.group, self.number, number, turn)


def read_row(path: Path, source: Json, row: int) -> list[str]:
    """A row of a rows file."""
    content, cells = path.read_bytes(), source["rows"] * source["columns"]
    offsets = struct.unpack_from(f"<{cells + 1}I", content)
    texts = content[(cells + 1) * 4 :]
    first = row * source["columns"]
    return [
        texts[offsets[at] : offsets[at + 1]].decode()
        for at in range(first, first + source["columns"])
    ]


def _calculated(operator: str, left: int, right: int) -> int:
    quotient = abs(left) // abs(right) if operator in "/%" else 0
    quotient = quotient if (left < 0) == (right < 0) else -quotient
    return {
        "+": left + right,
        "-": left - right,
        "*": left * right,
        "/": quotient,
        "%": left - right * quotient,
    }[operator]


def _date(unix_s: int, form: str) -> Text:
    text = datetime.fromtimestamp(unix_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Text(text if form == "second" else text[:10])
