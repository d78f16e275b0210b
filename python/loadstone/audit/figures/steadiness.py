"""Rules on the steady state: what a window holds before its level is no figure of that level."""

from collections.abc import Iterator, Sequence

from loadstone.audit import touched_metrics
from loadstone.audit.warm_up_advice import longer_warm_up
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.steady_load import P99_TOLERANCE, SeriesName, SteadyLoad, steady_load
from loadstone.results.window import WindowedRun
from loadstone.stats.series.two_levels import two_levels
from loadstone.text import units

BIAS_SHARE = 0.03
"""Of the level, that the figure of the window lies off it: the usual margin, below which a question
takes arms for equal."""

DISTURBED_SHARE = 0.1
"""The same, where the service was not warming up: it had been as good before. On a shared machine the
speed of a healthy service varies by some per cent from one second to another."""

_ALLOWED: dict[SeriesName, float] = {
    "throughput": BIAS_SHARE,
    "cpu_per_ok": BIAS_SHARE,
    "response_time.p99": P99_TOLERANCE,
}
_LEVELS_SHOWN = 4

_OF_SERIES: dict[SeriesName, tuple[str, ...]] = {
    "throughput": ("throughput",),
    "response_time.p99": ("response_time.*", "service_time.*", "first_byte.*"),
    "cpu_per_ok": ("cpu_per_ok",),
}


def unsteady(run: WindowedRun) -> Iterator[Finding]:
    """A window whose level was never held, or that begins before it was reached.

    A service that warms up becomes better than it ever was. One that comes back to what it was, or
    becomes worse, was disturbed.
    """
    if not run.asks_steadily:
        return
    found = steady_load(run.seconds, run.window.start_ns, run.alike_from_ns)
    if found is None:
        yield from _two_levels(run)
        return
    if found.unsteady:
        yield _no_steady_state(run, found)
    off = [name for name, share in found.bias.items() if abs(share) > _ALLOWED[name]]
    early = [name for name in off if not found.series[name].was_as_good]
    if early:
        yield _too_short(run, found, early)
    disturbed = [
        name
        for name in off
        if found.series[name].was_as_good and abs(found.bias[name]) > DISTURBED_SHARE
    ]
    if disturbed:
        yield _disturbed(run, found, disturbed)


def _no_steady_state(run: WindowedRun, found: SteadyLoad) -> Finding:
    went = "; ".join(f"{name} went {_course(found, name)}" for name in found.unsteady)
    return _told(
        run,
        "no-steady-state",
        found.unsteady,
        f"no level holds for the last half of the window of {run.inside_ns / 1e9:g} s: {went}",
        "load for longer; where that does not help, see what the service or the machine changes in "
        "mid-run: the mean is of no single state",
    )


def _two_levels(run: WindowedRun) -> Iterator[Finding]:
    """What is told of a load that is too short to tell more."""
    inside = run.seconds.ends_ns > run.window.start_ns
    found = two_levels(run.seconds.throughput[inside].tolist())
    if found is None:
        return
    at_ns = float(run.seconds.ends_ns[inside][found.at - 1])
    yield Finding(
        code="no-steady-state",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.LOAD,
        evidence=f"the window of {run.inside_ns / 1e9:g} s has two levels, and no second between them: "
        f"throughput went from {units.rate(found.before)} to {units.rate(found.after)}, at "
        f"{at_ns / 1e9:g} s",
        advice="load for longer, and see what the service or the machine changes in mid-run, such as a "
        "credit that is used up: the mean is of no single state",
    )


def _disturbed(run: WindowedRun, found: SteadyLoad, disturbed: Sequence[SeriesName]) -> Finding:
    return _told(
        run,
        "no-steady-state",
        disturbed,
        f"{_off_the_level(found, disturbed)}; the service was not warming up, since it had been as "
        "good before",
        "load for longer, and see what the service or the machine changes in mid-run: the mean is of "
        "no single state",
    )


def _too_short(run: WindowedRun, found: SteadyLoad, early: Sequence[SeriesName]) -> Finding:
    return _told(
        run,
        "warm-up-too-short",
        early,
        f"the window begins at {run.window.start_ns / 1e9:g} s: {_off_the_level(found, early)}",
        longer_warm_up([run]),
    )


def _told(
    run: WindowedRun, code: str, names: Sequence[SeriesName], evidence: str, advice: str
) -> Finding:
    """A finding on the figures of some series."""
    return Finding(
        code=code,
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=_touched(names),
        evidence=evidence,
        advice=advice,
    )


def _off_the_level(found: SteadyLoad, names: Sequence[SeriesName]) -> str:
    return "; ".join(
        f"the window's {name} is {units.share(abs(found.bias[name]))} "
        f"{'above' if found.bias[name] > 0 else 'below'} its level (at most "
        f"{units.percent(_ALLOWED[name])}), which it has from "
        f"{found.reached_ns[name] / 1e9:g} s on"
        for name in names
    )


def _touched(names: Sequence[SeriesName]) -> tuple[str, ...]:
    return tuple(metric for name in names for metric in _OF_SERIES[name])


def _course(found: SteadyLoad, name: SeriesName) -> str:
    """`from 4.9 ms to 10.4 ms, at 54 s`: the levels, and where the last began."""
    segments = found.series[name].segments
    levels = [_text(name, segment.level) for segment in segments]
    shown = (
        levels if len(levels) <= _LEVELS_SHOWN else [levels[0], "...", *levels[1 - _LEVELS_SHOWN :]]
    )
    return " to ".join(shown)


def _text(name: SeriesName, level: float) -> str:
    return units.rate(level) if name == "throughput" else units.duration(level)
