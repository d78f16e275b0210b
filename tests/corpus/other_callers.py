"""Defects: answers that are fast for the load alone, and of which others have to wait."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from corpus.model import Clean, Defect
from corpus.runs import run_of
from corpus.scenario import Scenario
from loadstone.results.record import RunRecord
from loadstone.results.single_requests import SingleRequests
from simulated_load import MILLISECOND_NS

ROUNDS = 20
LOADED_MS = 1.0
SPREAD = 0.3
"""Standard deviation of the logarithm of a time."""
HICCUP_SHARE, HICCUP_MS = 0.05, 20.0
"""Of single requests on a machine with neighbours."""


def asked(
    seed: int, new_url: float = 1.0, browser: float = 1.0
) -> Callable[[RunRecord], RunRecord]:
    """Single requests, of which some kinds take so many times as long."""
    rng = np.random.default_rng([seed, 61])

    def times(factor: float) -> tuple[int, ...]:
        times_ms = LOADED_MS * factor * np.exp(rng.normal(0, SPREAD, ROUNDS))
        times_ms += HICCUP_MS * (rng.random(ROUNDS) < HICCUP_SHARE)
        return tuple((times_ms * MILLISECOND_NS).astype(int).tolist())

    found = SingleRequests(
        as_loaded_ns=times(1.0), of_a_browser_ns=times(browser), of_a_new_url_ns=times(new_url)
    )
    return lambda record: record.model_copy(update={"single_requests": found})


def cached(seed: int, strength: float, directory: Path) -> Path:
    return run_of(directory, seed, Scenario(told=asked(seed, new_url=strength)))


def for_browsers(seed: int, strength: float, directory: Path) -> Path:
    return run_of(directory, seed, Scenario(told=asked(seed, browser=strength)))


TIMES = (1.5, 4.0, 30.0)

DEFECTS = (
    Defect(
        "a cache of the only URL",
        ("cached-answers",),
        TIMES,
        4.0,
        "times as long for a new URL",
        cached,
    ),
    Defect(
        "a page kept ready for the load",
        ("answers-by-caller",),
        TIMES,
        4.0,
        "times as long for a browser",
        for_browsers,
    ),
)

CLEAN = (
    Clean(
        "all callers served alike",
        lambda seed, directory: run_of(directory, seed, Scenario(told=asked(seed))),
    ),
    Clean(
        "a new URL and a browser cost a little more",
        lambda seed, directory: run_of(
            directory, seed, Scenario(told=asked(seed, new_url=1.25, browser=1.2))
        ),
    ),
)
