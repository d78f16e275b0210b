"""Defects: answers that are another caller's, though of the right status and length."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.bodies import Bodies
from corpus.model import Clean, Defect
from corpus.runs import run_of
from corpus.scenario import Scenario
from simulated_load import SECOND_NS

CALLERS = 50


def of_others(share: float) -> Bodies:
    """A share of the answers is that of one of the other callers."""

    def bodies(done_ns: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        others = rng.integers(1, CALLERS, done_ns.size)
        return np.where(rng.random(done_ns.size) < share, others, 0)

    return bodies


def mixed_up(seed: int, strength: float, directory: Path) -> Path:
    return run_of(directory, seed, Scenario(bodies=of_others(strength)))


def each_its_own(done_ns: NDArray[np.int64], _: np.random.Generator) -> NDArray[np.int64]:
    """A body with a counter."""
    return np.arange(done_ns.size)


def of_its_second(done_ns: NDArray[np.int64], _: np.random.Generator) -> NDArray[np.int64]:
    """A body with the time, in seconds."""
    return done_ns // SECOND_NS


def of_two_hosts(done_ns: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """A body with the name of the host that answered: two take turns."""
    return rng.integers(0, 2, done_ns.size)


def varying(bodies: Bodies) -> Clean:
    """A healthy run whose answers differ as they should."""
    return Clean(
        f"answers that vary: {(bodies.__doc__ or '').rstrip('.').lower()}",
        lambda seed, directory: run_of(directory, seed, Scenario(bodies=bodies)),
    )


DEFECTS = (
    Defect(
        "answers of other callers",
        ("answers-differ",),
        (0.0, 0.0005, 0.002, 0.05),
        0.002,
        "share of the answers",
        mixed_up,
    ),
)

CLEAN = tuple(varying(each) for each in (each_its_own, of_its_second, of_two_hosts))
