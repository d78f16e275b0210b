"""Times to failure as steps: the share of an arm's runs that had not failed yet."""

from loadstone.analysis.model import Analysis
from loadstone.analysis.multi_arm_model import ArmSurvival, Survivals
from loadstone.report.charts.arm_choice import arm_choice
from loadstone.report.charts.axis import axis, linear_ticks
from loadstone.report.charts.picture import (
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
from loadstone.text import units

_CORNERS, _NAMES = "corners", "names"


def survival_picture(analysis: Analysis, found: Survivals) -> Picture | None:
    """The chart of one workload; none where no run failed."""
    if not any(arm.failed for arm in found.arms):
        return None
    choice = arm_choice(analysis)
    places = {arm: place for place, arm in enumerate(choice.order)}
    drawn = [arm for arm in found.arms if choice.is_drawn(places[arm.arm])]
    corners = [_looking(corner, places[arm.arm]) for arm in drawn for corner in steps(arm)]
    names = [_looking({**steps(arm)[-1], "arm": arm.arm}, places[arm.arm]) for arm in drawn]
    longest_ns = max(arm.longest_ns for arm in drawn)
    x = {
        "field": "at_ns",
        "type": "quantitative",
        "axis": axis(
            [tick * 1e9 for tick in linear_ticks(longest_ns / 1e9)],
            lambda at_ns: units.tick(at_ns, "ns"),
            "time under load",
        ),
        "scale": {"domain": [0, longest_ns], "nice": False},
    }
    y = {
        "field": "share",
        "type": "quantitative",
        "axis": axis([0, 0.25, 0.5, 0.75, 1], units.percent, "runs that have not failed"),
        "scale": {"domain": [0, 1]},
    }
    looks = {"color": as_told("colour")}
    lines = layer(
        _CORNERS,
        "line",
        {"x": x, "y": y, "strokeDash": as_told("dash"), "detail": {"field": "line"}, **looks},
        interpolate="step-after",
        strokeWidth=2,
    )
    texts = layer(
        _NAMES,
        "text",
        {"x": x, "y": y, "text": {"field": "arm"}, **looks},
        align="right",
        dy=-7,
        fontSize=12,
    )

    def draw(canvas: Canvas) -> str:
        return svg(
            [lines, texts],
            canvas,
            f"Times to failure, {found.workload}",
            {_CORNERS: corners, _NAMES: names},
            (canvas.width - 80, canvas.height - 60),
        )

    return Picture(
        title="Times to failure",
        reading=f"Under {found.workload}, by Kaplan and Meier: each step down is a run that a stop "
        "rule ended. A curve that does not come down to 0 has runs that did not fail as long as they "
        f"were loaded.{f' {choice.sentence}.' if choice.sentence else ''}",
        wide=draw(WIDE),
        narrow=draw(NARROW),
    )


def steps(arm: ArmSurvival) -> Values:
    """The corners of one curve, from the beginning to the longest run."""
    corners = zip(arm.times_ns, arm.probabilities, strict=True)
    last = arm.probabilities[-1] if arm.probabilities else 1.0
    return [
        {"at_ns": 0, "share": 1.0},
        *({"at_ns": at_ns, "share": share} for at_ns, share in corners),
        {"at_ns": arm.longest_ns, "share": last},
    ]


def _looking(corner: dict[str, object], place: int) -> dict[str, object]:
    return {**corner, "line": place, "colour": arm_colour(place), "dash": arm_dash(place)}
