"""What to do about a window that began too early, by how its begin was chosen, and where."""

from collections.abc import Sequence

from loadstone.audit.engine.saturation import is_bench
from loadstone.results.window import WindowedRun


def longer_warm_up(runs: Sequence[WindowedRun]) -> str:
    """Of runs whose warm-ups were asked for alike: `write `warm_up: steady`, or a longer one`."""
    first, by = runs[0], {run.window.steady_by for run in runs}
    if first.record.source is not None:
        return "load for longer, and leave more of the begin out by `--warm-up`"
    warmed_by = {run.record.warmed.steady_by for run in runs if run.record.warmed is not None}
    if "cap" in warmed_by:
        return "allow `warmed` a higher `at_most`"
    if "cap" in by:
        return (
            "set `--warm-up` to a time that is longer than what was seen"
            if is_bench(first)
            else "allow its warm-up a higher `at_most`"
        )
    if by != {None}:
        option = "`--warm-up`" if is_bench(first) else "a fixed `warm_up`"
        return f"set {option} to a time that is longer than the warm-up that was seen"
    if not is_bench(first):
        return "write `warm_up: steady`, or a longer one"
    # `bench` watches no load that changes.
    return (
        "give `--warm-up steady`, or a longer one"
        if first.asks_steadily
        else "give a longer `--warm-up`"
    )
