"""When a window may begin, second by second, told by an engine and a probe that are made up."""

from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate

import numpy as np
import pytest

from loadstone.measure.loading.steady_watch import SteadyWatch
from loadstone.measure.loading.watched_seconds import SECOND_NS, GroupCounters
from loadstone.stats.series.steady_now import Reason

NEVER = ()
THREADS = ("C2 CompilerThre",)
ENGINE_CPU_NS = SECOND_NS // 2
LONGEST = 180

Course = Callable[[int], float]
"""A number for each second from the load's begin on."""


def level(_: int) -> float:
    return 1.0


def falling_to(at: int, before: float = 2.0) -> Course:
    return lambda second: before if second < at else 1.0


class Load:
    """A load of `LONGEST` seconds whose service needs `cost` times the engine's CPU."""

    def __init__(
        self,
        cost: Course = level,
        *,
        compiles: Mapping[str, tuple[str, ...] | None] | None = None,
        demand: Course = lambda _: 0.0,
        rate: Course = lambda _: 1000.0,
        changes_s: int = 0,
        is_closed: bool = True,
    ) -> None:
        self.rate = rate
        self.compiles = {"gateway": None} if compiles is None else compiles
        self.watch = SteadyWatch(
            self.compiles, changes_ns=changes_s * SECOND_NS, is_closed=is_closed
        )
        rng = np.random.default_rng(1)
        noise = np.exp(0.01 * rng.standard_normal(LONGEST))
        spent = [
            cost(second) * ENGINE_CPU_NS * noise[second] if rate(second) else 0.0
            for second in range(LONGEST)
        ]
        self.cpu_ns = [0, *map(int, accumulate(spent))]
        self.waited_ns = [
            0,
            *map(int, accumulate(demand(second) * SECOND_NS for second in range(LONGEST))),
        ]

    def progress(self, second: int) -> dict[str, object]:
        """What the engine says at the end of a second."""
        ok = self.rate(second)
        return {
            "elapsed_ns": (second + 1) * SECOND_NS,
            "throughput": ok,
            "cpu_share": ENGINE_CPU_NS / SECOND_NS,
            "response_time_p50_ns": int(50 * SECOND_NS / ok) if ok else None,
        }

    def counters(self, until: int, *, behind: int = 0) -> GroupCounters:
        """What the probe has read at the end of a second, or some seconds behind."""
        at_ns = [second * SECOND_NS for second in range(until + 2 - behind)]
        has_threads = any(self.compiles.values())
        return GroupCounters(
            at_ns,
            self.cpu_ns[: len(at_ns)],
            at_ns if has_threads else (),
            [0] * len(at_ns) if has_threads else (),
            self.waited_ns[: len(at_ns)] if has_threads else (),
        )

    def looks(self) -> Iterator[tuple[int, Reason | None]]:
        """Yield how long the load has gone on, and what the watch says then."""
        for second in range(LONGEST):
            self.watch.take(self.progress(second))
            yield second + 1, self.watch.reason(lambda _: self.counters(second))  # noqa: B023

    def begins(self) -> tuple[int, Reason] | None:
        """When the window may begin, in seconds, and why; none: never."""
        return next(((at, reason) for at, reason in self.looks() if reason is not None), None)


def test_a_runtime_that_never_compiles_is_warm_as_soon_as_its_cost_is_level() -> None:
    assert Load(compiles={"gateway": NEVER}).begins() == (12, "idle")


def test_a_cost_that_still_falls_keeps_even_that_waiting() -> None:
    found = Load(lambda second: 1 + 3 * np.exp(-second / 8), compiles={"gateway": NEVER}).begins()
    assert found is not None
    assert found[0] > 20
    assert found[1] == "idle"


@pytest.mark.parametrize("busy_s", [14, 25, 58])
def test_compilers_must_have_been_idle_for_ten_seconds(busy_s: int) -> None:
    load = Load(
        falling_to(busy_s),
        compiles={"gateway": THREADS},
        demand=lambda second: float(second < busy_s),
    )
    found = load.begins()
    assert found is not None
    at, reason = found
    assert reason == "idle"
    assert busy_s + 9 <= at <= busy_s + 14


def test_a_flat_cost_is_no_sign_of_warmth_while_compilers_wait_for_a_cpu() -> None:
    load = Load(compiles={"gateway": THREADS}, demand=lambda _: 1.0)
    assert load.begins() is None


def test_one_service_of_which_nothing_is_known_leaves_the_decision_to_the_cost() -> None:
    both = {"gateway": NEVER, "relay": None}
    found = Load(compiles=both).begins()
    assert found is not None
    assert found[0] >= 25
    assert found[1] == "level"


def test_where_nothing_is_known_a_level_is_told_within_a_minute() -> None:
    found = Load().begins()
    assert found is not None
    assert 25 <= found[0] <= 60


def test_a_cost_that_falls_by_a_fifth_a_minute_is_never_level() -> None:
    assert Load(lambda second: 0.8 ** (second / 60)).begins() is None


def test_few_answers_are_put_together_and_take_longer() -> None:
    many = Load(rate=lambda _: 1000.0).begins()
    few = Load(rate=lambda _: 60.0).begins()
    assert many is not None
    assert few is not None
    assert few[0] > 2 * many[0]
    assert Load(rate=lambda _: 10.0).begins() is None


def test_users_who_are_served_ever_better_keep_it_waiting() -> None:
    """A backlog of the first seconds is worked off; the cost of an answer is level all the while."""

    def rate(second: int) -> float:
        return min(1000.0, 200.0 * 1.05**second)

    for is_closed in (True, False):
        found = Load(rate=rate, compiles={"gateway": NEVER}, is_closed=is_closed).begins()
        assert found is not None
        assert found[0] > 30


def test_a_service_that_answers_nothing_well_is_never_steady() -> None:
    assert Load(rate=lambda _: 0.0, compiles={"gateway": NEVER}).begins() is None


def test_seconds_of_a_ramp_do_not_count() -> None:
    found = Load(compiles={"gateway": NEVER}, changes_s=30).begins()
    assert found == (42, "idle")


def test_a_second_counts_once_the_probe_has_been_behind_it() -> None:
    load = Load(compiles={"gateway": NEVER})
    for second in range(20):
        load.watch.take(load.progress(second))
    assert load.watch.reason(lambda _: load.counters(5)) is None
    assert load.watch.reason(lambda _: None if load is None else load.counters(19)) == "idle"


def test_without_cpu_times_the_response_time_is_looked_at() -> None:
    load = Load()
    found = None
    for second in range(LONGEST):
        load.watch.take(load.progress(second))
        found = found or load.watch.reason(lambda _: None)
    assert found == "level"


def test_people_are_told_how_the_cost_changes_and_whether_compilers_work() -> None:
    load = Load(
        falling_to(20), compiles={"gateway": THREADS}, demand=lambda second: float(second < 30)
    )
    seen = {}
    for at, _ in load.looks():
        seen[at] = load.watch.warming_up
        if at == 28:
            break
    assert seen[10]["cost_change"] is None
    assert seen[28]["cost_change"] == pytest.approx(-0.5, abs=0.05)
    assert seen[28]["is_compiling"] is True
    assert Load().watch.warming_up["is_compiling"] is None


def test_of_compilers_that_there_are_not_nothing_is_told() -> None:
    load = Load(compiles={"gateway": NEVER})
    at, _ = next(load.looks())
    assert at > 0
    assert load.watch.warming_up["is_compiling"] is None
