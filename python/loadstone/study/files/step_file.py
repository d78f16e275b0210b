"""The steps of a session as a workload's file types them: their shapes."""

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from loadstone.study.files.answer_file import RawAnswerCheck, RawCaptures
from loadstone.study.files.arrivals_file import RawThink
from loadstone.study.files.operation_file import RawRequest
from loadstone.study.files.raw import Name, Raw, Text
from loadstone.study.templates.bounds import MOST_TURNS
from loadstone.text.typed_units import DurationOrZero

RawStepPause = Annotated[
    Annotated[DurationOrZero, Tag("as a value")] | Annotated[RawThink, Tag("as a mapping")],
    Discriminator(lambda typed: "as a mapping" if isinstance(typed, dict) else "as a value"),
]
"""As of a group, and 0s where the group has a pause and the step none."""


class RawSend(RawRequest):
    """A request, and what is made of its answer."""

    check: RawAnswerCheck = RawAnswerCheck()
    """What the answer must be."""
    capture: RawCaptures | None = None
    """Values of the answer that later steps use: name to a JSON pointer, or to where it comes from."""
    when: Text | None = None
    """Name of a value: the step is performed only if it is there and not empty."""
    think: RawStepPause | None = None
    """Pause after this step: a duration, or a distribution. Default: the group's."""
    on_failure: Literal["end", "go_on"] = "end"
    """What any outcome but ok does to the session. Default end."""


class RawPart(Raw):
    """The steps of a part, put in here."""

    part: Name
    """Its name in `parts`."""


class RawAlternative(Raw):
    """Steps that may be chosen."""

    weight: Annotated[int, Field(ge=1, le=1_000_000)]
    """How often, of the sum of all weights."""
    steps: "RawSteps"
    """What is performed then."""


class RawChoose(Raw):
    """One of several alternatives, drawn each time."""

    choose: Annotated[list[RawAlternative], Field(min_length=1, max_length=64)]
    """The alternatives."""


def _form(typed: Any) -> str:
    return "as a template" if isinstance(typed, str) else "as a number"


class RawRepeat(Raw):
    """The same steps several times."""

    repeat: Annotated[
        Annotated[int, Field(ge=1, le=MOST_TURNS), Tag("as a number")]
        | Annotated[str, Tag("as a template")],
        Discriminator(_form),
    ]
    """How often, up to 1000, or a template of that; `turn` counts from 0."""
    steps: "RawSteps"
    """What is performed each time."""


def _kind(typed: Any) -> str:
    if isinstance(typed, dict):
        for key in ("part", "choose", "repeat"):
            if key in typed:
                return f"as {key}"
    return "as operation"


RawStep = Annotated[
    Annotated[RawSend, Tag("as operation")]
    | Annotated[RawPart, Tag("as part")]
    | Annotated[RawChoose, Tag("as choose")]
    | Annotated[RawRepeat, Tag("as repeat")],
    Discriminator(_kind),
]
RawSteps = Annotated[list[RawStep], Field(min_length=1)]

for _recursive in (RawAlternative, RawChoose, RawRepeat):
    _recursive.model_rebuild()
