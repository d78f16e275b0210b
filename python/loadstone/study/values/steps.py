"""The steps of a session: requests, and how they follow each other."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from pydantic import Field, JsonValue

from loadstone.frozen import Frozen
from loadstone.study.values.arrivals import Think
from loadstone.study.values.expression_text import text_shown
from loadstone.study.values.expressions import Integer, Slot, Text, pieces_of, slots_of
from loadstone.study.values.operation import Check, Operation

Pointer = tuple[str, ...]
"""The tokens of a JSON pointer (RFC 6901), unescaped; `*` is any element of an array."""

ANY: Literal["*"] = "*"


def pointer_shown(pointer: Pointer) -> str:
    """A JSON pointer as it is typed."""
    return "".join(f"/{token.replace('~', '~0').replace('/', '~1')}" for token in pointer)


class Exactly(Frozen):
    """A value as it is known beforehand."""

    value: JsonValue
    """Numbers are compared by what they come to."""


class Filled(Frozen):
    """A text that is filled in."""

    text: Text
    """A text, or a number or boolean as it is written."""


Presence = Literal["present", "absent"]


class MemberCheck(Frozen):
    """A value of a JSON body."""

    pointer: Pointer
    """Where it stands."""
    expect: Presence | Exactly | Filled
    """What it must be."""


class HeaderCheck(Frozen):
    """A header of the answer."""

    header: str
    """Its name."""
    expect: Presence | Filled
    """What it must be."""


class AnswerCheck(Frozen):
    """What an answer must be for its request to be ok."""

    status: tuple[int, ...] = ()
    """Status codes, each but the first with a cell of its own; none is any 2xx."""
    or_end: tuple[int, ...] = ()
    """Further codes that are ok and finish the session."""
    body_contains: Text | None = None
    """Text that the body must contain."""
    members: tuple[MemberCheck, ...] = ()
    """Values that the body, which is JSON then, must have."""
    headers: tuple[HeaderCheck, ...] = ()
    """Headers that it must have."""

    @property
    def further(self) -> tuple[int, ...]:
        """The codes with cells of their own."""
        return (*self.status[1:], *self.or_end)

    @property
    def texts(self) -> Iterator[Text]:
        """Every text that an answer is held against."""
        if self.body_contains is not None:
            yield self.body_contains
        expected = (
            *(each.expect for each in self.members),
            *(each.expect for each in self.headers),
        )
        yield from (each.text for each in expected if isinstance(each, Filled))


class FromJson(Frozen):
    """A value of a JSON body."""

    pointer: Pointer
    """Where it stands."""
    pick: Literal["first", "random"] | Integer = "first"
    """Which of the elements that `*` stands for: one of these words, or a number from 0."""


class FromHeader(Frozen):
    """A header of the answer."""

    header: str
    """Its name."""


class FromCookie(Frozen):
    """A cookie that the answer sets."""

    cookie: str
    """Its name."""


class Instead(Frozen):
    """A text in place of what is missing."""

    value: str
    """The text."""


class Capture(Frozen):
    """A value of an answer that later steps use."""

    value: str
    """Its name."""
    source: FromJson | FromHeader | FromCookie
    """Where it comes from."""
    missing: Literal["fail", "end"] | Instead = "fail"
    """Where it is not there: the check has failed, the session ends, or this is taken."""


class Send(Frozen):
    """A request and what is made of its answer."""

    operation: str
    """Its name; of equal steps the same."""
    method: str
    """In capitals."""
    path: Text
    """Path and query."""
    headers: tuple[tuple[str, Text], ...] = ()
    """Without Host and Content-Length, which the engine writes."""
    body: Text = ""
    """Empty is no body."""
    check: AnswerCheck = AnswerCheck()
    """What the answer must be."""
    captures: tuple[Capture, ...] = ()
    """What later steps use of it."""
    on_failure: Literal["end", "go_on"] = "end"
    """What an outcome other than ok does to the session."""
    when: str | None = None
    """A value: the step is performed only if it is there and not empty."""
    think: Think | None = None
    """The pause after it; none: the group's."""

    @classmethod
    def of(cls, operation: Operation) -> "Send":
        """The step of a request without anything to be filled in."""
        check = operation.check
        return cls(
            operation=operation.operation,
            method=operation.method,
            path=operation.path,
            headers=operation.headers,
            body=operation.body,
            check=AnswerCheck(
                status=() if check.status is None else (check.status,),
                body_contains=check.body_contains,
            ),
        )

    @property
    def as_typed(self) -> Operation:
        """The request with its places as they are typed."""
        contains = self.check.body_contains
        return Operation(
            operation=self.operation,
            method=self.method,
            path=text_shown(self.path),
            headers=tuple((name, text_shown(value)) for name, value in self.headers),
            body=text_shown(self.body),
            check=Check(
                status=self.check.status[0] if self.check.status else None,
                body_contains=None if contains is None else text_shown(contains),
            ),
        )

    @property
    def is_plain(self) -> bool:
        """Whether it is the same request each time."""
        return not any(isinstance(each, Slot) for text in self.sent for each in pieces_of(text))

    @property
    def sent(self) -> tuple[Text, ...]:
        """Every text of the request."""
        return (self.path, *(value for _, value in self.headers), self.body)

    @property
    def slots(self) -> Iterator[Slot]:
        """Every place that is filled in, of the request and of its check."""
        for text in (*self.sent, *self.check.texts):
            yield from slots_of(text)


class Alternative(Frozen):
    """Steps that may be chosen."""

    weight: int = Field(ge=1)
    """How often, of the sum of all weights."""
    steps: "tuple[Step, ...]" = Field(min_length=1)
    """What is performed then."""


class Choose(Frozen):
    """One of several alternatives, drawn each time."""

    choose: tuple[Alternative, ...] = Field(min_length=1)
    """The alternatives."""


class Repeat(Frozen):
    """The same steps several times."""

    repeat: Integer
    """How often."""
    steps: "tuple[Step, ...]" = Field(min_length=1)
    """What is performed each time."""


Step = Send | Choose | Repeat
"""An entry of a session."""

for _recursive in (Alternative, Choose, Repeat):
    _recursive.model_rebuild()


def without_pauses(steps: "Sequence[Step]") -> "tuple[Step, ...]":
    """The same steps without pauses of their own."""
    return tuple(_without_pauses(step) for step in steps)


def _without_pauses(step: Step) -> Step:
    match step:
        case Send():
            return step.model_copy(update={"think": None})
        case Choose():
            return Choose(
                choose=tuple(
                    each.model_copy(update={"steps": without_pauses(each.steps)})
                    for each in step.choose
                )
            )
        case Repeat():
            return step.model_copy(update={"steps": without_pauses(step.steps)})


def sends_in(steps: Iterable[Step]) -> Iterator[Send]:
    """Every request among steps, in the order of the file; of alternatives all."""
    for step in steps:
        match step:
            case Send():
                yield step
            case Choose():
                for alternative in step.choose:
                    yield from sends_in(alternative.steps)
            case Repeat():
                yield from sends_in(step.steps)
