"""What the rules on symmetry share: a comparison is fair where nothing but a factor differs."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from loadstone.results.read import StoredRun
from loadstone.results.record import RunRecord

Arms = dict[str, list[RunRecord]]
"""The completed runs of each arm under one workload, in the plan's order."""

_SHOWN = 4


def completed(runs: Iterable[StoredRun]) -> Iterator[RunRecord]:
    """Yield the record of every completed run, up to the end of its window."""
    for stored in runs:
        if stored.measured is not None and stored.completed:
            yield stored.measured


def by_workload(runs: Sequence[StoredRun]) -> dict[str, Arms]:
    """Return the completed runs under load, by workload and arm."""
    found: dict[str, Arms] = defaultdict(lambda: defaultdict(list))
    for record in completed(runs):
        if record.load is not None:
            found[record.run.workload][record.run.arm].append(record)
    return found


def values_text(values: Mapping[str, Iterable[str]]) -> str:
    """`1.2 (go, node), 1.3 (rust)`: each value with the names of what has it."""
    return ", ".join(f"{value} ({_few(list(having))})" for value, having in values.items())


def _few(names: list[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
