"""How many users of each group were there over time: a line for each group and run.

Colours tell groups here, not arms: a workload asks all arms for the same users, and where a stop rule
or a user's leaving made a difference it is seen as a line that ends elsewhere.
"""

from collections.abc import Sequence

from loadstone.analysis.chart_model import RunSeries
from loadstone.analysis.model import Analysis
from loadstone.report.charts.arm_choice import arm_choice
from loadstone.report.charts.arm_lines import (
    POINTS,
    SHADE,
    LineAxes,
    LineEnd,
    draw_with_ends,
)
from loadstone.report.charts.axis import linear_ticks, unit_axis
from loadstone.report.charts.picture import (
    Canvas,
    Picture,
    Values,
    arm_colour,
    arm_dash,
    in_sizes,
)
from loadstone.stats.series.thinning import thinned

_TITLE = "Active users by group over time"
_POINTS_DRAWN = 9_000
_LEAST_POINTS = 40
MOST_GROUPS = 12
"""Lines that colours and dashes tell apart; more groups are left to their tables."""


def group_users_picture(analysis: Analysis, workload: str) -> Picture | None:
    """The chart; none where no two groups have users, or all of them are as many throughout."""
    choice = arm_choice(analysis)
    drawn = set(choice.drawn)
    runs = [
        run
        for cell in analysis.cells
        if cell.workload == workload and cell.arm in drawn
        for run in cell.series
    ]
    groups = list(dict.fromkeys(name for run in runs for name in run.users_by_group))
    if not 2 <= len(groups) <= MOST_GROUPS or not any(map(_changes, runs)):
        return None
    most = max(_LEAST_POINTS, _POINTS_DRAWN // (len(runs) * len(groups)))
    points = [
        point
        for run in runs
        for at, group in enumerate(groups)
        for point in _points(run, group, at, most)
    ]
    highest = linear_ticks(max(point["y"] for point in points if point["y"] is not None))[-1]
    warm_up = max(run.window_start_ns for run in runs) / 1e9
    axes = LineAxes(
        x={"title": "seconds since the load began", "tickCount": 6, "tickMinStep": 1},
        y=unit_axis("count", "active users"),
        is_shaded=True,
        opacity=0.65,
    )

    def draw(canvas: Canvas) -> str:
        ends = [
            LineEnd(group, arm_colour(at), canvas.height * (1 - _end(runs, group) / highest))
            for at, group in enumerate(groups)
        ]
        data = {POINTS: points, SHADE: [{"x": 0, "to": warm_up}]}
        return draw_with_ends(
            axes.layers((0.0, highest)), data, ends, canvas, f"{_TITLE}, {workload}"
        )

    shaded = " The shaded part is warm-up." if warm_up else ""
    return Picture(
        title=_TITLE,
        reading="One line for each group and run, in the colour of its group, of whichever arm."
        f"{shaded}",
        **in_sizes(draw, one=choice.is_large),
    )


def _changes(run: RunSeries) -> bool:
    """Whether the users of a group are not as many throughout; the last second may see them leave."""
    return any(len(set(users[:-1])) > 1 for users in run.users_by_group.values())


def _points(run: RunSeries, group: str, at: int, most: int) -> Values:
    users = run.users_by_group.get(group, ())
    if not users:
        return []
    short = thinned(run.seconds, [users], most)
    return [
        {
            "line": f"{run.run} {group}",
            "x": second,
            "y": value,
            "colour": arm_colour(at),
            "dash": arm_dash(at),
        }
        for second, value in zip(short.positions, short.columns[0], strict=True)
    ]


def _end(runs: Sequence[RunSeries], group: str) -> float:
    """The mean over the runs of their last number of users."""
    ends = [
        next((users for users in reversed(run.users_by_group[group]) if users is not None), 0.0)
        for run in runs
        if run.users_by_group.get(group)
    ]
    return sum(ends) / len(ends) if ends else 0.0
