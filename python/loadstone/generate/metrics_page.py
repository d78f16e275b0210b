"""Writes `docs/reference/metrics.md` from the catalogue.

It is committed; `python -m loadstone.generate.metrics_page --check` fails when it is stale.
"""

import sys
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from loadstone.analysis.figures.run_figures import GROUP_METRICS, OPERATION_METRICS, USUAL_APDEX
from loadstone.generate.committed_files import write_or_check
from loadstone.metrics.catalogue import METRICS
from loadstone.metrics.model import MetricInfo
from loadstone.text import units
from loadstone.text.words import capitalized

PAGE = Path("docs/reference/metrics.md")

_SATISFIED = units.duration(USUAL_APDEX.satisfied_ns)
_TOLERATED = units.duration(USUAL_APDEX.tolerated_ns)

_OPENING = f"""# Metrics

Generated from the catalogue in `python/loadstone/metrics/` by `make generate`; do not edit.

The names are those of `metrics:` in a study's questions, of `loadstone compare --metric`, of every
table and of `analysis.json`. Units are those of files. A metric without a better direction
describes: no arms are compared by it. Arms are compared by a ratio, or, where a metric can be 0, by
a difference. An arm's figure is the geometric mean of its runs (ratio) or their arithmetic mean
(difference), shown with the smallest and the largest run and the variation between runs: the
coefficient of variation (ratio) or the standard deviation (difference), with n - 1 in the
denominator.

Quantiles are over all offered requests, every other outcome ranked above every ok: the smallest
recorded value with at least that share of the requests at or below it, as HdrHistogram defines it,
to three significant digits. Means and standard deviations are over ok requests only. *Also of*:
there is a figure for each operation and each group of users, too, or for each group alone. Apdex counts
up to {_SATISFIED} as satisfied and up to {_TOLERATED} as tolerating, unless `--apdex` says otherwise.
"""


def page() -> str:
    """The whole file."""
    return "\n".join([_OPENING, *_groups()])


def _groups() -> Iterable[str]:
    for group, infos in groupby(METRICS, key=lambda info: info.group):
        yield f"## {capitalized(group)}"
        yield ""
        yield "| metric | unit | better | compared by | also of | kinds | definition |"
        yield "|---|---|---|---|---|---|---|"
        yield from map(_row, infos)
        yield ""


def _row(info: MetricInfo) -> str:
    compared = "–" if info.direction == "none" or info.of_build else info.scale
    cells = (
        f"`{info.name}`",
        info.unit,
        "–" if info.direction == "none" else info.direction,
        compared,
        _parts(info),
        ", ".join(info.kinds),
        info.definition,
    )
    return f"| {' | '.join(cells)} |"


def _parts(info: MetricInfo) -> str:
    if info.name in OPERATION_METRICS:
        return "operation, group"
    return "group" if info.name in GROUP_METRICS else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or with `--check` say whether it is stale."""
    return write_or_check({PAGE: page()}, "loadstone.generate.metrics_page", __doc__, arguments)


if __name__ == "__main__":
    sys.exit(main())
