"""How a service did in the first seconds of a load, when it was just deployed.

Each part begins with the load, also where users or a rate still grow in it. A request counts where it
ended, so that one in flight at the end of a part is not in it.
"""

from pathlib import Path

from loadstone.analysis.figures.figure_states import no_service, not_measured, value
from loadstone.analysis.figures.quantile_figure import quantile_figure
from loadstone.analysis.model import RunFigure
from loadstone.metrics.outcomes import Clock
from loadstone.metrics.warm_up_metrics import FIRST_QUANTILES, FIRST_SECONDS
from loadstone.results import folder
from loadstone.results.histogram_log import TIMESTAMP_RESOLUTION_NS, Key, read_histograms
from loadstone.results.histograms import EMPTY, Histogram, merge
from loadstone.results.window import WindowedRun

_SECOND_NS = 1_000_000_000


def first_figures(run: WindowedRun) -> dict[str, RunFigure]:
    """The metrics of each first part that the load was long enough for."""
    figures: dict[str, RunFigure] = {}
    times, read_ns = EMPTY, 0
    for part, seconds in FIRST_SECONDS.items():
        until_ns = seconds * _SECOND_NS
        if run.window.end_ns < until_ns:
            length = f"the load lasted {run.window.end_ns / 1e9:g} s up to the end of its window"
            found = dict.fromkeys(_NAMES, not_measured(length))
        else:
            added = _ok_times(run.directory / folder.HISTOGRAMS, read_ns, until_ns)
            times, read_ns = merge([times, added]), until_ns
            found = _figures(run, until_ns, times)
        figures |= {f"{part}.{name}": found[name] for name in _NAMES}
    return figures


_NAMES = ("throughput", *FIRST_QUANTILES, "cpu_per_ok")


def _figures(run: WindowedRun, until_ns: int, times: Histogram) -> dict[str, RunFigure]:
    inside = [each for each in run.timeline if not each.grace and each.end_ns <= until_ns]
    ok, ended = sum(each.ok for each in inside), sum(each.ended for each in inside)
    if not ended:
        return dict.fromkeys(_NAMES, not_measured("no request ended in that time"))
    return {
        "throughput": value(ok / (inside[-1].end_ns / 1e9)),
        **{
            name: quantile_figure(times, ended, quantile)
            for name, quantile in FIRST_QUANTILES.items()
        },
        "cpu_per_ok": _cpu_per_ok(run, until_ns, ok),
    }


def _cpu_per_ok(run: WindowedRun, until_ns: int, ok: int) -> RunFigure:
    if run.service is None:
        return no_service(run.record)
    cpu_ns = run.seconds.cpu_ns
    if cpu_ns is None:
        return not_measured("the probe could not read it")
    if not ok:
        return not_measured("no request was ok in that time")
    return value(float(cpu_ns[run.seconds.ends_ns <= until_ns].sum()) / ok)


def _ok_times(log: Path, from_ns: int, until_ns: int) -> Histogram:
    def keep(start_ns: int, end_ns: int) -> bool:
        return (
            start_ns >= from_ns - TIMESTAMP_RESOLUTION_NS
            and end_ns <= until_ns + TIMESTAMP_RESOLUTION_NS
        )

    return merge([*read_histograms(log, keep, _is_response_of_ok).values()])


def _is_response_of_ok(key: Key) -> bool:
    return key.clock is Clock.RESPONSE_TIME and key.ok
