"""Rules on a study's runs as a whole: those without figures, too few of them, their warm-up."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import get_args

from loadstone.audit.warmth.model import Warmth
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.read import StoredRun
from loadstone.stats.comparison.verdict import MINIMUM_RUNS
from loadstone.text import units

ENOUGH_RUNS = 6
"""An arm. The smallest and largest of n runs enclose the median with probability 1 - 2^(1-n): 97 %
at 6; and a sign-flip permutation of 6 pairs is the first that can reach p < 0.05."""
SHORT_NS = 20 * 10**9
"""Two thirds of it are the fewest seconds in which a warm-up of ten seconds leaves a slope."""
NAMED_AT_MOST = 6
"""Arms of one state; more of them are counted."""


def failed_run(stored: StoredRun) -> Iterator[Finding]:
    """A planned run without figures."""
    if stored.completed:
        return
    failed = stored.record is not None and stored.record.status == "failed"
    yield Finding(
        code="failed-run",
        severity=Severity.WARNING,
        subject=scope.run(stored.planned),
        metrics=(),
        evidence=f"the run has no figures: {stored.problem}",
        advice="read the logs in the run's folder: a service that fails is a result of its own; "
        "where it was not to blame, remove that folder and go on with `--resume`"
        if failed
        else "finish the study with `--resume`",
    )


def too_few_runs(runs: Sequence[StoredRun]) -> Iterator[Finding]:
    """Cells with fewer runs than a comparison needs to tell anything, or much."""
    cells: dict[tuple[str, str], list[StoredRun]] = defaultdict(list)
    for stored in runs:
        cells[stored.planned.arm, stored.planned.workload].append(stored)
    for (arm, workload), planned in cells.items():
        completed = sum(stored.completed for stored in planned)
        if completed >= ENOUGH_RUNS:
            continue
        tells = (
            "no comparison with it can tell anything"
            if completed < MINIMUM_RUNS
            else "only large differences can be told"
        )
        yield Finding(
            code="too-few-runs",
            severity=Severity.WARNING,
            subject=scope.arm(arm, workload),
            metrics=(),
            evidence=f"{completed} completed of {len(planned)} planned runs "
            f"({ENOUGH_RUNS} are enough, below {MINIMUM_RUNS} are none): {tells}",
            advice=f"plan at least {ENOUGH_RUNS} blocks"
            if len(planned) < ENOUGH_RUNS
            else "find out why runs failed, and run the study again",
        )


def fixed_warm_up(
    runs: Sequence[StoredRun], warmth: Mapping[tuple[str, str], Warmth]
) -> Iterator[Finding]:
    """Windows whose beginning was set and not watched, with what their seconds show of the arms.

    Of arms whose runtimes never compile nothing is told: their warm-ups are a matter of seconds.
    """
    lengths_ns: dict[str, set[int]] = defaultdict(set)
    arms: dict[str, dict[Warmth, set[str]]] = defaultdict(lambda: defaultdict(set))
    for stored in runs:
        window = stored.record.window if stored.record else None
        if stored.record is None or window is None or window.warm_up != "fixed":
            continue
        services = stored.record.services
        if services and all(each.compiles is False for each in services):
            continue
        arm, workload = stored.planned.arm, stored.planned.workload
        lengths_ns[workload].add(window.start_ns)
        arms[workload][warmth.get((arm, workload), "not judged")].add(arm)
    for workload, lengths in lengths_ns.items():
        lasted = ", ".join(units.duration(length_ns) for length_ns in sorted(lengths))
        showed = "; ".join(
            f"{state}: {_named(arms[workload][state])}"
            for state in get_args(Warmth)
            if state in arms[workload]
        )
        yield Finding(
            code="fixed-warm-up",
            severity=Severity.NOTE,
            subject=scope.STUDY,
            metrics=(),
            evidence=f"the warm-up of {workload} was set to {lasted}, not watched; by their seconds "
            f"{showed}",
            advice="write `warm_up: steady`, so that each window begins when its service is warm",
        )


def _named(arms: Collection[str]) -> str:
    return ", ".join(sorted(arms)) if len(arms) <= NAMED_AT_MOST else f"{len(arms)} arms"


def short_runs(runs: Sequence[StoredRun]) -> Iterator[Finding]:
    """Workloads whose runs are too short to show a slow warm-up."""
    lengths_ns: dict[str, int] = {}
    for stored in runs:
        load = stored.measured.load if stored.measured else None
        if load is not None:
            name = stored.planned.workload
            lengths_ns[name] = max(lengths_ns.get(name, 0), load.load_ns)
    for workload, longest_ns in lengths_ns.items():
        if longest_ns >= SHORT_NS:
            continue
        yield Finding(
            code="short-run",
            severity=Severity.NOTE,
            subject=scope.STUDY,
            metrics=(),
            evidence=f"the runs of {workload} last {units.duration(longest_ns)}, less than "
            f"{units.duration(SHORT_NS)}: only a warm-up of a few seconds would be seen in them",
            advice="for figures of a warm service give it `warm_up: steady`, or a longer duration",
        )
