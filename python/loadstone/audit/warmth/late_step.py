"""Rule on the run of an arm that went on behind its window: whether its cost made a step late.

No rule that ends a warm-up foresees a step after a long silence, so one run looks for all of its arm.
A neighbour that takes CPU time while the window lasts makes it dear, and one that goes on behind it
hides a step; `busy-neighbour` and `slower-cpu` tell of those.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from loadstone.audit.touched_metrics import WARMTH
from loadstone.audit.warmth.loaded_cell import LoadedCell
from loadstone.findings.model import Finding, Severity
from loadstone.results.cost_series import CostKind, late_cost
from loadstone.results.window import WindowedRun
from loadstone.stats.series.late_step import LAST_SECONDS, LEAST_STEP, LateStep, late_step
from loadstone.text import units

CODE = "late-step"


@dataclass(frozen=True)
class LateLook:
    """What the run of an arm showed that went on behind its window."""

    run: WindowedRun
    kind: CostKind | None = None
    point_seconds: int = 1
    found: LateStep | None = None
    """None where nothing could be told."""
    reason: str = ""
    """Why nothing could be told."""

    @property
    def text(self) -> str:
        """`no late step in the 180 s behind it`, or what the step was."""
        lasted = f"{self.run.window.late_look_ns / 1e9:.0f} s"
        if self.found is None or self.kind is None:
            return f"whether a late step came in the {lasted} behind it is not known: {self.reason}"
        if not (self.found.is_fall or self.found.is_rise):
            return f"no late step in the {lasted} behind it"
        cost = "median response time" if self.kind == "response_time.median" else "CPU per ok"
        share = units.share(abs(math.expm1(self.found.change)))
        return (
            f"{cost} {'fell' if self.found.is_fall else 'rose'} by {share} between the window and "
            f"{lasted} after it, first seen {self.after_seconds} s after it"
        )

    @property
    def after_seconds(self) -> int:
        """How long behind the window the step was first seen."""
        return self.found.at * self.point_seconds if self.found else 0


def late_look(cell: LoadedCell) -> LateLook | None:
    """What the run of the cell showed that looked for a late step; none where none did."""
    run = next((each for each in cell.runs if each.late), None)
    if run is None:
        return None
    if run.window.late_look_ns < LAST_SECONDS * 10**9:
        return LateLook(run, reason="the load was stopped before")
    cost = late_cost(run)
    if isinstance(cost, str):
        return LateLook(run, reason=cost)
    last = LAST_SECONDS // cost.point_seconds
    if min(len(cost.window), len(cost.behind) - last + 1) < 3:
        return LateLook(run, reason="fewer than 3 points in the window")
    found = late_step(cost.before, cost.window, cost.behind, last)
    return LateLook(run, cost.kind, cost.point_seconds, found)


def late_steps(cell: LoadedCell) -> Iterator[Finding]:
    """A service that became cheaper late was not warm in any window of its arm; one that became dearer
    was, and its windows tell of no later time. The thresholds are in `stats/series/late_step.py`.
    """
    look = late_look(cell)
    if look is None or look.found is None or not (look.found.is_fall or look.found.is_rise):
        return
    is_fall = look.found.is_fall
    yield Finding(
        code=CODE,
        severity=Severity.NO_CLAIM if is_fall else Severity.WARNING,
        subject=cell.subject,
        metrics=WARMTH,
        evidence=f"{cell.name}'s {look.text} (at most {units.percent(LEAST_STEP)})",
        advice=_warm_longer(look)
        if is_fall
        else "see what it does more of as time goes by, a leak or a neighbour: its figures are those "
        "of its first minutes",
    )


def _warm_longer(look: LateLook) -> str:
    """A higher cap lets nobody wait whose warm-up was seen to end."""
    window = look.run.window
    seconds = math.ceil(window.end_ns / 1e9) + look.after_seconds
    fixed = f"a fixed `warm_up` of more than {seconds}s"
    if window.steady_by == "cap":
        return f"allow its warm-up a higher `at_most`, or set {fixed}"
    return f"set {fixed}; a higher `at_most` is no help, since it was steady long before"
