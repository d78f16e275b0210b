"""Times to failure as steps: the share of an arm's runs that had not failed yet."""

from typing import Any

import altair as alt

from loadstone.analysis.model import Analysis, ArmSurvival, Survivals
from loadstone.report import units
from loadstone.report.axis import axis, linear_ticks
from loadstone.report.picture import (
    NARROW,
    WIDE,
    Canvas,
    Picture,
    arm_colour,
    arm_dash,
    marks_over,
    svg,
)

ARMS_AT_MOST = 12
"""Curves that can be told apart; of more the first are drawn."""


def survival_picture(analysis: Analysis, found: Survivals) -> Picture | None:
    """The chart of one workload; none where no run failed."""
    if not any(arm.failed for arm in found.arms):
        return None
    places = {arm.id: index for index, arm in enumerate(analysis.arms)}
    drawn = found.arms[:ARMS_AT_MOST]
    longest_ns = max(arm.longest_ns for arm in drawn)
    x_ticks = linear_ticks(longest_ns / 1e9)
    x_axis = axis(
        [tick * 1e9 for tick in x_ticks], lambda at_ns: units.tick(at_ns, "ns"), "time under load"
    )
    y_axis = axis(
        [0, 0.25, 0.5, 0.75, 1], lambda share: units.percent(share), "runs that have not failed"
    )

    x_scale = alt.Scale(domain=[0, longest_ns], nice=False)
    x = alt.X("at_ns:Q", axis=x_axis, scale=x_scale)
    y = alt.Y("share:Q", axis=y_axis, scale=alt.Scale(domain=[0, 1]))
    layers = []
    for arm in drawn:
        place = places[arm.arm]
        corners = steps(arm)
        line = marks_over(corners).mark_line(
            interpolate="step-after",
            color=arm_colour(place),
            strokeWidth=2,
            strokeDash=arm_dash(place),
        )
        name = marks_over([{**corners[-1], "arm": arm.arm}]).mark_text(
            align="right", dy=-7, fontSize=12, color=arm_colour(place)
        )
        layers += [line.encode(x=x, y=y), name.encode(x=x, y=y, text="arm:N")]

    def draw(canvas: Canvas) -> str:
        chart = alt.LayerChart(layer=layers)
        sized = chart.properties(width=canvas.width - 80, height=canvas.height - 60)
        return svg(sized, canvas, f"Times to failure, {found.workload}")

    left_out = len(found.arms) - len(drawn)
    return Picture(
        title="Times to failure",
        reading=f"Under {found.workload}, by Kaplan and Meier: each step down is a run that a stop "
        "rule ended. A curve that does not come down to 0 has runs that did not fail as long as they "
        f"were loaded.{f' The first {ARMS_AT_MOST} of {len(found.arms)} arms.' if left_out else ''}",
        wide=draw(WIDE),
        narrow=draw(NARROW),
    )


def steps(arm: ArmSurvival) -> list[dict[str, Any]]:
    """The corners of one curve, from the beginning to the longest run."""
    corners = zip(arm.times_ns, arm.probabilities, strict=True)
    last = arm.probabilities[-1] if arm.probabilities else 1.0
    return [
        {"at_ns": 0, "share": 1.0},
        *({"at_ns": at_ns, "share": share} for at_ns, share in corners),
        {"at_ns": arm.longest_ns, "share": last},
    ]
