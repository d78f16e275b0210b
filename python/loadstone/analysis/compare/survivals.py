"""Times to failure: when a stop rule ended the load of a run because the service failed.

A run that ended by its duration or its count of requests did not fail as long as it was watched; when
it would have is not known, and that is what Kaplan and Meier's estimate and the log-rank test are for.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

from loadstone.analysis.compare.comparisons import Cells
from loadstone.analysis.figures.failure_figures import SLOW_MEAN
from loadstone.analysis.multi_arm_model import (
    ArmSurvival,
    FailureRule,
    SurvivalComparison,
    Survivals,
    UnrankedArm,
)
from loadstone.results.load_facts import StopRule
from loadstone.results.read import StoredRun
from loadstone.stats.comparison.holm import holm_alphas
from loadstone.stats.comparison.kaplan_meier import Survival, survival
from loadstone.stats.comparison.logrank import LogRank, logrank
from loadstone.study.values.model import AnyWorkload, StartupWorkload

LEVEL = 0.95
"""Of the intervals of one arm's curve."""
_HALF = 0.5
Words = Literal["fails later", "fails sooner", "cannot tell"]


@dataclass(frozen=True)
class Ending:
    """How the load of one completed run ended."""

    arm: str
    workload: str
    at_ns: float
    """Since the load began."""
    failed: bool
    """Whether a rule of failure ended it, and not its duration or its count."""


def endings(runs: Iterable[StoredRun]) -> tuple[Ending, ...]:
    """Of every completed run with a load whose end is known; a signal's is none of its own."""
    return tuple(
        Ending(run.planned.arm, run.planned.workload, stop.at_ns, stop.reason in get_args(StopRule))
        for run in runs
        if run.completed and run.measured is not None and run.measured.load is not None
        if (stop := run.measured.load.stop) is not None and stop.reason != "signal"
    )


def survivals(
    workloads: Sequence[AnyWorkload],
    arms: Sequence[str],
    ended: Sequence[Ending],
    left_out: Mapping[tuple[str, str], str],
    alpha: float,
) -> tuple[Survivals, ...]:
    """Of each workload that has a stop rule beside its duration, and a run.

    `left_out` is why an arm's time to failure under a workload is withheld, or not compared.
    """
    return _by_workload(
        [
            workload.workload
            for workload in workloads
            if not isinstance(workload, StartupWorkload) and workload.may_stop_early
        ],
        arms,
        ended,
        left_out,
        alpha,
        "stop rule",
    )


def slow_means(
    cells: Cells, left_out: Mapping[tuple[str, str], str], alpha: float
) -> tuple[Survivals, ...]:
    """The same by the moment from which the mean response time was above its limit, where one is set.

    It comes before a stop rule that waits, so that a load has it whichever rule ended it.
    """
    ended = [
        Ending(arm, workload, at_ns, each.state == "value")
        for (arm, workload), cell in cells.items()
        if (figure := cell.cell.by_metric.get(SLOW_MEAN)) is not None
        for each in figure.runs
        if (at_ns := each.value if each.state == "value" else each.at_least) is not None
    ]
    workloads = list(dict.fromkeys(each.workload for each in ended))
    arms = list(dict.fromkeys(arm for arm, _ in cells))
    return _by_workload(workloads, arms, ended, left_out, alpha, "slow mean")


def _by_workload(
    workloads: Sequence[str],
    arms: Sequence[str],
    ended: Sequence[Ending],
    left_out: Mapping[tuple[str, str], str],
    alpha: float,
    rule: FailureRule,
) -> tuple[Survivals, ...]:
    found = (
        _of_workload(
            workload,
            {
                arm: [each for each in ended if (each.arm, each.workload) == (arm, workload)]
                for arm in arms
            },
            {arm: reason for (arm, under), reason in left_out.items() if under == workload},
            alpha,
            rule,
        )
        for workload in workloads
    )
    return tuple(each for each in found if each.arms or each.left_out)


def _of_workload(
    workload: str,
    by_arm: dict[str, list[Ending]],
    left_out: Mapping[str, str],
    alpha: float,
    rule: FailureRule,
) -> Survivals:
    present = {arm: ended for arm, ended in by_arm.items() if ended and arm not in left_out}
    anybody = any(each.failed for ended in present.values() for each in ended)
    return Survivals(
        workload=workload,
        rule=rule,
        arms=tuple(_arm(arm, ended) for arm, ended in present.items()),
        comparisons=_comparisons(present, alpha) if anybody else (),
        left_out=tuple(UnrankedArm(arm=arm, reason=reason) for arm, reason in left_out.items()),
    )


def _arm(arm: str, ended: Sequence[Ending]) -> ArmSurvival:
    curve = survival([each.at_ns for each in ended], [each.failed for each in ended], LEVEL)
    return ArmSurvival(
        arm=arm,
        runs=len(ended),
        failed=sum(each.failed for each in ended),
        times_ns=curve.times,
        probabilities=curve.probabilities,
        low=curve.low,
        high=curve.high,
        median_ns=curve.median,
        median_low_ns=_first_at_half(curve, curve.low),
        median_high_ns=_first_at_half(curve, curve.high),
        longest_ns=max(each.at_ns for each in ended),
    )


def _first_at_half(curve: Survival, bound: Sequence[float]) -> float | None:
    """Where a bound of the curve comes down to one half: Brookmeyer & Crowley, "A Confidence Interval
    for the Median Survival Time", Biometrics 38(1), 1982.
    """
    return next(
        (time for time, share in zip(curve.times, bound, strict=True) if share <= _HALF), None
    )


def _comparisons(present: dict[str, list[Ending]], alpha: float) -> tuple[SurvivalComparison, ...]:
    tests = [
        (
            first,
            second,
            logrank(*_times(present[first]), *_times(present[second])),
        )
        for first, second in combinations(present, 2)
    ]
    alphas = holm_alphas([test.p_value for _, _, test in tests], alpha)
    return tuple(
        SurvivalComparison(
            baseline=first,
            other=second,
            statistic=test.statistic**2,
            p_value=test.p_value,
            level=1 - own,
            words=_words(test, own),
        )
        for (first, second, test), own in zip(tests, alphas, strict=True)
    )


def _times(ended: Sequence[Ending]) -> tuple[list[float], list[bool]]:
    return [each.at_ns for each in ended], [each.failed for each in ended]


def _words(test: LogRank, alpha: float) -> Words:
    """The words of a log-rank test: `statistic` is above 0 where the first arm fails earlier."""
    if test.p_value > alpha or test.statistic == 0:
        return "cannot tell"
    return "fails later" if test.statistic > 0 else "fails sooner"
