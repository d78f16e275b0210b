"""Rule on compile threads that were at work, or waited for a CPU, while figures were taken.

What waits shows in no figure: starved compilers leave a flat series of slow code. So the time that they
wait counts as much as the time that they run.
"""

from collections.abc import Iterator
from statistics import median

from loadstone.audit.touched_metrics import WARMTH
from loadstone.audit.warm_up_advice import longer_warm_up
from loadstone.audit.warmth.loaded_cell import LoadedCell
from loadstone.findings.model import Finding, Severity
from loadstone.text import units

MOST_DEMAND = 0.10
"""CPUs, over the window. Of recorded gateways a warm one wanted at most 0.09, a cold one 1."""
MOST_DEMAND_CLAIMED = 0.25
"""In half of the runs: from here on nothing is claimed of the arm."""


def compiling(cell: LoadedCell) -> Iterator[Finding]:
    """Compilers that wanted a CPU in the window."""
    told = [cell.compile_demand(run) for run in cell.runs]
    demands = [each for each in told if each is not None]
    beyond = [each for each in demands if each > MOST_DEMAND]
    if not beyond:
        return
    busy = [each for each in demands if each > MOST_DEMAND_CLAIMED]
    is_claimed = 2 * len(busy) < len(demands)
    shown, least = (beyond, MOST_DEMAND) if is_claimed else (busy, MOST_DEMAND_CLAIMED)
    share = cell.share_text(len(shown), len(demands))
    where = "; ".join(filter(None, (share, f"at most {units.percent(least)}")))
    yield Finding(
        code="compiling",
        severity=Severity.WARNING if is_claimed else Severity.NO_CLAIM,
        subject=cell.subject,
        metrics=WARMTH,
        evidence=f"compilers of {cell.name} {_wanted(median(shown))} ({where})",
        advice=f"{longer_warm_up(cell.runs)}; where it stays, give the service another CPU",
    )


def _wanted(demand: float) -> str:
    if demand <= 1:
        return f"wanted the CPU for {100 * demand:.0f} % of the window"
    return f"wanted {demand:.1f} CPUs all through the window"
