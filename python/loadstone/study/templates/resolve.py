"""What stands in `{{ }}`, with every name resolved and every bound proven."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, cast

from loadstone.errors import WrongValueError
from loadstone.study.templates.bounds import Interval, of_two
from loadstone.study.templates.names import (
    COUNTERS,
    FUNCTIONS,
    Captured,
    Column,
    Names,
    Whole,
    Words,
)
from loadstone.study.templates.syntax import Binary, Call, Node, Number, Quoted, Word
from loadstone.study.values.expressions import (
    Arithmetic,
    Base64,
    Counter,
    Environment,
    Expression,
    Integer,
    Moment,
    Random,
    Slot,
    Value,
    calculated,
    joined,
)
from loadstone.text.quoted import suggestion

_BASE = "%Y-%m-%dT%H:%M:%SZ"
_DAY = "%Y-%m-%d"
_PARTS = {"days": 86_400, "hours": 3_600, "minutes": 60}
_SECONDS = Interval(-62_135_596_800, 253_402_300_799)
"""Of the years 1 to 9999, which RFC 3339 can write."""
_NOW = Interval(1_577_836_800, 7_258_118_400)
"""The years 2020 to 2199."""

Form = Literal["number", "path"]


@dataclass(frozen=True)
class Constant:
    """A text that is known when the file is read."""

    text: str


@dataclass(frozen=True)
class Resolved:
    """What is filled in, and the form that was asked for."""

    expression: Expression | Constant
    form: Form | None = None


@dataclass(frozen=True)
class Resolver:
    """Resolves what stands in one place of a group."""

    names: Names
    judge_capture: Callable[[str], None]
    """Raises where a capture may be missing in that place."""
    in_repeat: bool = False

    def resolved(self, node: Node) -> Resolved:
        """What a tree means. Raises WrongValueError."""
        match node:
            case Number() | Binary():
                return Resolved(self.integer(node)[0])
            case Word():
                return Resolved(self._named(node.word))
            case Call():
                return self._called(node)
            case Quoted():
                raise WrongValueError(
                    f"'{node.text}' is a text: only braces stand in quotes",
                    "write the text itself, without {{ }}",
                )

    def constant(self, node: Node) -> int:
        """A whole number that is known when the file is read. Raises WrongValueError."""
        found, _ = self.integer(node)
        if not isinstance(found, int):
            raise WrongValueError("is not known beforehand", "make it of numbers and of the seed's")
        return found

    def integer(self, node: Node) -> tuple[Integer, Interval]:
        """A whole number and what it can be. Raises WrongValueError."""
        match node:
            case Number():
                return node.number, Interval(node.number, node.number)
            case Word():
                return self._integer_named(node.word)
            case Binary():
                return self._calculated(node)
            case _:
                raise WrongValueError(
                    "a function is no part of a whole number",
                    "make it of numbers, counters, feeds of numbers and lets of these",
                )

    def _calculated(self, node: Binary) -> tuple[Integer, Interval]:
        left, left_interval = self.integer(node.left)
        right, right_interval = self.integer(node.right)
        if node.operator in ("/", "%") and not (isinstance(right, int) and right > 0):
            raise WrongValueError(
                f"what is behind {node.operator} must be a positive constant",
                "write a number, or one of the seed's",
            )
        interval = of_two(node.operator, left_interval, right_interval)
        if isinstance(left, int) and isinstance(right, int):
            return calculated(node.operator, left, right), interval
        return Arithmetic(operator=node.operator, left=left, right=right), interval

    def _integer_named(self, word: str) -> tuple[Integer, Interval]:
        if word in COUNTERS:
            counter = self._counter(word)
            return counter, COUNTERS[counter]
        if word.startswith("seed."):
            constant = self.names.seed_value(word)
            if isinstance(constant, int):
                return constant, Interval(constant, constant)
        elif word != "run_id" and word != "group" and not word.startswith("env."):
            known = self.names.value(word)
            if isinstance(known, Whole):
                return Value(value=word), known.interval
        raise WrongValueError(
            f"{word} is text, not a whole number",
            "make it of numbers, counters, feeds of numbers and lets of these",
        )

    def _counter(self, word: str) -> Counter:
        if word == "user_number" and not self.names.has_users:
            raise WrongValueError(
                "user_number is not known here: a rate has no users", "write session_number"
            )
        if word == "turn" and not self.in_repeat:
            raise WrongValueError(
                "turn is not known here: it is of a repeat",
                "write session_number, or repeat the step",
            )
        return cast("Counter", word)

    def _named(self, word: str) -> Expression | Constant:
        if word == "run_id":
            return "run_id"
        if word == "group":
            return Constant(self.names.group)
        if word.startswith("env."):
            return Environment(env=word.removeprefix("env."))
        if word.startswith("seed."):
            constant = self.names.seed_value(word)
            return constant if isinstance(constant, int) else Constant(constant)
        if word in COUNTERS:
            return self._counter(word)
        if word in FUNCTIONS and word not in self.names.values:
            raise WrongValueError(f"{word} is a function", f"write {word}()")
        if isinstance(self.names.value(word), Captured):
            self.judge_capture(word)
        return Value(value=word)

    def _called(self, call: Call) -> Resolved:
        arguments, named = call.arguments, call.named
        match call.function:
            case "uuid" | "now" | "epoch_ms" if not arguments and not named:
                if call.function == "now":
                    return Resolved(Moment(base_s=None))
                return Resolved("uuid" if call.function == "uuid" else "epoch_ms")
            case "random" if len(arguments) == 2 and not named:
                return Resolved(self._random(*arguments))
            case "date" | "day" if len(arguments) == 1 and named.keys() <= _PARTS.keys():
                return Resolved(self._moment(call))
            case "number" if len(arguments) == 1 and not named:
                return Resolved(self._number(arguments[0]), "number")
            case "path" if len(arguments) == 1 and not named:
                return Resolved(self._word(call), "path")
            case "base64" if len(arguments) == 1 and not named:
                return Resolved(self._base64(call))
        if call.function not in FUNCTIONS:
            raise WrongValueError(
                f"{call.function} is no function", suggestion(call.function, FUNCTIONS)
            )
        raise WrongValueError(
            f"{call.function} does not take what is given", f"write {_USES[call.function]}"
        )

    def _random(self, least: Node, most: Node) -> Random:
        limits = self.constant(least), self.constant(most)
        if limits[0] > limits[1]:
            raise WrongValueError(
                f"random({limits[0]}, {limits[1]}) is empty", "write the least first"
            )
        return Random(random=limits)

    def _moment(self, call: Call) -> Moment:
        (base,) = call.arguments
        base_s = None if base in (Word("now"), Call("now")) else _seconds(base)
        begin = _NOW if base_s is None else Interval(base_s, base_s)
        parts: dict[str, Integer] = {}
        for name, node in call.named.items():
            parts[name], interval = self.integer(node)
            size = _PARTS[name]
            begin = of_two("+", begin, of_two("*", interval, Interval(size, size)))
        if begin.least < _SECONDS.least or begin.most > _SECONDS.most:
            raise WrongValueError(
                "may come to a moment outside of the years 1 to 9999",
                "take a remainder first, such as `session_number % 365`",
            )
        form: Literal["second", "day"] = "day" if call.function == "day" else "second"
        return Moment(base_s=base_s, form=form, **parts)

    def _word(self, call: Call) -> Expression:
        (argument,) = call.arguments
        found = self._named(argument.word) if isinstance(argument, Word) else None
        if not isinstance(found, Value):
            raise WrongValueError(
                f"{call.function} takes the name of a value", f"write {_USES[call.function]}"
            )
        return found

    def _number(self, argument: Node) -> Expression:
        found = self._word(Call("number", (argument,)))
        assert isinstance(found, Value)
        known = self.names.value(found.value)
        if isinstance(known, Column) and not known.is_number:
            raise WrongValueError(
                f"{found.value} is not a number in every row of {known.file}",
                "take rows that have one, or leave number() out",
            )
        if isinstance(known, Words) and not known.is_number:
            raise WrongValueError(f"{found.value} is text, not a number", "leave number() out")
        return found

    def _base64(self, call: Call) -> Base64:
        (argument,) = call.arguments
        if isinstance(argument, Quoted):
            return Base64(base64=argument.text)
        if not isinstance(argument, Word):
            raise WrongValueError("base64 takes a name or a text", f"write {_USES['base64']}")
        found = self._named(argument.word)
        if isinstance(found, Constant):
            return Base64(base64=found.text)
        if isinstance(found, int):
            return Base64(base64=str(found))
        return Base64(base64=joined([Slot(expression=found, place="raw")]))


_USES = {
    "random": "random(1, 6)",
    "uuid": "uuid()",
    "now": "now()",
    "epoch_ms": "epoch_ms()",
    "date": "date('2040-03-01T06:00:00Z', days: 1, hours: 2, minutes: 30), or date(now, days: 1)",
    "day": "day('2040-03-01', days: 1), or day(now)",
    "number": "number(VALUE), of a value's name",
    "base64": "base64(VALUE), of a value's name or a text in quotes",
    "path": "path(VALUE), of a value's name",
}


def _seconds(base: Node) -> int:
    """Seconds since 1970 of a moment in quotes. Raises WrongValueError."""
    text = base.text if isinstance(base, Quoted) else ""
    for form in (_BASE, _DAY):
        try:
            return int(datetime.strptime(text, form).replace(tzinfo=UTC).timestamp())
        except ValueError:
            continue
    raise WrongValueError(
        f"{text!r} is no moment" if text else "a date begins with a moment in quotes, or with now",
        "write one such as '2040-03-01T06:00:00Z', or now",
    )
