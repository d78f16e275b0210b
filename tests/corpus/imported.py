"""Runs of k6, imported from the file that it writes: their defects, and healthy ones."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

import k6_files
from corpus.model import Clean, Defect
from k6_files import Sent, Told
from loadstone.importers.import_file import import_file

Events = list[Sent | Told]
USERS, SECONDS = 10, 40
PAUSES = {"pinned-throughput": "its users pause most of the time, as the script says"}


def imported(
    events: Iterable[Sent | Told], directory: Path, time_format: str = "unix_milli"
) -> Path:
    """Write what k6 would have, and import it."""
    path = k6_files.write(directory / "results.csv", events, time_format)
    run = directory / "run"
    import_file("k6", path, run, arrivals=None, warm_up_ns=0, on_progress=lambda *_: None)
    return run


def usual(seed: int, **changes: object) -> Events:
    """Users who do not pause, unless they are told to."""
    load: dict[str, object] = {
        "users": USERS,
        "seconds": SECONDS,
        "response_ms": 200,
        "pause_ms": 0,
    }
    return k6_files.closed_load(**load | changes, seed=seed)  # type: ignore[arg-type]


def hung_users(seed: int, strength: float, directory: Path) -> Path:
    """k6 writes a request when it has ended, so that one which never ends is nowhere."""
    return imported(usual(seed, hung=round(strength * USERS)), directory)


def replaced_outliers(seed: int, strength: float, directory: Path) -> Path:
    """Somebody put the usual time in the place of the longest ones."""
    events = usual(seed)
    times = [each.service_ns for each in events if isinstance(each, Sent)]
    longest, median = np.quantile(times, 1 - strength), round(float(np.median(times)))
    changed = [
        replace(each, duration_ns=median)
        if isinstance(each, Sent) and each.service_ns > longest
        else each
        for each in events
    ]
    return imported(changed, directory)


def failing_checks(seed: int, strength: float, directory: Path) -> Path:
    """The script checks its answers, and goes on where they are wrong."""
    rng = np.random.default_rng([seed, 7])
    events = usual(seed)
    checks = [
        Told("checks", each.done_ns, float(rng.random() >= strength), {"check": "has a body"})
        for each in events
        if isinstance(each, Sent)
    ]
    return imported(k6_files.in_order([*events, *checks]), directory)


def whole_seconds(seed: int, strength: float, directory: Path) -> Path:
    """k6's usual times, of a load that is too short for them."""
    return imported(usual(seed), directory, "unix" if strength else "unix_milli")


def pauses(seed: int, strength: float, directory: Path) -> Path:
    """The published script: 1 s less the answer's time."""
    return imported(usual(seed, response_ms=20, pause_ms=strength), directory)


def clean(**changes: object) -> Callable[[int, Path], Path]:
    return lambda seed, directory: imported(usual(seed, **changes), directory)


DEFECTS = (
    Defect(
        "k6: hung users that vanish",
        ("littles-law",),
        (0.0, 0.1, 0.2, 0.4),
        0.2,
        "share of the users",
        hung_users,
    ),
    Defect(
        "k6: outliers that were replaced",
        ("contradicting-times",),
        (0.0, 0.01, 0.05),
        0.05,
        "share of the requests",
        replaced_outliers,
    ),
    Defect(
        "k6: checks that failed",
        ("failed-checks",),
        (0.0, 0.01, 0.2),
        0.01,
        "share of the answers",
        failing_checks,
    ),
    Defect(
        "k6: times in whole seconds",
        ("coarse-times",),
        (0.0, 1.0),
        1.0,
        "whether they are",
        whole_seconds,
    ),
    Defect(
        "k6: throughput pinned by pauses",
        ("pinned-throughput",),
        (200.0, 980.0),
        980.0,
        "ms, beside answers of 20 ms",
        pauses,
    ),
)

CLEAN = (
    Clean("k6: users", clean()),
    Clean("k6: heavy tail", clean(spread=1.0)),
    Clean("k6: several requests an iteration", clean(requests_per_iteration=3)),
    Clean("k6: users who pause", clean(response_ms=20, pause_ms=980), PAUSES),
)
