"""The groups of a workload as the engine reads them: names are numbers, constants are written out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from loadstone.errors import InputError, LoadstoneError, WrongValueError
from loadstone.measure.loading.secret_text import Secret
from loadstone.study.values.arrivals import ConstantThink, Rate, Stage, Think, Users
from loadstone.study.values.expressions import (
    Arithmetic,
    Base64,
    Environment,
    Expression,
    Integer,
    Let,
    Moment,
    Random,
    Slot,
    Text,
    Value,
    pieces_of,
    slots_of,
    values_of,
)
from loadstone.study.values.feeds import Feed, FeedSource, Numbers
from loadstone.study.values.groups import Group
from loadstone.study.values.model import Workload
from loadstone.study.values.steps import (
    AnswerCheck,
    Capture,
    Choose,
    Exactly,
    Filled,
    FromCookie,
    FromHeader,
    FromJson,
    Instead,
    Repeat,
    Send,
    Step,
)
from loadstone.text.places import escaped
from loadstone.text.secrets import is_secret_header

Json = dict[str, Any]

_PARTS = (("days", 86_400), ("hours", 3_600), ("minutes", 60))


@dataclass(frozen=True)
class Constants:
    """What is known when a load begins."""

    run_id: str
    environment: Mapping[str, str]


@dataclass
class GroupPlan:
    """Writes one group."""

    workload: Workload
    group: Group
    constants: Constants
    feeds: Mapping[FeedSource, int]
    """Where values come from, by its place among the plan's feeds."""
    compare_answers: bool
    _values: dict[str, int] = field(init=False)
    _numbers: set[str] = field(init=False)
    """Values of feeds that are whole numbers, which rows hold as texts."""
    _draws: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        group = self.group
        names = [
            *(value for feed in group.feeds for value in feed.values),
            *(let.let for let in group.lets),
            *(capture.value for send in group.sends for capture in send.captures),
        ]
        self._values = {name: index for index, name in enumerate(dict.fromkeys(names))}
        self._numbers = {feed.feed for feed in group.feeds if isinstance(feed.source, Numbers)}

    def json(self) -> Json:
        """The group as it stands in the plan.

        Raises LoadstoneError where the environment lacks what it sends.
        """
        group = self.group
        lets = [self._let(let) for let in group.lets]
        operations = group.operations
        places = {send.operation: index for index, send in enumerate(operations)}
        secrets = set(_secrets(operations))
        return {
            "group": group.group,
            "arrivals": arrivals_json(group.arrivals),
            "start_ns": group.start_ns,
            "leave": group.leave,
            "pace_ns": group.pace_ns,
            "cookies": group.cookies,
            "values": list(self._values),
            "feeds": [self._feed(feed) for feed in group.feeds],
            "let": lets,
            "operations": [self._operation(send, secrets) for send in operations],
            "once": self._nodes(group.once, places),
            "session": self._nodes(group.session, places),
            "stop": group.stop.model_dump(exclude_defaults=True),
        }

    def _feed(self, feed: Feed) -> Json:
        return {
            "feed": self.feeds[feed.source],
            "take": feed.take,
            "per": feed.per,
            "values": [self._values[value] for value in feed.values],
            "draw": next(self._draws) if feed.take == "random" else 0,
        }

    def _let(self, let: Let) -> Json:
        value = self._values[let.let]
        if let.integer is not None:
            return {"value": value, "integer": self._terms(let.integer)}
        return {"value": value, "text": self._pieces(let.text or "")}

    def _operation(self, send: Send, secrets: set[str]) -> Json:
        return {
            "operation": send.operation,
            "cell": self.workload.cell(self.group, send),
            "method": send.method,
            "path": self._pieces(send.path),
            "headers": [[name, self._pieces(value)] for name, value in send.headers],
            "body": self._pieces(send.body),
            "check": self._check(send.check),
            "captures": [self._capture(capture, secrets) for capture in send.captures],
            "on_failure": send.on_failure,
            # What is asked differently is answered differently, and so is what is written meanwhile.
            "compare_answers": self.compare_answers
            and send.is_plain
            and not self.workload.is_writing,
            "secret_headers": [
                index
                for index, (name, value) in enumerate(send.headers)
                if is_secret_header(name) or any(_is_secret(slot) for slot in slots_of(value))
            ],
        }

    def _check(self, check: AnswerCheck) -> Json:
        contains = check.body_contains
        return {
            "status": list(check.status),
            "or_end": list(check.or_end),
            "body_contains": None if contains is None else self._pieces(contains),
            "json": [
                {"pointer": list(each.pointer), "is": self._expected(each.expect)}
                for each in check.members
            ],
            "header": [
                {"name": each.header, "is": self._expected(each.expect)} for each in check.headers
            ],
        }

    def _expected(self, expect: str | Exactly | Filled) -> Any:
        match expect:
            case Exactly():
                return {"value": expect.value}
            case Filled():
                return {"text": self._pieces(expect.text)}
            case _:
                return expect

    def _capture(self, capture: Capture, secrets: set[str]) -> Json:
        source, pick, draw = capture.source, "first", 0
        found: Any = pick
        match source:
            case FromJson():
                place: Json = {"json": list(source.pointer)}
                if source.pick == "random":
                    found, draw = "random", next(self._draws)
                elif source.pick != "first":
                    found = {"index": {"integer": self._terms(source.pick)}}
            case FromHeader():
                place = {"header": source.header}
            case FromCookie():
                place = {"cookie": source.cookie}
        missing = capture.missing
        return {
            "value": self._values[capture.value],
            "from": place,
            "pick": found,
            "or": {"value": missing.value} if isinstance(missing, Instead) else missing,
            "draw": draw,
            "secret": capture.value in secrets,
        }

    def _nodes(self, steps: Sequence[Step], places: Mapping[str, int]) -> list[Json]:
        return [self._node(step, places) for step in steps]

    def _node(self, step: Step, places: Mapping[str, int]) -> Json:
        match step:
            case Send():
                when = None if step.when is None else self._values[step.when]
                think = think_json(step.think if step.think is not None else self.group.think)
                return {
                    "send": {
                        "operation": places[step.operation],
                        "think": think,
                        "when": when,
                    }
                }
            case Choose():
                draw = next(self._draws)
                return {
                    "choose": {
                        "draw": draw,
                        "alternatives": [
                            {"weight": each.weight, "steps": self._nodes(each.steps, places)}
                            for each in step.choose
                        ],
                    }
                }
            case Repeat():
                return {
                    "repeat": {
                        "times": {"integer": self._terms(step.repeat)},
                        "steps": self._nodes(step.steps, places),
                    }
                }

    def _pieces(self, text: Text) -> list[Any]:
        """Pieces with constants in them; literals that touch are one, but for secrets."""
        found: list[Any] = []
        for piece in pieces_of(text):
            written = self._piece(piece)
            last = found[-1] if found else None
            if _is_plain(written) and _is_plain(last):
                found[-1] = last + written
            elif written != "":
                found.append(written)
        return found

    def _piece(self, piece: str | Slot) -> Any:
        if isinstance(piece, str):
            return piece
        expression, place = piece.expression, piece.place
        if expression == "run_id":
            return escaped(self.constants.run_id, place)
        if isinstance(expression, Environment):
            return self._secret(expression.env, piece)
        return {"expression": self._expression(expression), "as": place}

    def _secret(self, name: str, slot: Slot) -> Secret:
        if name not in self.constants.environment:
            raise LoadstoneError(
                f"{self.workload.workload} sends env.{name}, and the environment has no {name}",
                f"set it, such as {name}=... loadstone ...",
            )
        try:
            return Secret(escaped(self.constants.environment[name], slot.place))
        except WrongValueError as error:
            raise InputError(
                f"{self.workload.workload} sends env.{name}, whose value cannot stand there",
                remedy=error.remedy,
            ) from None

    def _expression(self, expression: Expression) -> Any:
        match expression:
            case Value() if expression.value in self._numbers:
                return {"integer": self._terms(expression)}
            case Value():
                return {"value": self._values[expression.value]}
            case Arithmetic() | int():
                return {"integer": self._terms(expression)}
            case Random():
                least, most = expression.random
                return {"random": {"least": least, "most": most, "draw": next(self._draws)}}
            case Moment():
                return self._moment(expression)
            case Base64():
                return {"base64": self._pieces(expression.base64)}
            case "uuid":
                return {"uuid": {"draw": next(self._draws)}}
            case _:
                return expression

    def _moment(self, moment: Moment) -> Json:
        if moment.is_now:
            return {"now": {"form": moment.form}}
        terms: list[Any] = []
        for name, seconds in _PARTS:
            part: Integer = getattr(moment, name)
            if part != 0:
                terms += [*self._terms(part), seconds, "*", *(["+"] if terms else [])]
        return {"date": {"base_s": moment.base_s, "offset_s": terms or [0], "form": moment.form}}

    def _terms(self, integer: Integer) -> list[Any]:
        """An integer in reverse Polish notation."""
        match integer:
            case Arithmetic():
                return [*self._terms(integer.left), *self._terms(integer.right), integer.operator]
            case Value():
                return [{"value": self._values[integer.value]}]
            case _:
                return [integer]


def _is_plain(piece: Any) -> bool:
    return isinstance(piece, str) and not isinstance(piece, Secret)


def _is_secret(slot: Slot) -> bool:
    return isinstance(slot.expression, Environment)


def _secrets(sends: Sequence[Send]) -> Iterator[str]:
    """Values that are put into headers which hold secrets."""
    for send in sends:
        for name, value in send.headers:
            if is_secret_header(name):
                yield from values_of(value)


def arrivals_json(arrivals: Users | Rate) -> Json:
    """How sessions begin."""
    stages = stages_json(arrivals.stages)
    if isinstance(arrivals, Users):
        return {"users": {"stages": stages}}
    return {
        "rate": {
            "stages": stages,
            "process": "poisson" if arrivals.poisson else "constant",
            "connections": arrivals.connections,
            "sessions": max(arrivals.sessions, arrivals.connections),
            "own_connections": arrivals.own_connections,
        },
    }


def stages_json(stages: Sequence[Stage]) -> list[Json]:
    """Each stage with its beginning. A step has no length: the next stage begins where it went."""
    level, lasting = 0.0, []
    for stage in stages:
        if stage.over_ns:
            lasting.append({"from": level, "to": stage.to, "duration_ns": stage.over_ns})
        level = stage.to
    if not lasting or not lasting[-1]["from"] == lasting[-1]["to"] == level:
        # Of any length: after the last one its end stays. A window behind a warm-up asks for it.
        lasting.append({"from": level, "to": level, "duration_ns": 1})
    return lasting


def think_json(think: Think | None) -> Json | None:
    """A pause; none where there is none, be it by a step of a group that has one."""
    if think is None or (isinstance(think, ConstantThink) and not think.constant_ns):
        return None
    return think.model_dump(mode="json")
