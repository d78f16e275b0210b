"""How long a load lasts, as typed: a duration with the warm-up inside it, or a window behind one."""

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from loadstone.stats.series.steady_state import LEAST_POINTS
from loadstone.study.files.raw import Raw
from loadstone.study.files.yaml_file import YamlFile
from loadstone.study.values.model import DEFAULT_STEADY_WITHIN_NS, LEAST_STEADY_WITHIN_NS
from loadstone.study.values.timing import Course, Timing
from loadstone.text.typed_units import WarmUp, WholeSeconds

SECOND_NS = 10**9


class RawSteadyWarmUp(Raw):
    """A warm-up that lasts until the load is steady."""

    until: Literal["steady"]
    """What ends it."""
    at_most: WholeSeconds = DEFAULT_STEADY_WITHIN_NS
    """Then the window begins, whatever was seen, and the run is marked. Default 180s."""


class RawWarmed(Raw):
    """What makes a service warm before a load that asks too little of it."""

    at_most: WholeSeconds = DEFAULT_STEADY_WITHIN_NS
    """Then the load begins, whatever was seen, and the run is marked. Default 180s."""


def _form(typed: Any) -> str:
    return "as a mapping" if isinstance(typed, dict) else "as a word"


RawWarmUp = Annotated[
    Annotated[WarmUp, Tag("as a word")] | Annotated[RawSteadyWarmUp, Tag("as a mapping")],
    Discriminator(_form),
]


class RawTiming(Raw):
    """How long requests are started, and which part of that is measured."""

    duration: WholeSeconds | None = None
    """How long requests are started, whole seconds. Either duration or window."""
    window: WholeSeconds | None = None
    """How long the load is measured once it is steady, whole seconds. Goes with `warm_up: steady`."""
    warm_up: Annotated[RawWarmUp | None, Field()] = None
    """`steady`, or `{until: steady, at_most: 120s}`: the load goes on until its service is seen to be
    warm, then the `window` begins. Or the first part of `duration`, left out of the figures: whole
    seconds, or `detected`, which leaves out what came before the service's level. Default: steady
    with a window; of a duration detected where users or rate do not change and it is at least 30s,
    else 0s.
    """


def longest_ns(source: YamlFile, raw: RawTiming) -> int:
    """Return how long requests are started at most. Raises InputError."""
    within_ns = steady_within_ns(raw.warm_up)
    if within_ns is None and raw.warm_up is None and raw.window is not None:
        within_ns = DEFAULT_STEADY_WITHIN_NS
    if raw.duration is not None and raw.window is not None:
        raise source.error(
            ("window",),
            "duration and window exclude each other",
            "keep window behind a warm_up until steady, else duration",
        )
    if within_ns is not None:
        if raw.window is None:
            raise source.error(
                ("warm_up",),
                "until steady needs a window behind it",
                "write `window: 20s` in place of duration",
            )
        return within_ns + raw.window
    if raw.window is not None:
        raise source.error(
            ("window",), "goes with warm_up: steady", "write duration, the warm-up included"
        )
    if raw.duration is None:
        raise source.error(
            (),
            "duration or window is missing",
            "write `window: 20s` with `warm_up: steady`, or `duration: 60s`",
        )
    return raw.duration


def timing_of(source: YamlFile, raw: RawTiming, course: Course) -> Timing:
    """Return the timing that was typed. Raises InputError."""
    most_ns = longest_ns(source, raw)
    if raw.window is not None:
        within_ns = most_ns - raw.window
        if within_ns < max(LEAST_STEADY_WITHIN_NS, course.changes_ns + SECOND_NS):
            raise source.error(
                ("warm_up",),
                "is over before steadiness can be looked for, or users and rate stop changing",
                f"write at_most of at least {LEAST_STEADY_WITHIN_NS // SECOND_NS}s, and longer than "
                "the stages",
            )
        return Timing(raw.window, None, within_ns)
    if isinstance(raw.warm_up, int) and raw.warm_up >= most_ns:
        raise source.error(
            ("warm_up",),
            "must be shorter than duration: nothing would be measured",
            "shorten the warm-up or lengthen the duration",
        )
    return Timing(most_ns, _part_of_duration_ns(source, raw, most_ns, course), None)


def steady_within_ns(warm_up: RawSteadyWarmUp | int | str | None) -> int | None:
    """Return how long a warm-up until steady lasts at most; none of another."""
    if isinstance(warm_up, RawSteadyWarmUp):
        return warm_up.at_most
    return DEFAULT_STEADY_WITHIN_NS if warm_up == "steady" else None


def _part_of_duration_ns(
    source: YamlFile, raw: RawTiming, duration_ns: int, course: Course
) -> int | None:
    """None where it is to be detected."""
    if isinstance(raw.warm_up, int):
        return raw.warm_up
    if raw.warm_up is None:
        detectable = course.is_steady and duration_ns >= LEAST_POINTS * SECOND_NS
        return None if detectable else 0
    if not course.is_steady:
        raise source.error(
            ("warm_up",),
            "cannot be detected: users or rate change, and so does the level of the service",
            "write how long it is, such as 60s",
        )
    if duration_ns < LEAST_POINTS * SECOND_NS:
        raise source.error(
            ("warm_up",),
            f"cannot be detected in less than {LEAST_POINTS} s",
            f"write how long it is, or a duration of at least {LEAST_POINTS}s",
        )
    return None
