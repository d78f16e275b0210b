"""The lines of several engines as those of one: an interval is told once all engines have told it."""

from collections import deque
from collections.abc import Sequence

from loadstone.measure.loading.load import Event
from loadstone.results.shares import sums

_SUMS = ("offered", "throughput", "in_flight", "connections", "cpu_share")
_SUMS_IF_TOLD = ("users", "waited_share")


class MergedEvents:
    """What engines have told so far, and what is to be passed on of it."""

    def __init__(self, machines: Sequence[str]) -> None:
        self._progress: dict[str, deque[Event]] = {machine: deque() for machine in machines}
        self._left: set[str] = set()
        self._once: dict[str, dict[str, Event]] = {"started": {}, "window": {}}
        self._ready: list[Event] = []
        self.elapsed_ns = 0
        """To which all engines have told their intervals."""

    def add(self, machine: str, event: Event) -> None:
        """Take an event of one engine."""
        kind = event["event"]
        if kind == "progress":
            self._progress[machine].append(event)
            self._pass_on()
        elif kind in self._once:
            told = self._once[kind]
            told[machine] = event
            if len(told) == len(self._progress):
                key = "started_unix_ns" if kind == "started" else "start_ns"
                self._ready.append(max(told.values(), key=lambda each: int(each[key])))
        else:
            self._ready.append(event)

    def leave(self, machine: str) -> None:
        """An engine has ended: nobody waits for its next interval."""
        self._left.add(machine)
        self._pass_on()

    def take(self) -> list[Event]:
        """Return what can be passed on, and forget it."""
        ready, self._ready = self._ready, []
        return ready

    def _pass_on(self) -> None:
        while any(self._progress.values()) and all(
            told or machine in self._left for machine, told in self._progress.items()
        ):
            merged = merged_progress([told.popleft() for told in self._progress.values() if told])
            self.elapsed_ns = max(self.elapsed_ns, int(merged["elapsed_ns"]))
            self._ready.append(merged)


def merged_progress(parts: Sequence[Event]) -> Event:
    """Return the line of an interval over all engines. Its percentiles are the highest of any
    engine: lines have no distributions, and the median is the middle of theirs.
    """
    if len(parts) == 1:
        return parts[0]
    medians = sorted(
        (part["response_time_p50_ns"], part["throughput"])
        for part in parts
        if part["response_time_p50_ns"] is not None
    )
    return {
        **parts[0],
        "elapsed_ns": max(part["elapsed_ns"] for part in parts),
        "outcomes": sums.counts(part["outcomes"] for part in parts),
        **{key: sum(part[key] for part in parts) for key in _SUMS},
        **{key: sums.total(part.get(key) for part in parts) for key in _SUMS_IF_TOLD},
        "response_time_p50_ns": medians[len(medians) // 2][0] if medians else None,
        "response_time_p99_ns": _most([part["response_time_p99_ns"] for part in parts]),
        "lag_p99_ns": _most([part["lag_p99_ns"] for part in parts]),
        "limited_by": sums.in_order(part["limited_by"] for part in parts),
    }


def _most(values: Sequence[int | None]) -> int | None:
    return max((each for each in values if each is not None), default=None)
