"""Times to failure as steps: the share of an arm's runs that had not failed yet."""

from typing import Any

from loadstone.analysis.model import Analysis, ArmSurvival, Survivals
from loadstone.report import units
from loadstone.report.axis import axis, linear_ticks
from loadstone.report.picture import (
    NARROW,
    WIDE,
    Canvas,
    Picture,
    Values,
    arm_colour,
    arm_dash,
    as_told,
    layer,
    svg,
)

_POINTS, _NAMES = "points", "names"
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

    points: Values = []
    names: Values = []
    for arm in drawn:
        place = places[arm.arm]
        looks = {"arm": arm.arm, "colour": arm_colour(place), "dash": arm_dash(place)}
        corners = [corner | looks for corner in steps(arm)]
        points += corners
        names.append(corners[-1])
    encoding = {
        "x": {
            "field": "at_ns",
            "type": "quantitative",
            "axis": x_axis,
            "scale": {"domain": [0, longest_ns], "nice": False},
        },
        "y": {
            "field": "share",
            "type": "quantitative",
            "axis": y_axis,
            "scale": {"domain": [0, 1]},
        },
        "color": as_told("colour"),
    }
    line = encoding | {
        "detail": {"field": "arm", "type": "nominal"},
        "strokeDash": as_told("dash"),
    }
    name = encoding | {"text": {"field": "arm"}}
    layers = [
        layer(_POINTS, "line", line, interpolate="step-after", strokeWidth=2),
        layer(_NAMES, "text", name, align="right", dy=-7, fontSize=12),
    ]

    def draw(canvas: Canvas) -> str:
        data = {_POINTS: points, _NAMES: names}
        size = (canvas.width - 80, canvas.height - 60)
        return svg(layers, canvas, f"Times to failure, {found.workload}", data, size)

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
