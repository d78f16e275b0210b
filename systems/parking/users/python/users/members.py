"""Reads the members of a body. Nothing is coerced, and the first fault of each member is told of."""

import re
from collections.abc import Callable, Collection, Sequence

from users.problem import Fault, Kind, Problem

Check = Callable[[str], str | None]
"""Returns the code of what is wrong with a text, if anything is."""

_HALVES = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
_VISIBLE = re.compile("[!-~]*")


class Members:
    """The members of an object, asked for in the order in which their faults are told of.

    For one with a fault something of its type is returned: `refuse_faults` comes before its use.
    """

    def __init__(self, value: object) -> None:
        if not isinstance(value, dict):
            raise Problem(Kind.MALFORMED)
        self._members = value
        self._known: set[str] = set()
        self._faults: list[Fault] = []

    def text(self, name: str, check: Check) -> str:
        """Return a text. Raises Problem."""
        value = self._value(name)
        if value is None:
            return ""
        # Halves of surrogate pairs are no characters.
        if not isinstance(value, str) or _HALVES.search(value):
            raise Problem(Kind.MALFORMED)
        self._note(name, check(value))
        return value

    def place(self, name: str, words: Sequence[str]) -> int:
        """Return the place of a word in its list. Raises Problem."""
        text = self.text(name, one_of(words))
        return words.index(text) if text in words else 0

    def number(self, name: str, least: int, most: int, besides: int | None = None) -> int:
        """Return a whole number within bounds, but for one that it may not be. Raises Problem."""
        value = self._value(name)
        if value is None:
            return least
        if not _is_whole(value):
            raise Problem(Kind.MALFORMED)
        assert isinstance(value, int)
        is_right = least <= value <= most and value != besides
        self._note(name, None if is_right else "range")
        return value

    def numbers(self, name: str, check: Callable[[list[int]], str | None]) -> list[int]:
        """Return a list of whole numbers. Raises Problem."""
        value = self._value(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(map(_is_whole, value)):
            raise Problem(Kind.MALFORMED)
        self._note(name, check(value))
        return value

    def refuse_faults(self) -> None:
        """Raise Problem where a member was not asked for, or has a fault."""
        if not self._known.issuperset(self._members):
            raise Problem(Kind.UNKNOWN_MEMBER)
        if self._faults:
            raise Problem(Kind.INVALID, faults=self._faults)

    def _value(self, name: str) -> object:
        self._known.add(name)
        value = self._members.get(name)
        if value is None:
            self._note(name, "required")
        return value

    def _note(self, name: str, code: str | None) -> None:
        if code is not None:
            self._faults.append(Fault(f"/{name}", code))


def any_text(_: str) -> str | None:
    """Check nothing."""
    return None


def length_fault(length: int, least: int, most: int) -> str | None:
    """Return what is wrong with the length of something."""
    if length < least:
        return "too-short"
    return "too-long" if length > most else None


def characters(least: int, most: int) -> Check:
    """Return a check for so many code points, none of which is a control."""

    def check(text: str) -> str | None:
        return length_fault(len(text), least, most) or (
            "characters" if _CONTROLS.search(text) else None
        )

    return check


def visible(least: int, most: int) -> Check:
    """Return a check for so many characters of visible ASCII."""

    def check(text: str) -> str | None:
        return length_fault(len(text), least, most) or (
            None if _VISIBLE.fullmatch(text) else "characters"
        )

    return check


def one_of(words: Collection[str]) -> Check:
    """Return a check for one of some words."""
    return lambda text: None if text in words else "unknown-value"


def _is_whole(value: object) -> bool:
    return type(value) is int  # bool is an int, too
