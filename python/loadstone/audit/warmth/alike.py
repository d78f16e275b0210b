"""Rules on the windows of one arm against each other: alike in when they began, and on what CPU."""

from collections.abc import Iterator
from statistics import median

from loadstone.audit.touched_metrics import WARMTH
from loadstone.audit.warmth.loaded_cell import LoadedCell
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun
from loadstone.stats.comparison.verdict import MINIMUM_RUNS
from loadstone.text import units

EARLY_SHARE = 0.5
"""Of the median over the runs. Each run starts its own process, and they warm up alike: half of the bad
windows that a slow end of a warm-up leaves are seen by it."""
SLOWER_SHARE = 0.10
"""Of the engine's CPU time for each ok, which does the same work in every run."""


def warm_up_differs(cell: LoadedCell) -> Iterator[Finding]:
    """A window that began long before those of the other runs: its warm-up may have been misjudged."""
    if len(cell.watched) < MINIMUM_RUNS:
        return
    took_ns = {run.record.run.block: _warm_up_ns(run) for run in cell.watched}
    usual_ns = median(took_ns.values())
    early = {block: ns for block, ns in took_ns.items() if ns < EARLY_SHARE * usual_ns}
    if not early:
        return
    began = ", ".join(f"block {block} after {units.duration(ns)}" for block, ns in early.items())
    yield Finding(
        code="warm-up-differs",
        severity=Severity.WARNING,
        subject=cell.subject,
        metrics=WARMTH,
        evidence=f"the window of {began} of warm-up, the median of the runs after "
        f"{units.duration(round(usual_ns))} (at least half of it)",
        advice="see in CPU per ok over time whether that run was warm; where it was not, set a fixed "
        "`warm_up` of the longest",
    )


def _warm_up_ns(run: WindowedRun) -> int:
    return run.window.start_ns - run.record.changes_ns


def slower_cpu(cell: LoadedCell) -> Iterator[Finding]:
    """Runs in which the engine needed more CPU time for the same work: the CPU itself was slower."""
    told = {run.record.run.block: _engine_cost_ns(run) for run in cell.runs}
    costs = {block: cost for block, cost in told.items() if cost}
    least = min(costs.values(), default=0.0)
    slow = {block: cost for block, cost in costs.items() if cost > (1 + SLOWER_SHARE) * least}
    if not slow:
        return
    where = f"block{'' if len(slow) == 1 else 's'} {', '.join(map(str, sorted(slow)))}"
    most = max(slow.values()) / least - 1
    yield Finding(
        code="slower-cpu",
        severity=Severity.NOTE,
        subject=cell.subject,
        metrics=WARMTH,
        evidence=f"the CPU was slower in {where}: the "
        f"engine's own CPU time for each ok was up to {units.share(most)} above that of the fastest "
        f"run (at most {units.percent(SLOWER_SHARE)})",
        advice="compare within blocks, as the verdicts do; absolute figures are of no single CPU",
    )


def _engine_cost_ns(run: WindowedRun) -> float | None:
    """Over the window; none where the engine does not tell it."""
    used = [each.cpu_ns for each in run.inside]
    known = [each for each in used if each is not None]
    ok = run.ok_inside()
    return sum(known) / ok if ok and len(known) == len(used) else None
