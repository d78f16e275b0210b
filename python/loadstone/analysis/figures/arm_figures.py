"""The figures of one arm under one workload, from the figures of its runs."""

from collections.abc import Callable, Sequence

from loadstone.analysis.figures.failure_figures import FAILURE_METRICS
from loadstone.analysis.model import ArmFigure, FigureState, RunFigure
from loadstone.findings.withholding import withheld_in_all
from loadstone.metrics.model import MetricInfo
from loadstone.stats.comparison.geometric_mean import geometric_mean
from loadstone.stats.values.variation import coefficient_of_variation, deviation

_CONTAGIOUS: tuple[FigureState, ...] = ("withheld", "failed", "too few samples")
"""One run in such a state puts the arm in it; the earlier ones first."""

Pool = Callable[[], RunFigure]
"""Takes the figure from the requests of all runs together, where one run has too few."""


def arm_figure(
    info: MetricInfo, runs: Sequence[RunFigure], completed: int, pool: Pool | None
) -> ArmFigure:
    """Return one metric of an arm, from its planned runs in block order.

    Where one run's figure is withheld or failed, so is the arm's: without that run the arm would look
    better for it. A metric that was not measured in some runs is taken from the others, and so is every
    metric where a whole run failed.
    """
    if completed == 0:
        return _without(info, runs, "not measured", "no run was completed")
    for state in _CONTAGIOUS:
        affected = [run for run in runs if run.state == state]
        if not affected:
            continue
        if state == "too few samples" and pool is not None:
            pooled = pool()
            if pooled.state == "value":
                return ArmFigure(
                    metric=info.name,
                    value=pooled.value,
                    state="value",
                    reason=f"one run has too few samples: {affected[0].reason}",
                    pooled=True,
                    runs=tuple(runs),
                )
        found = dict.fromkeys(run.reason for run in affected)
        reasons = withheld_in_all(found) if state == "withheld" else ", ".join(found)
        return _without(info, runs, state, f"{reasons} (in {len(affected)} of {completed} runs)")
    lasted = [run for run in runs if run.state == "not reached"]
    if lasted:
        what = "did not fail" if info.name in FAILURE_METRICS else "were not seen to be steady"
        reason = f"{len(lasted)} of {completed} runs {what}"
        return _without(info, runs, "not reached", reason)
    values = [run.value for run in runs if run.value is not None]
    if not values:
        reasons = ", ".join(dict.fromkeys(run.reason for run in runs))
        return _without(info, runs, "not measured", reasons)
    return ArmFigure(
        metric=info.name,
        value=geometric_mean(values) if info.scale == "ratio" else sum(values) / len(values),
        state="value",
        low=min(values),
        high=max(values),
        deviation=_deviation(info, values),
        runs=tuple(runs),
    )


def _deviation(info: MetricInfo, values: Sequence[float]) -> float | None:
    if info.of_build:
        return None  # one observation, told by every run
    return coefficient_of_variation(values) if info.scale == "ratio" else deviation(values)


def _without(
    info: MetricInfo, runs: Sequence[RunFigure], state: FigureState, reason: str
) -> ArmFigure:
    return ArmFigure(metric=info.name, value=None, state=state, reason=reason, runs=tuple(runs))
