"""Defects: summaries that say what was not measured, or leave out what was."""

from pathlib import Path

import numpy as np

from corpus.model import Defect
from corpus.runs import run_of
from corpus.scenario import Line, Scenario
from corpus.workloads import SECONDS, WARM_UP_SECONDS, load
from loadstone.metrics.outcomes import Clock
from loadstone.simulate.requests import Requests

CLOCKS = (Clock.RESPONSE_TIME, Clock.SERVICE_TIME)


def p99_of_another_quantile(seed: int, strength: float, directory: Path) -> Path:
    """An adapter that fills the column of the p99 from another one."""

    def told(lines: list[Line], requests: Requests) -> list[Line]:
        for line in lines:
            inside = requests.where(
                (requests.done_ns >= line["start_ns"]) & (requests.done_ns < line["end_ns"])
            )
            for operation in line["operations"].values():
                for clock in CLOCKS:
                    times = inside.clock(clock, ok=True)
                    if times.size:
                        quantile = np.quantile(times, 0.99 - strength, method="inverted_cdf")
                        operation[clock]["ok"]["p99_ns"] = int(quantile)
        return lines

    return run_of(directory, seed, Scenario(lines=told))


def p99_of_the_mean(seed: int, strength: float, directory: Path) -> Path:
    """An adapter that fills the column of the p99 from that of the mean."""

    def told(lines: list[Line], _: Requests) -> list[Line]:
        for line in lines:
            for operation in line["operations"].values():
                for clock in CLOCKS:
                    part = operation[clock]["ok"]
                    if part is not None and strength:
                        part["p99_ns"] = round(part["mean_ns"])
        return lines

    return run_of(directory, seed, Scenario(lines=told))


def lost_lines(seed: int, strength: float, directory: Path) -> Path:
    """A generator that could not write for some seconds."""
    rng = np.random.default_rng([seed, 2])

    def told(lines: list[Line], _: Requests) -> list[Line]:
        lost = set((6 + rng.permutation(30)[: round(strength)]).tolist())
        return [line for number, line in enumerate(lines) if number not in lost]

    return run_of(directory, seed, Scenario(lines=told))


def doubled_lines(seed: int, strength: float, directory: Path) -> Path:
    """A generator that writes what it could not confirm once more."""
    rng = np.random.default_rng([seed, 3])

    def told(lines: list[Line], _: Requests) -> list[Line]:
        again = set((6 + rng.permutation(30)[: round(strength)]).tolist())
        return [
            line for number, line in enumerate(lines) for _ in range(2 if number in again else 1)
        ]

    return run_of(directory, seed, Scenario(lines=told))


def last_seconds(seed: int, strength: float, directory: Path) -> Path:
    """A reporter that shows what it saw last, as if that were the load."""

    left = max(1, round((1 - strength) * (SECONDS - WARM_UP_SECONDS)))
    return run_of(directory, seed, Scenario(), load(8, warm_up=SECONDS - left))


DEFECTS = (
    Defect(
        "p99 copied from another quantile",
        ("contradictory-summary",),
        (0.0, 0.01, 0.04, 0.09),
        0.04,
        "how far the quantile lies below 0.99",
        p99_of_another_quantile,
    ),
    Defect(
        "p99 copied from the mean",
        ("contradictory-summary",),
        (0.0, 1.0),
        1.0,
        "whether it is",
        p99_of_the_mean,
    ),
    Defect(
        "lost lines of the timeline",
        ("timeline-gap", "conservation"),
        (0.0, 1.0, 5.0),
        1.0,
        "lines of 40",
        lost_lines,
    ),
    Defect(
        "lines of the timeline written twice",
        ("timeline-gap", "conservation"),
        (0.0, 1.0, 5.0),
        1.0,
        "lines of 40",
        doubled_lines,
    ),
    Defect(
        "window of the last second",
        ("short-window",),
        (0.0, 0.5, 0.9, 0.97),
        0.97,
        "share of the load after the warm-up that is left out",
        last_seconds,
    ),
)
