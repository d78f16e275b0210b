"""The steps of a group, from their shapes to what they mean: parts put in, names resolved, captures
followed on their way through the session.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from loadstone.study.files.answer_file import captures_of, check_of, judge_pointers
from loadstone.study.files.arrivals_file import think_of
from loadstone.study.files.operation_file import TextReader, request_of
from loadstone.study.files.step_file import RawChoose, RawPart, RawRepeat, RawSend, RawStep
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.templates.bounds import MOST_TURNS, Interval
from loadstone.study.templates.flow import ALTERNATIVES, LATER, NO_TURN, Flow, Missing, unsure
from loadstone.study.templates.names import (
    CONSTANTS,
    COUNTERS,
    Captured,
    Column,
    Known,
    Names,
    Words,
)
from loadstone.study.templates.resolve import Resolver
from loadstone.study.templates.texts import integer_of
from loadstone.study.values.expressions import Integer, values_of
from loadstone.study.values.steps import (
    Alternative,
    AnswerCheck,
    Capture,
    Choose,
    FromJson,
    Repeat,
    Send,
    Step,
)
from loadstone.text.quoted import suggestion

PARTS = "parts"
"""The key of steps that groups share."""
EACH_GROUP = "each_group"
"""The key of what all groups have."""

MOST_NESTED = 4
"""Of repeats in each other."""
MOST_NESTED_TURNS = 100_000
"""Of them together: no session goes on for ever without a request."""

Turns = tuple[int, ...]
"""How often each repeat goes on at most in which a step stands, the outer one first."""

Parts = Mapping[str, Sequence[RawStep]]


@dataclass
class SessionReader:
    """Reads the steps of one group."""

    source: YamlFile
    names: Names
    parts: Parts
    is_only_group: bool
    once: frozenset[str] = frozenset()
    """Captured before the first session."""
    _operations: dict[str, Send] = field(default_factory=dict)

    def steps(self, at: KeyPath, raw: Sequence[RawStep], flow: Flow) -> tuple[Step, ...]:
        """The steps that were typed at `at`; `flow` goes on behind them. Raises InputError."""
        return tuple(self._steps(at, raw, flow, turns=()))

    def _steps(
        self, at: KeyPath, raw: Sequence[RawStep], flow: Flow, *, turns: Turns
    ) -> Iterator[Step]:
        for position, step in enumerate(raw):
            here = (*at, position)
            match step:
                case RawPart():
                    yield from self._part(here, step, flow, turns=turns)
                case RawChoose():
                    yield self._choose(here, step, flow, turns=turns)
                case RawRepeat():
                    yield self._repeat(here, step, flow, turns=turns)
                case RawSend():
                    yield self._send(here, step, flow, turns=turns)

    def _part(self, at: KeyPath, raw: RawPart, flow: Flow, *, turns: Turns) -> Iterator[Step]:
        if at[0] == PARTS:
            raise self.source.error(
                (*at, "part"), "parts hold no parts", "put this part in where the other is put in"
            )
        if raw.part not in self.parts:
            raise self.source.error(
                (*at, "part"), f"{raw.part} is no part", suggestion(raw.part, [*self.parts])
            )
        steps = self.parts[raw.part]
        yield from self._steps((PARTS, raw.part), steps, flow, turns=turns)

    def _choose(self, at: KeyPath, raw: RawChoose, flow: Flow, *, turns: Turns) -> Choose:
        ways, alternatives = [], []
        for position, alternative in enumerate(raw.choose):
            here = (*at, "choose", position, "steps")
            way = flow.copy()
            steps = self._steps(here, alternative.steps, way, turns=turns)
            alternatives.append(Alternative(weight=alternative.weight, steps=tuple(steps)))
            ways.append(way)
        flow.join(ways, ALTERNATIVES)
        return Choose(choose=tuple(alternatives))

    def _repeat(self, at: KeyPath, raw: RawRepeat, flow: Flow, *, turns: Turns) -> Repeat:
        times: Integer
        if isinstance(raw.repeat, int):
            times, most, is_sure = raw.repeat, raw.repeat, True
        else:
            reader = self._reader(at, flow, turns=turns)
            times, bounds = reader.read((*at, "repeat"), _times, raw.repeat)
            most, is_sure = bounds.most, bounds.least > 0
        self._judge_turns(at, (*turns, most))
        body = flow.copy()
        # What a turn captures is there in the next one, for steps with a `when`.
        for name in captured_in(raw.steps, self.parts):
            if not body.has(name):
                body.maybe[name] = LATER
        steps = self._steps((*at, "steps"), raw.steps, body, turns=(*turns, most))
        repeat = Repeat(repeat=times, steps=tuple(steps))
        flow.join((body,) if is_sure else (flow.copy(), body), NO_TURN)
        return repeat

    def _send(self, at: KeyPath, raw: RawSend, flow: Flow, *, turns: Turns) -> Send:
        when = self._when(at, raw, flow)
        reader = self._reader(at, flow.with_sure(when), turns=turns)
        request = request_of(reader, at, raw)
        check = check_of(reader, (*at, "check"), raw.check)
        captures = captures_of(reader, (*at, "capture"), raw.capture or {})
        judge_pointers(reader, at, check, captures)
        judge_head(reader, at, request.method, check, captures)
        send = Send(
            operation=raw.operation,
            method=request.method,
            path=request.path,
            headers=request.headers,
            body=request.body,
            check=check,
            captures=captures,
            on_failure=raw.on_failure,
            when=when,
            think=think_of(self.source, (*at, "think"), raw.think),
        )
        self._judge_name(at, send)
        self._capture(reader, at, send, flow)
        return send

    def _when(self, at: KeyPath, raw: RawSend, flow: Flow) -> str | None:
        """The value that a step depends on."""
        if raw.when is None:
            return None
        reader = self._reader(at, flow, turns=())
        here = (*at, "when")
        is_constant = raw.when in COUNTERS or raw.when in CONSTANTS
        known = None if is_constant else reader.read(here, _known, raw.when)
        if isinstance(known, Captured):
            if not flow.has(raw.when):
                reader.read(here, _judged, raw.when)
        elif not isinstance(known, Column) and not (
            isinstance(known, Words) and known.may_be_empty
        ):
            raise reader.error(here, f"{raw.when} always has a value", "take when out")
        return raw.when

    def _capture(self, reader: TextReader, at: KeyPath, send: Send, flow: Flow) -> None:
        """Go on behind a step with what it captures."""
        uses = {name for text in (*send.sent, *send.check.texts) for name in values_of(text)}
        for capture in send.captures:
            name, here = capture.value, (*at, "capture", capture.value)
            if taken := self.names.taken_by(name):
                raise reader.error(here, taken, "choose another name")
            is_anew = flow.has(name) and flow.maybe.get(name) is not LATER
            if name in self.once or (is_anew and name not in uses):
                raise reader.error(
                    here,
                    f"{name} is captured twice",
                    "give one of the two another name; a step that uses a value may capture it anew",
                )
            # A failed step forgets what it would have captured anew; one that is left out does not.
            is_forgotten = send.on_failure == "go_on"
            flow.capture(name, _missing(at, send), is_forgotten=is_forgotten)

    def _judge_name(self, at: KeyPath, send: Send) -> None:
        """Refuse a name that an earlier operation has which is another one."""
        same = send.model_copy(update={"when": None, "think": None})
        if self._operations.setdefault(send.operation, same) != same:
            raise self.source.error(
                (*at, "operation"),
                f"{send.operation} is the name of an earlier operation",
                "give every operation a name of its own",
            )

    def _judge_turns(self, at: KeyPath, turns: Turns) -> None:
        """Refuse repeats in each other that are too many, or go on for too long."""
        if len(turns) > MOST_NESTED:
            raise self.source.error(
                (*at, "repeat"),
                f"stands in {len(turns) - 1} others, {MOST_NESTED - 1} at most",
                "repeat in fewer levels",
            )
        if prod(turns) > MOST_NESTED_TURNS:
            raise self.source.error(
                (*at, "repeat"),
                f"comes to {prod(turns)} turns with those that it stands in, {MOST_NESTED_TURNS} at "
                "most",
                "repeat less often",
            )

    def _reader(self, at: KeyPath, flow: Flow, *, turns: Turns) -> TextReader:
        resolver = Resolver(self.names, flow.judge, in_repeat=bool(turns))
        return TextReader(self.source, resolver, self.told(at))

    def told(self, at: KeyPath) -> str:
        """Which group it is, where what stands at `at` is read for several."""
        is_shared = bool(at) and at[0] in (PARTS, EACH_GROUP) and not self.is_only_group
        return f", in group {self.names.group}" if is_shared else ""


def _missing(at: KeyPath, send: Send) -> Missing | None:
    """Why the captures of a step may be missing behind it; none where they never are."""
    if send.on_failure == "go_on":
        return unsure((*at, "on_failure"))
    return None if send.when is None else unsure((*at, "when"))


def _times(text: str, resolver: Resolver) -> tuple[Integer, Interval]:
    return integer_of(text, resolver, 0, MOST_TURNS, "a number of turns")


def _known(name: str, resolver: Resolver) -> Known:
    return resolver.names.value(name)


def _judged(name: str, resolver: Resolver) -> None:
    resolver.judge_capture(name)


def judge_head(
    reader: TextReader,
    at: KeyPath,
    method: str,
    check: AnswerCheck,
    captures: Sequence[Capture],
) -> None:
    """Refuse to look into the body of an answer to HEAD, which has none. Raises InputError."""
    if method != "HEAD":
        return
    if check.members or check.body_contains is not None:
        raise reader.error((*at, "check"), "an answer to HEAD has no body", "check its headers")
    for capture in captures:
        if isinstance(capture.source, FromJson):
            raise reader.error(
                (*at, "capture", capture.value),
                "an answer to HEAD has no body",
                "capture a header, or send GET",
            )


def captured_in(raw: Sequence[RawStep], parts: Parts) -> Iterator[str]:
    """Names of all captures of steps, of their parts too."""
    for step in raw:
        match step:
            case RawSend():
                yield from step.capture or {}
            case RawPart():
                yield from captured_in(_without_parts(parts.get(step.part, ())), {})
            case RawChoose():
                for alternative in step.choose:
                    yield from captured_in(alternative.steps, parts)
            case RawRepeat():
                yield from captured_in(step.steps, parts)


def _without_parts(raw: Sequence[RawStep]) -> Sequence[RawStep]:
    return [step for step in raw if not isinstance(step, RawPart)]
