"""What the page's script is told, as JSON: arms, the runs' columns once, and the charts over them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from loadstone.analysis.chart_model import RunSeries
from loadstone.analysis.model import Analysis
from loadstone.report.charts.arm_choice import MOST_DRAWN, arm_choice
from loadstone.report.charts.picture import DARK, Picture, arm_colour, arm_dash
from loadstone.report.charts.time_chart import QUANTITIES
from loadstone.stats.series.thinning import thinned
from loadstone.text.units import STEPS

_MOST_POINTS = 60_000
"""Of all runs together: what they take in the page stays below a few megabytes."""
_LEAST_POINTS = 60
_DIGITS = 4
"""A pixel is a thousandth of a chart's height at best."""


def chart_data(analysis: Analysis, pictures: Mapping[str, tuple[str, Picture]]) -> str:
    """Return the JSON text; `pictures` are those of the page, by their key, with their workload."""
    choice = arm_choice(analysis)
    live = {
        key: (workload, picture) for key, (workload, picture) in pictures.items() if picture.live
    }
    wanted = _wanted(live.values())
    runs = sum(len(cell.series) for cell in analysis.cells)
    most = max(_LEAST_POINTS, _MOST_POINTS // max(1, runs))
    places = {arm: index for index, arm in enumerate(choice.order)}
    return json.dumps(
        {
            "arms": [
                {"id": arm, "colour": arm_colour(index), "dash": arm_dash(index)}
                for index, arm in enumerate(choice.order)
            ],
            "most_named": MOST_DRAWN,
            "picked": list(range(len(choice.drawn))),
            "dark": DARK,
            "units": STEPS,
            "runs": {
                workload: [
                    {"arm": places[cell.arm], "run": run.run}
                    | _columns(run, wanted.get((workload, places[cell.arm]), ()), most)
                    for cell in analysis.cells
                    if cell.workload == workload
                    for run in cell.series
                ]
                for workload in analysis.workloads
            },
            "specifications": {
                picture.name: picture.live.specification
                for _, picture in live.values()
                if picture.live
            },
            "charts": {
                key: {
                    "specification": picture.name,
                    "title": picture.title,
                    "workload": workload,
                    **picture.live.data,
                }
                for key, (workload, picture) in live.items()
                if picture.live
            },
        },
        ensure_ascii=False,
        separators=(",", ":"),
        allow_nan=False,
    )


def _wanted(live: Iterable[tuple[str, Picture]]) -> dict[tuple[str, int], list[str]]:
    """The columns that some chart may draw, by workload and arm: what is withheld is not told."""
    columns: dict[tuple[str, int], list[str]] = {}
    for workload, picture in live:
        data = picture.live.data if picture.live else {}
        for arm in data.get("arms", ()):
            columns.setdefault((workload, arm), []).append(data["column"])
    return columns


def _columns(run: RunSeries, names: Sequence[str], most: int) -> dict[str, Any]:
    columns = {
        quantity.column: quantity.values(run)
        for quantity in QUANTITIES
        if quantity.column in names and quantity.values(run)
    }
    short = thinned(run.seconds, list(columns.values()), most)
    return {"seconds": [_rounded(second, 6) for second in short.positions]} | {
        name: [_rounded(value, _DIGITS) for value in column]
        for name, column in zip(columns, short.columns, strict=True)
    }


def _rounded(value: float | None, digits: int) -> float | None:
    if value is None:
        return None
    rounded = float(f"{value:.{digits}g}")
    return int(rounded) if rounded.is_integer() else rounded
