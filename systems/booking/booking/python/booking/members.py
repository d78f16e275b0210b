"""Reads the members of a body. Nothing is coerced, and the first fault of each member is told of."""

import re
from collections.abc import Callable, Collection

from booking.instants import parse_instant
from booking.problem import Fault, Kind, Problem, invalid

Check = Callable[[str], str | None]
"""Returns the code of what is wrong with a text, if anything is."""

# U+0000, which the database has not, and halves of surrogate pairs, which are no characters.
NO_CHARACTERS = re.compile("[\x00\ud800-\udfff]")


class Members:
    """The members of an object, asked for in the order in which their faults are told of.

    For one with a fault something of its type is returned: `refuse_faults` comes before its use.
    """

    def __init__(self, value: object) -> None:
        if not isinstance(value, dict):
            raise invalid("", "type")
        self._members = value
        self._faults: dict[str, str] = {}

    def text(self, name: str, check: Check, default: str | None = None) -> str:
        """Return a text."""
        value = self._members.get(name)
        if value is None:
            if default is None:
                self.add_fault(name, "required")
            return default or ""
        if not isinstance(value, str):
            self.add_fault(name, "type")
            return ""
        code = "format" if NO_CHARACTERS.search(value) else check(value)
        if code is not None:
            self.add_fault(name, code)
        return value

    def number(self, name: str, least: int, most: int, default: int | None = None) -> int:
        """Return a whole number within bounds."""
        value = self._whole(name, default)
        if value is not None and not least <= value <= most:
            self.add_fault(name, "range")
        return least if value is None else value

    def number_of(self, name: str, numbers: Collection[int]) -> int:
        """Return one of some whole numbers."""
        value = self._whole(name, None)
        if value is not None and value not in numbers:
            self.add_fault(name, "unknown-value")
        return 0 if value is None else value

    def has_fault(self, *names: str) -> bool:
        """Return whether there is one with a fault among some members."""
        return any(name in self._faults for name in names)

    def add_fault(self, name: str, code: str) -> None:
        """Tell of a fault of a member that has none yet."""
        self._faults[name] = code

    def refuse_faults(self) -> None:
        """Raise Problem where there is a fault."""
        if self._faults:
            faults = [Fault(f"/{name}", code) for name, code in self._faults.items()]
            raise Problem(Kind.VALIDATION, faults=faults)

    def _whole(self, name: str, default: int | None) -> int | None:
        value = self._members.get(name)
        if value is None:
            if default is None:
                self.add_fault(name, "required")
            return default
        if type(value) is not int:  # bool is an int, too
            self.add_fault(name, "type")
            return None
        return value


def any_text(_: str) -> str | None:
    """Check nothing."""
    return None


def length(least: int, most: int) -> Check:
    """Return a check of the length in code points."""

    def check(text: str) -> str | None:
        if len(text) < least:
            return "too-short"
        return "too-long" if len(text) > most else None

    return check


def one_of(words: Collection[str]) -> Check:
    """Return a check for one of some words."""
    return lambda text: None if text in words else "unknown-value"


def instant(text: str) -> str | None:
    """Check that a text is an instant."""
    return "format" if parse_instant(text) is None else None
