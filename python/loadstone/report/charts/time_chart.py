"""What every run did over time: a chart for each quantity, a line for each run in its arm's colour."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from loadstone.analysis.chart_model import RunSeries
from loadstone.analysis.model import Analysis, Cell
from loadstone.report.charts.arm_lines import (
    POINTS,
    SHADE,
    STRIPS,
    DrawnArm,
    LineAxes,
    draw_labelled,
    drawable,
)
from loadstone.report.charts.axis import linear_ticks, time_axis, unit_axis
from loadstone.report.charts.live_charts import live_lines
from loadstone.report.charts.picture import Canvas, Picture, Values, in_sizes
from loadstone.stats.series.thinning import thinned
from loadstone.text.units import Unit
from loadstone.text.words import counted

_POINTS_DRAWN = 9_000
_LEAST_POINTS = 40
_THIN = 0.004
"""Of the length of a chart: about two pixels."""
_MIB = 2**20
_OFFERED_SHARE = 0.01
"""Of what ended, by which the load of closed users may be more: those in flight at the end."""


@dataclass(frozen=True, slots=True)
class DrawnQuantity:
    """One quantity over time."""

    column: str
    """Of `RunSeries`."""
    title: str
    y_title: str
    unit: Unit
    metrics: tuple[str, ...] = ()
    """An arm of which these are withheld is not drawn."""
    is_log: bool = False
    factor: int = 1
    """Values are divided by it, so that an axis has round ticks; its title then tells the unit."""

    def values(self, run: RunSeries) -> tuple[float | None, ...]:
        """The column of one run."""
        values: tuple[float | None, ...] = getattr(run, self.column)
        return values

    def shown(self, cell: Cell) -> Sequence[object]:
        """The values of all runs that are drawn: a logarithmic axis has no 0."""
        return [
            value
            for run in cell.series
            for value in self.values(run)
            if value is not None and (value > 0 or not self.is_log)
        ]


_OVER = "over time"
QUANTITIES = (
    DrawnQuantity(
        "response_time_p99_ns",
        f"p99 response time {_OVER}",
        "p99 of the requests ok in a second",
        "ns",
        ("response_time.p99",),
        is_log=True,
    ),
    DrawnQuantity(
        "response_time_mean_ns",
        f"Mean response time {_OVER}",
        "mean of the requests ok in a second",
        "ns",
        ("response_time.mean",),
        is_log=True,
    ),
    DrawnQuantity(
        "throughput", f"Throughput {_OVER}", "requests ok a second", "1/s", ("throughput",)
    ),
    DrawnQuantity(
        "failures", f"Failures {_OVER}", "requests not ok a second", "1/s", ("failures",)
    ),
    DrawnQuantity(
        "offered", f"Offered load {_OVER}", "requests begun a second", "1/s", ("throughput",)
    ),
    DrawnQuantity("users", f"Active users {_OVER}", "active users", "count"),
    DrawnQuantity(
        "cpus_used", f"CPU of the service {_OVER}", "CPUs in use", "count", ("cpu_per_ok",)
    ),
    DrawnQuantity(
        "rss_bytes",
        f"Memory of the service {_OVER}",
        "resident memory, MiB",
        "bytes",
        ("rss_peak",),
        factor=_MIB,
    ),
)


def time_picture(analysis: Analysis, workload: str, quantity: DrawnQuantity) -> Picture | None:
    """The chart, or none where no arm has a series that may be shown, or it would tell nothing."""
    found = drawable(analysis, workload, quantity.metrics, quantity.shown)
    arms = found.drawn
    if not any(any(quantity.shown(arm.cell)) for arm in found.arms) or not arms:
        return None
    runs = [(arm, run) for arm in arms for run in arm.cell.series if quantity.values(run)]
    if _is_told_elsewhere(quantity, [run for _, run in runs]):
        return None
    most = max(_LEAST_POINTS, _POINTS_DRAWN // len(runs))
    points = [point for arm, run in runs for point in _points(quantity, arm, run, most)]
    heights = [point["y"] for point in points if point["y"] is not None]
    if not heights:
        return None
    starts = {run.window_start_ns / 1e9 for _, run in runs}
    warm_up = max(starts)
    strips, told = _strips(runs), _faults_text(runs)
    axes = _axes(quantity, is_struck=bool(strips))
    low, high = _range(quantity, heights)

    def at(value: float, canvas: Canvas) -> float:
        share = log(high / value) / log(high / low) if quantity.is_log else 1 - value / high
        return canvas.height * share

    def draw(canvas: Canvas) -> str:
        ends = {arm.index: at(_mean_at_end(quantity, arm.cell), canvas) for arm in arms}
        data = {POINTS: points, SHADE: [{"x": 0, "to": warm_up}], STRIPS: strips}
        layers = axes.layers((low, high))
        return draw_labelled(layers, data, arms, ends, canvas, f"{quantity.title}, {workload}")

    of_some = " of one run or more" if len(starts) > 1 else ""
    shaded = f" The shaded part is warm-up{of_some}." if warm_up else ""
    steadiness = _steadiness(arms) if quantity.column == "throughput" else ""
    return Picture(
        title=quantity.title,
        reading=f"One line for each run.{shaded}{told}{steadiness}{found.note}",
        **in_sizes(draw, one=found.choice.is_large),
        live=live_lines(
            axes.layers(),
            quantity.unit,
            column=quantity.column,
            factor=quantity.factor,
            positive=quantity.is_log,
            warm_up=warm_up,
            **({STRIPS: strips} if strips else {}),
            arms=[arm.index for arm in found.arms],
            x_unit="s",
        ),
    )


def _strips(runs: Sequence[tuple[DrawnArm, RunSeries]]) -> Values:
    """When something was done to the system of any run; a moment is a thin strip."""
    least = _THIN * max(run.seconds[-1] for _, run in runs)
    found = sorted(
        (fault.began_ns / 1e9, max(fault.over_ns / 1e9, fault.began_ns / 1e9 + least))
        for _, run in runs
        for fault in run.faults
    )
    strips: Values = []
    for began, over in found:
        if strips and began <= strips[-1]["to"]:  # one above the other would be darker
            strips[-1]["to"] = max(strips[-1]["to"], over)
        else:
            strips.append({"x": began, "to": over})
    return strips


def _faults_text(runs: Sequence[tuple[DrawnArm, RunSeries]]) -> str:
    """What the strips are, by the first run that has some."""
    first = next((run for _, run in runs if run.faults), None)
    if first is None:
        return ""
    told = "; ".join(fault.text for fault in first.faults)
    return f" Strips are faults, in {first.run}: {told}."


def _is_told_elsewhere(quantity: DrawnQuantity, runs: Sequence[RunSeries]) -> bool:
    """Of users who are as many throughout, the workload's sentence tells; of an offered load that is
    what ended, throughput and failures.
    """
    if quantity.column == "users":
        return len({users for run in runs for users in run.users[:-1]}) == 1  # the last may leave
    return quantity.column == "offered" and all(map(_offers_what_ends, runs))


def _offers_what_ends(run: RunSeries) -> bool:
    if not run.users:
        return False
    ended = sum(map(_or_0, (*run.throughput, *run.failures)))
    return abs(sum(map(_or_0, run.offered)) - ended) <= _OFFERED_SHARE * ended


def _or_0(value: float | None) -> float:
    return value or 0.0


def _axes(quantity: DrawnQuantity, *, is_struck: bool) -> LineAxes:
    unit = quantity.unit if quantity.factor == 1 else "count"
    return LineAxes(
        x={"title": "seconds since the load began", "tickCount": 6, "tickMinStep": 1},
        y=time_axis("y", quantity.y_title)
        if quantity.is_log
        else unit_axis(unit, quantity.y_title),
        is_log_y=quantity.is_log,
        is_shaded=True,
        is_struck=is_struck,  # a layer without data has no extent, of which Vega warns
        opacity=0.65,
    )


def _points(quantity: DrawnQuantity, arm: DrawnArm, run: RunSeries, most: int) -> Values:
    short = thinned(run.seconds, [quantity.values(run)], most)
    return [
        {"line": run.run, "x": second, "y": _drawn(quantity, value), **arm.looks}
        for second, value in zip(short.positions, short.columns[0], strict=True)
    ]


def _drawn(quantity: DrawnQuantity, value: float | None) -> float | None:
    return None if value is None or (quantity.is_log and value <= 0) else value / quantity.factor


def _range(quantity: DrawnQuantity, heights: Sequence[float]) -> tuple[float, float]:
    if quantity.is_log:
        return min(heights) / 1.1, max(heights) * 1.1
    return 0.0, linear_ticks(max(heights))[-1]


def _steadiness(arms: Sequence[DrawnArm]) -> str:
    """`Steadiness of 12 runs: 10 warm-up, 2 flat.`; nothing where they were too short to tell."""
    kinds = Counter(run.steadiness for arm in arms for run in arm.cell.series if run.steadiness)
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return f" Steadiness of {counted(kinds.total(), 'run')}: {told}." if told else ""


def _mean_at_end(quantity: DrawnQuantity, cell: Cell) -> float:
    """Where the label of an arm stands: the mean over its runs of the last value of each."""
    values = [[_drawn(quantity, value) for value in quantity.values(run)] for run in cell.series]
    ends = [next((v for v in reversed(run) if v is not None), None) for run in values]
    known = [end for end in ends if end is not None]
    return sum(known) / len(known)
