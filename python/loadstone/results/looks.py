"""`looks.json`: what an adaptive study saw when it looked, and whether it ended there.

Written by the lab after each look. A decision to go on is never taken back: the runs behind it are
there, and a second look at the same block would be one more than the level allows for.
"""

from collections.abc import Container
from typing import Annotated, Final, Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.stats.comparison.adaptive import Decidedness
from loadstone.study.design.order import runs_until
from loadstone.study.values.model import Plan, PlannedRun

LOOKS_VERSION: Final = 1
"""1: first version."""


class LookedAt(Frozen):
    """One comparison by a primary metric, as it was at a look."""

    question: str
    """The question that it answers."""
    workload: str
    """Workload name."""
    metric: str
    """Catalogue name."""
    baseline: str
    """Arm id."""
    other: str
    """Arm id."""
    estimate: float | None
    """other / baseline, or other - baseline."""
    low: float | None
    """Lower end of the interval."""
    high: float | None
    """Upper end of the interval."""
    level: float
    """Of the interval: what the family's correction used at this look."""
    margin: float
    """Fraction within which arms count as equivalent."""
    runs: tuple[int, int]
    """Runs of baseline and other."""
    words: str
    """What could be said: faster, slower, lower, higher, equivalent, cannot tell."""
    standing: Decidedness | Literal["out of reach"]
    """`told`: a verdict; `precise`: none, and half of the interval is no wider than the margin; `open`:
    neither; `out of reach`: no further block can make it comparable.
    """
    reason: str = ""
    """For `cannot tell`: why."""

    @property
    def decided(self) -> bool:
        """Whether further blocks are not worth their time."""
        return self.standing is not Decidedness.OPEN


class Look(Frozen):
    """One look."""

    after_block: Annotated[int, Field(ge=1)]
    """Block after which it was taken."""
    runs: int
    """Planned runs up to there."""
    taken_at: str
    """UTC, ISO 8601."""
    level: float
    """Of the intervals before Holm's correction."""
    comparisons: tuple[LookedAt, ...]
    """Every comparison of every question by its primary metric."""
    stop: bool
    """Whether the study ended here."""


class Looks(Frozen):
    """The looks that were taken."""

    looks_version: Literal[1] = LOOKS_VERSION
    """Of this form."""
    looks: tuple[Look, ...]
    """In order."""


def fits(looks: tuple[Look, ...], plan: Plan) -> bool:
    """Whether looks can be those of a plan: its first ones, with a stop at the last of them at most."""
    taken = tuple(look.after_block for look in looks)
    return taken == plan.looks[: len(looks)] and not any(look.stop for look in looks[:-1])


def stopped_after(looks: tuple[Look, ...]) -> int | None:
    """The block after which a study ended; none where it has not."""
    return looks[-1].after_block if looks and looks[-1].stop else None


def kept(plan: Plan, looks: tuple[Look, ...], unfinished: Container[str]) -> tuple[Look, ...]:
    """The looks that stand when a study is resumed: all, unless a run before its stop is to be done
    again. Then the stop has nothing behind it yet, and is asked again of what there is by then.
    """
    block = stopped_after(looks)
    before = () if block is None else plan.runs[: runs_until(plan, block)]
    return looks[:-1] if any(planned.id in unfinished for planned in before) else looks


def needed_until(plan: Plan, looks: tuple[Look, ...]) -> int:
    """The block up to which a study is to be done, as far as its looks tell: that of the stop, or else
    of the next look.
    """
    following = plan.looks[len(looks)] if len(looks) < len(plan.looks) else plan.blocks
    return stopped_after(looks) or following


def runs_needed(plan: Plan, looks: tuple[Look, ...]) -> tuple[PlannedRun, ...]:
    """The runs up to that block."""
    return plan.runs[: runs_until(plan, needed_until(plan, looks))] if plan.looks else plan.runs
