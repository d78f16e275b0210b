"""One group of a simulated load: its requests and sessions, and what the summary says of it."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from loadstone.metrics.outcomes import FailedCheck, Outcome, Unreached
from loadstone.results.clock_facts import ClockSplit
from loadstone.results.group_facts import (
    CookieFacts,
    FeedFacts,
    GroupFacts,
    PaceFacts,
    ThinkFacts,
)
from loadstone.results.load_facts import OperationFacts
from loadstone.simulate.arrivals import Stay
from loadstone.simulate.groups import SimulatedFeed, SimulatedGroup
from loadstone.simulate.perform import Performed
from loadstone.simulate.requests import Requests, clock_summary, operation_facts
from loadstone.simulate.sessions import CUT, FINISHED, Sessions, Steps, sessions_of
from loadstone.study.values.arrivals import Rate, Users

OK_STATUS, FAILED_STATUS = "200", "500"
DIGEST = "0" * 64
"""Of feeds whose values nobody reads."""


@dataclass(frozen=True, eq=False)
class GroupLoad:
    """What one group offered and what became of it."""

    group: SimulatedGroup
    requests: Requests
    """In the order of their ends."""
    steps: Steps
    """Which step of which session each of them is."""
    stays: tuple[Stay, ...] | None
    """Of the users; none of a rate."""
    performed: Performed
    """How they came about; empty where sessions are single requests."""
    stop_ns: int = 0
    """When the load ended."""

    def until(self, stop_ns: int, end_ns: int) -> "GroupLoad":
        """As of a load that stopped: nothing begins later, and nothing is known that ends behind its
        grace.
        """
        begun = self.requests.intended_ns < stop_ns
        requests = self.requests.where(begun)
        outcome = np.where(requests.done_ns > end_ns, Outcome.UNANSWERED, requests.outcome)
        done = np.minimum(requests.done_ns, end_ns)
        cut = Requests(requests.intended_ns, requests.written_ns, done, outcome, requests.waited_ns)
        steps = self.steps.where(begun)
        return GroupLoad(self.group, cut, steps, self.stays, self.performed, stop_ns)

    @cached_property
    def sessions(self) -> Sessions:
        """Its sessions, in the order of their ends."""
        return sessions_of(self.requests, self.steps, self.stop_ns)

    def by_operation(self) -> dict[str, Requests]:
        """The requests of each operation, as the record names it."""
        return {key: self.requests.where(chosen) for key, chosen in self._chosen().items()}

    def _chosen(self) -> dict[str, NDArray[np.bool_]]:
        """Which requests each operation of the record counts: a status that ends a session has one."""
        chosen: dict[str, NDArray[np.bool_]] = {}
        nothing = np.zeros(len(self.steps.operation), dtype=np.bool_)
        for at, step in enumerate(self.group.steps):
            key = f"{self.group.prefix}{step.operation}"
            mine = self.steps.operation == at
            chosen[key] = chosen.get(key, nothing) | (mine & ~self.steps.ends_early)
            if step.ends_with is not None:
                further = f"{key}.{step.ends_with}"
                chosen[further] = chosen.get(further, nothing) | (mine & self.steps.ends_early)
        return chosen

    def operation_facts(self) -> dict[str, OperationFacts]:
        """What the record says of each operation."""
        unreached = self._unreached()
        facts = {}
        for key, chosen in self._chosen().items():
            name = key.removeprefix(self.group.prefix)
            requests, lacking = self.requests.where(chosen), self.steps.lacks_value[chosen]
            step, _, status = name.partition(".")
            outcomes = requests.outcomes()
            answered = {
                status or OK_STATUS: outcomes[Outcome.OK] + outcomes[Outcome.CHECK],
                FAILED_STATUS: outcomes[Outcome.STATUS],
            }
            failed = {
                FailedCheck.STATUS: outcomes[Outcome.STATUS],
                FailedCheck.CAPTURE: int(lacking.sum()),
            }
            facts[key] = operation_facts(requests, outcomes).model_copy(
                update={
                    "group": self.group.name,
                    "operation": step,
                    "unreached": {} if status else unreached.get(step, {}),
                    "failed_checks": {check: times for check, times in failed.items() if times},
                    "statuses": {code: times for code, times in answered.items() if times},
                }
            )
        return facts

    def _unreached(self) -> dict[str, dict[Unreached, int]]:
        """Steps that sessions had before them and never offered."""
        counted: dict[str, Counter[Unreached]] = {}
        names = [each.operation for each in self.group.steps]
        for number, (steps, end, early) in self._last_steps().items():
            why = Unreached.ENDED if early else Unreached.ABORTED
            why = Unreached.CUT if end == CUT else why
            for at in self.performed.planned.get(number, ())[steps:]:
                counted.setdefault(names[at], Counter())[why] += 1
        return {name: dict(times) for name, times in counted.items()}

    def _last_steps(self) -> dict[int, tuple[int, str, bool]]:
        """Session to how many steps of it were offered, how it ended, and whether by an answer."""
        if not self.performed.planned or not len(self.steps.session):
            return {}
        order = np.lexsort((self.steps.step, self.steps.session))
        numbers = self.steps.session[order]
        last = order[np.append(np.flatnonzero(np.diff(numbers)), len(numbers) - 1)]
        outcome, is_last = self.requests.outcome[last], self.steps.is_last[last]
        is_ok = outcome == Outcome.OK
        end = np.where(is_ok & ~is_last, CUT, np.where(is_ok, FINISHED, outcome))
        return {
            int(number): (int(step) + 1, str(how), bool(early))
            for number, step, how, early in zip(
                self.steps.session[last],
                self.steps.step[last],
                end,
                self.steps.ends_early[last],
                strict=True,
            )
        }

    def facts(self) -> GroupFacts:
        """What the engine's summary says of it."""
        arrivals, sessions = self.group.arrivals, self.sessions
        rate = arrivals if isinstance(arrivals, Rate) else None
        users = round(arrivals.highest) if isinstance(arrivals, Users) else None
        end_ns = np.iinfo(np.int64).max
        return GroupFacts(
            arrivals="rate" if rate else "users",
            users=users,
            rate_per_second=rate.highest if rate else None,
            process=("poisson" if rate.poisson else "constant") if rate else None,
            connections=rate.connections if rate else users or 0,
            start_ns=self.group.start_ns,
            sessions=sessions.facts(),
            duration=ClockSplit(
                ok=clock_summary(sessions.durations(0, end_ns, ok=True)),
                failed=clock_summary(sessions.durations(0, end_ns, ok=False)),
            ),
            paces=None
            if self.group.pace_ns is None
            else PaceFacts(held=self.performed.held_paces, missed=self.performed.missed_paces),
            think=self._think(),
            feeds=tuple(self._feed(each, len(sessions.end)) for each in self.group.feeds),
            cookies=CookieFacts(kept=0, dropped=0, ignored=0),
            aborted_at=self._aborted_at(),
            outcomes=dict(self.requests.outcomes()),
        )

    def _think(self) -> ThinkFacts:
        """What passed between the answer to a request and the next one of the same place or session."""
        of = self.steps.session if self.stays is None else self.steps.place
        order = np.lexsort((self.requests.intended_ns, of))
        intended, done, same = (
            each[order] for each in (self.requests.intended_ns, self.requests.done_ns, of)
        )
        between = (intended[1:] - done[:-1])[same[1:] == same[:-1]]
        paused = between[between > 0]
        return ThinkFacts(count=paused.size, sum_ns=int(paused.sum()))

    def _aborted_at(self) -> dict[str, int]:
        failed = self.requests.outcome != Outcome.OK
        names = [each.operation for each in self.group.steps]
        return dict(Counter(names[at] for at in self.steps.operation[failed].tolist()))

    @staticmethod
    def _feed(feed: SimulatedFeed, begun: int) -> FeedFacts:
        return FeedFacts(
            feed=feed.feed,
            rows=feed.rows,
            used=min(begun, feed.rows),
            turns=0 if feed.take == "random" else max(0, begun - 1) // feed.rows,
            sha256=DIGEST,
        )
