"""The sessions of one simulated group, from its requests: when each began, and how it ended."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from loadstone.metrics.outcomes import Outcome
from loadstone.results.group_facts import SessionFacts
from loadstone.simulate.requests import Requests, Times

FINISHED, CUT = "finished", "cut"
"""How a session ends that no failed request ends; by a failed one it ends with its outcome."""

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Steps:
    """Which request of which session each of some requests is, as parallel arrays."""

    operation: NDArray[np.int64]
    """Its place among the group's operations."""
    session: NDArray[np.int64]
    """The session's number in its group."""
    step: NDArray[np.int64]
    """Its place in the session, from 0."""
    place: NDArray[np.int64]
    """What performs its session: a user's stream, each user's first stream before the second ones; 0 of
    a rate."""
    is_last: Flags
    """Whether nothing comes after it in its session, if it is ok."""
    ends_early: Flags
    """Whether that is so since its answer ends the session."""
    is_once: Flags
    """Whether it is what its user does before its first session, which has no duration."""
    lacks_value: Flags
    """Whether its answer, which is not ok, has all but the value that later steps need."""

    @classmethod
    def alone(
        cls, place: NDArray[np.int64], operation: "NDArray[np.int64] | None" = None
    ) -> "Steps":
        """Each request is a session of its own."""
        nothing, never = np.zeros(len(place), dtype=np.int64), np.zeros(len(place), dtype=np.bool_)
        return cls(
            operation=nothing if operation is None else operation,
            session=np.arange(len(place)),
            step=nothing,
            place=place,
            is_last=~never,
            ends_early=never,
            is_once=never,
            lacks_value=never,
        )

    def where(self, chosen: "Flags | NDArray[np.int64]") -> "Steps":
        """Those of some requests."""
        return Steps(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))


@dataclass(frozen=True, eq=False)
class Sessions:
    """Sessions of one group as parallel arrays, in the order of their ends."""

    begun_ns: Times
    """When the first request was intended, since the load began; of what a user does once, too."""
    first_ns: Times
    """The same without that: from here on it has a duration."""
    ended_ns: Times
    """When the last answer was complete, or the session was cut."""
    end: NDArray[np.str_]
    """`FINISHED`, `CUT`, or the outcome of the request that aborted it."""
    ended_early: Flags
    """Whether an answer ended it."""

    def facts(self) -> SessionFacts:
        """What the record says of them."""
        ends = Counter(self.end.tolist())
        return SessionFacts(
            begun=len(self.end),
            finished=ends[FINISHED],
            ended_early=int(self.ended_early.sum()),
            aborted={outcome: ends[outcome] for outcome in Outcome if ends[outcome]},
            cut=ends[CUT],
            most_at_once=self._most_at_once(),
        )

    def interval(self, start_ns: int, end_ns: int, *, is_last: bool) -> dict[str, int]:
        """What a line of the timeline says of them; the last one has its end, too."""
        begun, ended = (
            (times >= start_ns) & ((times <= end_ns) if is_last else (times < end_ns))
            for times in (self.begun_ns, self.ended_ns)
        )
        finished, cut = ended & (self.end == FINISHED), ended & (self.end == CUT)
        is_open = (self.begun_ns < end_ns) & (self.ended_ns >= end_ns) & ~ended
        return {
            "begun": int(begun.sum()),
            "finished": int(finished.sum()),
            "ended_early": int((finished & self.ended_early).sum()),
            "aborted": int((ended & ~finished & ~cut).sum()),
            "cut": int(cut.sum()),
            "open": int(is_open.sum()),
        }

    def durations(self, start_ns: int, end_ns: int, *, ok: bool, is_last: bool = False) -> Times:
        """How long those took that finished in an interval, or those that were aborted in it."""
        inside = (self.ended_ns >= start_ns) & (
            (self.ended_ns <= end_ns) if is_last else (self.ended_ns < end_ns)
        )
        is_ok = self.end == FINISHED
        timed = ~np.isin(self.end, (FINISHED, CUT, Outcome.UNANSWERED, Outcome.NOT_SENT))
        chosen = inside & (is_ok if ok else timed)
        return self.ended_ns[chosen] - self.first_ns[chosen]

    def _most_at_once(self) -> int:
        times = np.concatenate((self.begun_ns, self.ended_ns))
        changes = np.concatenate((np.ones(len(self.end)), -np.ones(len(self.end))))
        order = np.lexsort((changes, times))  # who leaves at a moment goes before who comes
        return int(np.cumsum(changes[order]).max(initial=0))


def sessions_of(requests: Requests, steps: Steps, cut_ns: int) -> Sessions:
    """The sessions of some requests, none of which has a request that is not among these.

    One whose last request is ok and not its last step was cut, between its answer and `cut_ns`.
    """
    if not len(requests.done_ns):
        nothing = np.zeros(0, dtype=np.int64)
        return Sessions(nothing, nothing, nothing, np.zeros(0, dtype="<U10"), nothing > 0)
    order = np.lexsort((requests.done_ns, steps.step, steps.session))
    numbers = steps.session[order]
    begins = np.flatnonzero(np.diff(numbers, prepend=numbers[0] - 1))
    ends = np.append(begins[1:], len(numbers)) - 1
    last = order[ends]
    begun_ns = np.minimum.reduceat(requests.intended_ns[order], begins)
    of_session = np.where(steps.is_once[order], np.iinfo(np.int64).max, requests.intended_ns[order])
    first_ns = np.minimum(np.minimum.reduceat(of_session, begins), requests.done_ns[last])
    is_ok = requests.outcome[last] == Outcome.OK
    is_cut = is_ok & ~steps.is_last[last]
    ended_ns = np.where(is_cut, np.maximum(requests.done_ns[last], cut_ns), requests.done_ns[last])
    end = np.where(is_cut, CUT, np.where(is_ok, FINISHED, requests.outcome[last]))
    by_end = np.argsort(ended_ns, kind="stable")
    return Sessions(
        begun_ns[by_end],
        first_ns[by_end],
        ended_ns[by_end],
        end[by_end],
        (is_ok & steps.ends_early[last])[by_end],
    )
