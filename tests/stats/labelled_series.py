"""Series of 60 to 900 seconds with the class that they were made as, from seeds: no run is needed.

Levels are of a throughput. Noise is normal, heavy-tailed, or correlated as seconds of a load are.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from loadstone.stats.series.steady_state import Kind

Shape = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""From the time, as a share of the series, to the level without noise."""
Noise = Callable[[np.random.Generator, int], NDArray[np.float64]]


class Labelled(NamedTuple):
    name: str
    kind: Kind
    values: list[float]


def _step(at: float, before: float) -> Shape:
    return lambda time: np.where(time < at, before, 1.0)


def _approach(at: float, before: float) -> Shape:
    """Exponential, nine tenths of the way at `at`."""
    return lambda time: 1 + (before - 1) * np.exp(-2.3 * time / at)


SHAPES: tuple[tuple[str, Kind, Shape], ...] = (
    ("level", "flat", np.ones_like),
    ("a drift within the tolerance", "flat", lambda time: 1 + 0.03 * time),
    (
        "compiled in steps",
        "warm-up",
        lambda time: np.select([time < 0.08, time < 0.2], [0.4, 0.8], 1),
    ),
    ("compiled bit by bit", "warm-up", _approach(0.15, 0.4)),
    ("pool filled late", "warm-up", _step(0.3, 0.75)),
    ("cache overflows", "slow-down", _step(0.2, 1.4)),
    ("credits used up", "slow-down", _approach(0.15, 1.8)),
    ("leaking", "no steady state", lambda time: 1.3 - 0.6 * time),
    ("throttled at the end", "no steady state", lambda time: np.where(time < 0.75, 1.4, 1)),
    ("two states in turn", "no steady state", lambda time: np.where(time * 6 % 2 < 1, 1, 0.75)),
)


def _correlated(random: np.random.Generator, count: int) -> NDArray[np.float64]:
    shocks = random.normal(0, 0.03 * np.sqrt(1 - 0.5**2), count)
    for index in range(1, count):
        shocks[index] += 0.5 * shocks[index - 1]
    return shocks


def _paused(random: np.random.Generator, count: int) -> NDArray[np.float64]:
    """A collector's pause every ten seconds takes a third of its second."""
    return random.normal(0, 0.015, count) - np.where(np.arange(count) % 10 == 7, 0.33, 0)


NOISES: tuple[tuple[str, Noise], ...] = (
    ("quiet", lambda random, count: random.normal(0, 0.005, count)),
    ("noisy", lambda random, count: random.normal(0, 0.05, count)),
    ("heavy-tailed", lambda random, count: 0.015 * random.standard_t(3, count)),
    ("correlated", _correlated),
    ("pausing", _paused),
)
LENGTHS = (60, 300, 900)


def labelled_series() -> Iterator[Labelled]:
    """Every shape under every noise and of every length."""
    for length in LENGTHS:
        time = np.arange(length) / length
        for noise_name, noise in NOISES:
            for shape_name, kind, shape in SHAPES:
                name = f"{shape_name}, {noise_name}, {length} s"
                random = np.random.default_rng(abs(hash_of(name)))
                values = 20_000 * np.maximum(shape(time) + noise(random, length), 0.01)
                yield Labelled(name, kind, values.tolist())


def hash_of(name: str) -> int:
    """The same in every process, unlike `hash`."""
    return int.from_bytes(name.encode()[-8:]) ^ int.from_bytes(name.encode()[:8])
