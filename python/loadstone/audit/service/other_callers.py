"""Rules on callers who are not the load, by what `bench` asks once it is over (`SingleRequests`).

A load asks for one URL and names no browser. A cache of that URL, or a page that is kept ready for such
callers, is all that it then measures.
"""

from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.single_requests import SingleRequests
from loadstone.results.window import WindowedRun
from loadstone.stats.comparison.brunner_munzel import brunner_munzel
from loadstone.text import units

LEAST_RATIO = 2.0
"""Of the medians: a longer path through the same code stays far below."""
LEAST_MORE_NS = 300_000
"""Between the medians. Less is what a log line or a parsed header may cost."""
LEAST_ROUNDS = 8
MOST_P_VALUE = 0.001


class _Slower(NamedTuple):
    median_ns: float
    loaded_ns: float
    rounds: int


def cached_answers(run: WindowedRun) -> Iterator[Finding]:
    """A URL that nobody had asked for takes several times longer than that of the load."""
    asked = run.record.single_requests
    slower = None if asked is None else _slower(asked, asked.of_a_new_url_ns)
    if slower is None:
        return
    yield Finding(
        code="cached-answers",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.LOAD,
        evidence=f"{_compared(slower)} to a URL that nobody had asked for, by one more parameter: the "
        "load, which asks for one URL again and again, measured a cache",
        advice="load as many URLs as users ask for, or turn the cache off; else say that the figures "
        "are those of the cache",
    )


def answers_by_caller(run: WindowedRun) -> Iterator[Finding]:
    """A browser waits several times longer than the load."""
    asked = run.record.single_requests
    slower = None if asked is None else _slower(asked, asked.of_a_browser_ns)
    if slower is None:
        return
    yield Finding(
        code="answers-by-caller",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.LOAD,
        evidence=f"{_compared(slower)} with the headers of a browser (User-Agent, Accept-Language): "
        "the load was answered in another way than its users are",
        advice="load with the headers of its users, such as --header 'User-Agent: Mozilla/5.0 "
        "(X11; Linux x86_64)'",
    )


def coding_not_asked_for(run: WindowedRun) -> Iterator[Finding]:
    """Answers are compressed though no request accepted that."""
    asked = run.record.single_requests
    if asked is None or asked.coding.lower() in ("", "identity"):
        return
    yield Finding(
        code="coding-not-asked-for",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.LOAD,
        evidence=f"the answers come with Content-Encoding {asked.coding}, though no request had "
        "Accept-Encoding: many callers cannot read them, and their bytes are not those of the answer",
        advice="see whether the service compresses for each request or keeps the answer ready; load "
        f"with --header 'Accept-Encoding: {asked.coding}' if its users accept it",
    )


def _slower(asked: SingleRequests, times_ns: Sequence[int]) -> _Slower | None:
    loaded_ns = asked.as_loaded_ns
    if min(len(times_ns), len(loaded_ns)) < LEAST_ROUNDS:
        return None
    found = _Slower(median(times_ns), median(loaded_ns), len(times_ns))
    is_more = found.median_ns - found.loaded_ns >= LEAST_MORE_NS
    if not is_more or found.median_ns < LEAST_RATIO * found.loaded_ns:
        return None
    return found if brunner_munzel(loaded_ns, times_ns) <= MOST_P_VALUE else None


def _compared(slower: _Slower) -> str:
    return (
        f"of single requests after the load, {slower.rounds} of each kind in turn, that of the load "
        f"took {units.duration(slower.loaded_ns)} at the median, "
        f"and {units.duration(slower.median_ns)}, "
        f"{slower.median_ns / slower.loaded_ns:.3g} times as long (at least {LEAST_RATIO:g}),"
    )
