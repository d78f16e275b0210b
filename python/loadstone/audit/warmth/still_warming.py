"""Rules on an arm that was not warm, or of which nobody saw that it was."""

import math
from collections import Counter
from collections.abc import Iterator

from loadstone.audit.touched_metrics import WARMTH
from loadstone.audit.warm_up_advice import longer_warm_up
from loadstone.audit.warmth.loaded_cell import LoadedCell
from loadstone.findings.model import Finding, Severity
from loadstone.results.cost_series import CostKind
from loadstone.results.window import WindowedRun
from loadstone.stats.series.still_warming import MOST_OFF, StillWarming
from loadstone.text import units
from loadstone.text.words import counted

_COST: dict[CostKind, str] = {
    "relative": "CPU per ok",
    "cpu_per_ok": "CPU per ok",
    "response_time.median": "median response time",
}


def still_warming(cell: LoadedCell) -> Iterator[Finding]:
    """Windows in which an answer cost more than where its cost was heading: of such an arm nothing is
    claimed. The thresholds are in `stats/series/still_warming.py`.
    """
    judged = cell.judgement
    if judged.warmth != "still warming" or judged.found is None or judged.kind is None:
        return
    yield Finding(
        code="still-warming",
        severity=Severity.NO_CLAIM,
        subject=cell.subject,
        metrics=WARMTH,
        evidence=f"{cell.name} was still warming up{_by_how_many(cell, judged.found)}: its "
        f"{_COST[judged.kind]} is at least {100 * math.expm1(_off(judged.found)):.0f} % above what it "
        f"was heading for (at most {units.percent(MOST_OFF)})",
        advice=f"{_cause(cell)}{longer_warm_up(cell.runs)}",
    )


def _off(found: StillWarming) -> float:
    """The mean over all runs; over those that tell by themselves, where they alone do."""
    if found.mean_off > MOST_OFF:
        return found.mean_off
    marked = [off for off, is_marked in zip(found.off, found.marked, strict=True) if is_marked]
    return sum(marked) / len(marked) if marked else found.mean_off


def _by_how_many(cell: LoadedCell, found: StillWarming) -> str:
    runs = len(found.marked)
    share = cell.share_text(sum(found.marked), runs)
    if not share:
        return ""
    return f" ({share})" if any(found.marked) else f" ({counted(runs, 'run')} together)"


def _cause(cell: LoadedCell) -> str:
    """Why its windows began although it was not warm, of what was watched and was not cut off."""
    by = Counter(run.window.steady_by for run in cell.watched)
    if not by or by["cap"]:
        return ""
    match by.most_common(1)[0][0]:
        case "idle":
            return (
                "no compiler was at work when its window began, so something else warmed up (a cache, "
                "a pool, a dependency): "
            )
        case "level":
            return "its level held for a while and then moved on: "
        case _:
            return "its cost varies too much for a slow warm-up to be seen while it goes on: "


def warm_up_capped(cell: LoadedCell) -> Iterator[Finding]:
    """Windows that began since the warm-up may not last longer, of an arm that is not seen to move."""
    capped = {run: ns for run in cell.runs if (ns := _capped_after_ns(run)) is not None}
    if not capped or cell.judgement.warmth == "still warming":
        return
    longest_ns = max(capped.values())
    share = cell.share_text(len(capped), len(cell.runs))
    moving = (
        "nor to be moving"
        if cell.judgement.warmth == "level"
        else f"and whether it was moving could not be judged: {cell.judgement.reason}"
    )
    yield Finding(
        code="warm-up-capped",
        severity=Severity.NOTE,
        subject=cell.subject,
        metrics=WARMTH,
        evidence=f"{cell.name} was not seen to be level within {units.duration(longest_ns)}"
        f"{share and f' ({share})'}, {moving}",
        advice=f"{longer_warm_up(tuple(capped))}, or take the figures as of this long a warm-up",
    )


def _capped_after_ns(run: WindowedRun) -> int | None:
    """How long its warm-up lasted, or the load before it, where it was ended unseen."""
    warmed = run.record.warmed
    if warmed is not None:
        return warmed.length_ns if warmed.steady_by == "cap" else None
    return run.window.start_ns if run.window.steady_by == "cap" else None
