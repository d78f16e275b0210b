"""Defects of sessions, by what makes them: a step that fails, a missing value, a feed that is short."""

from pathlib import Path

import numpy as np

from corpus.healthy import WAITING
from corpus.model import Defect
from corpus.runs import run_of, same, study_of
from corpus.scenario import Scenario
from corpus.service import Service
from loadstone.metrics.outcomes import Outcome
from loadstone.study.values.feeds import Feed, Numbers
from loadstone.study.values.groups import Group
from loadstone.study.values.model import Workload
from simulated_load import SECOND_NS, group, grouped, step

SECONDS, WARM_UP = 40, 5
SHARES = (0.0, 0.002, 0.02, 0.1)


def booking(*groups: Group, seconds: int = SECONDS) -> Workload:
    return grouped(*groups, seconds=seconds, warm_up=WARM_UP, name="load")


def browsers() -> Group:
    """Healthy users beside those with the defect."""
    return group("browsers", step("log-in"), step("list", think_ms=100), users=4)


def bookers(**changes: object) -> Group:
    steps = (step("log-in", captures=True, think_ms=40), step("list"), step("book", or_end=409))
    return group("bookers", *steps, users=6, **changes)


def aborted(seed: int, strength: float, directory: Path) -> Path:
    """The service refuses a share of its requests, whichever step of a session they are."""

    def ends(_: float, number: float) -> Outcome:
        return Outcome.STATUS if number < strength else Outcome.OK

    service = Service(work_ms=5, ends=ends)
    return run_of(directory, seed, Scenario(service=service), booking(bookers(), browsers()))


def missing_values(seed: int, strength: float, directory: Path) -> Path:
    """The service answers a log-in with the right status and no token, now and then."""

    def lacks(_: float, number: float) -> bool:
        return number < strength

    service = Service(work_ms=5, lacks_value=lacks)
    return run_of(directory, seed, Scenario(service=service), booking(bookers(), browsers()))


def lost_races(seed: int, strength: float, directory: Path) -> Path:
    """Users compete for so few slots that many find theirs taken."""
    things = round(1e6 / strength) if strength else None
    service = Service(work_ms=5, things=things)
    return run_of(directory, seed, Scenario(service=service), booking(bookers(), browsers()))


def missed_paces(seed: int, strength: float, directory: Path) -> Path:
    """The service became so many times slower than it was when the pace was chosen."""
    paced = group("bookers", step("log-in"), step("list"), users=10, pace_ns=SECOND_NS)
    service = Service(work_ms=10 + 50 * strength, workers=4)
    return run_of(directory, seed, Scenario(service=service), booking(paced))


def cut(seed: int, strength: float, directory: Path) -> Path:
    """Sessions take so many seconds, of a load of half a minute."""
    long = (step("log-in", think_ms=500 * strength + 1), step("list", think_ms=500 * strength + 1))
    thinking = group("bookers", *long, step("book"), users=40)
    service = Service(work_ms=1, workers=1000, waits_ms=10)
    return run_of(directory, seed, Scenario(service=service), booking(thinking, seconds=30))


def rows(count: int, take: str) -> tuple[Feed, ...]:
    return (Feed(feed="slot", source=Numbers(first=1, last=count, step=1), take=take),)


def short_feed(seed: int, strength: float, directory: Path) -> Path:
    """A rate of 20 sessions a second takes rows that last for a part of the load alone."""
    left = round(20 * SECONDS * (1 - strength)) + 20
    arriving = group("raters", per_second=20, feeds=rows(left, "once"))
    return run_of(directory, seed, Scenario(service=WAITING), booking(arriving))


def small_feed(seed: int, strength: float, directory: Path) -> Path:
    """A rate takes its rows so many times."""
    count = round(20 * SECONDS / strength) if strength else 20 * SECONDS + 20
    arriving = group("raters", per_second=20, feeds=rows(count, "in_turn"))
    return run_of(directory, seed, Scenario(service=WAITING), booking(arriving))


def cookies(seed: int, strength: float, directory: Path, *, keeps: bool) -> Path:
    """The service sets so many cookies in turn, one with each answer to a session."""
    steps = tuple(step(f"page-{at}") for at in range(6)) * 8
    visiting = group("visitors", *steps, users=4, cookies=keeps)
    service = Service(work_ms=2, sets_cookies=round(strength))
    return run_of(directory, seed, Scenario(service=service), booking(visiting))


def kept_out(seed: int, strength: float, directory: Path) -> Path:
    return cookies(seed, strength, directory, keeps=True)


def thrown_away(seed: int, strength: float, directory: Path) -> Path:
    return cookies(seed, strength, directory, keeps=False)


def hung_in_one_group(seed: int, strength: float, directory: Path) -> Path:
    """A service forgets a share of the users of one group, and the generator keeps nothing of a request
    without an answer; the others pause, so that over all users they would hardly be missed.
    """
    rng = np.random.default_rng([seed, 11])
    forgotten = set(rng.permutation(10)[: round(strength * 10)].tolist())
    service = Service(
        work_ms=2,
        workers=1000,
        waits_ms=20,
        cpu_share=0.05,
        hung_from=lambda user: 8.0 if user in forgotten else np.inf,
    )
    busy = group("bookers", step("log-in"), step("book"), users=10)
    slow = group("browsers", step("list", think_ms=2000), step("show", think_ms=2000), users=90)
    scenario = Scenario(service=service, noted=lambda requests: requests.outcome == Outcome.OK)
    return run_of(directory, seed, scenario, booking(busy, slow))


def pausing_group(seed: int, strength: float, directory: Path) -> Path:
    """The users of one of two groups pause so many times as long as they wait."""
    service = Service(work_ms=2, workers=1000, waits_ms=20, cpu_share=0.05)
    pause_ms = 22 * strength
    slow = group(
        "browsers", step("list", think_ms=pause_ms), step("show", think_ms=pause_ms), users=20
    )
    busy = group("bookers", step("log-in"), step("book"), users=4)
    return run_of(directory, seed, Scenario(service=service), booking(busy, slow))


def waiting_user(seed: int, strength: float, directory: Path) -> Path:
    """One of ten users waits so many seconds for each answer, the others some milliseconds."""
    rng = np.random.default_rng([seed, 12])
    unlucky = int(rng.integers(10))
    service = Service(
        work_ms=1,
        workers=1000,
        waits_ms=10,
        cpu_share=0.05,
        waits_more_ms=lambda user: 1000 * strength if user == unlucky else 0.0,
    )
    return run_of(
        directory, seed, Scenario(service=service), booking(group("bookers", users=10), browsers())
    )


def another_mix(seed: int, strength: float, directory: Path) -> Path:
    """One of two arms is slower in the operations of one group alone, whose users then do less."""

    def arm(times: float) -> Scenario:
        return Scenario(
            service=Service(work_ms=2, workers=1000, waits_ms=20, operations=(1.0, times))
        )

    workload = grouped(
        group("bookers", step("log-in"), users=4),
        group("raters", step("log-in"), step("rate"), users=4),
        seconds=12,
        warm_up=2,
        name="load",
    )
    arms = {"go": same(arm(1.0)), "node": same(arm(1.0 + 10 * strength))}
    return study_of(directory, seed, arms, workload=workload)


DEFECTS = (
    Defect(
        "sessions that a failing step aborts",
        ("sessions-aborted",),
        SHARES,
        0.02,
        "share of the requests that are refused",
        aborted,
    ),
    Defect(
        "answers without the value that is captured",
        ("captures-failing",),
        SHARES,
        0.02,
        "share of the log-ins without a token",
        missing_values,
    ),
    Defect(
        "sessions that lose a race",
        ("ended-early",),
        (0.0, 100.0, 1000.0, 10_000.0),
        1000.0,
        "sessions for a million slots over the seconds",
        lost_races,
    ),
    Defect(
        "paces that are missed",
        ("pace-not-held",),
        (0.0, 5.0, 10.0, 20.0),
        10.0,
        "times as slow as when the pace was chosen, less one, in fifths",
        missed_paces,
    ),
    Defect(
        "sessions that are cut",
        ("sessions-cut",),
        (0.0, 4.0, 10.0),
        10.0,
        "seconds that a session takes, of a load of 30",
        cut,
    ),
    Defect(
        "a feed that runs out",
        ("feed-exhausted",),
        (0.0, 0.25, 0.5),
        0.5,
        "share of the load for which it has no rows",
        short_feed,
    ),
    Defect(
        "a feed that begins again",
        ("feed-reused",),
        (0.0, 2.0, 10.0),
        2.0,
        "times that its rows are taken",
        small_feed,
    ),
    Defect(
        "more cookies than a session keeps",
        ("cookies-dropped",),
        (0.0, 8.0, 40.0),
        40.0,
        "names of cookies that the service sets",
        kept_out,
    ),
    Defect(
        "cookies that nobody keeps",
        ("cookies-ignored",),
        (0.0, 1.0),
        1.0,
        "names of cookies that the service sets",
        thrown_away,
    ),
    Defect(
        "hung users of one group of two",
        ("littles-law",),
        (0.0, 0.1, 0.2, 0.4),
        0.2,
        "share of its users",
        hung_in_one_group,
    ),
    Defect(
        "users of one group who pause",
        ("pinned-throughput",),
        (0.0, 10.0, 100.0),
        100.0,
        "times as long as they wait",
        pausing_group,
    ),
    Defect(
        "one user of ten who always waits",
        ("unequal-users",),
        (0.0, 2.0, 10.0),
        10.0,
        "seconds for each answer",
        waiting_user,
    ),
    Defect(
        "another mix of operations",
        ("mix-differs",),
        (0.0, 0.1, 1.0),
        1.0,
        "tens of times as slow in one operation",
        another_mix,
        is_study=True,
    ),
)
