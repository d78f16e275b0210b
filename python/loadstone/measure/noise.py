"""How steady this machine is right now: the same work, timed again and again."""

import time
from dataclasses import dataclass

import numpy as np

REPETITIONS = 40
LOOP_ITERATIONS = 200_000
"""Some milliseconds of pure computation: long against the clock, short against a scheduler's turn."""


@dataclass(frozen=True)
class Noise:
    """Spread of the times of equal work."""

    wall_variation: float
    """Coefficient of variation of wall time: what other work on the machine adds."""
    cpu_variation: float
    """Coefficient of variation of the thread's own CPU time: what remains when waiting is left out."""


def measure_noise() -> Noise:
    """Time a fixed loop `REPETITIONS` times; takes about half a second."""
    wall, cpu = [], []
    for _ in range(REPETITIONS):
        wall_began, cpu_began = time.perf_counter_ns(), time.thread_time_ns()
        total = 0
        for number in range(LOOP_ITERATIONS):
            total += number
        cpu.append(time.thread_time_ns() - cpu_began)
        wall.append(time.perf_counter_ns() - wall_began)
    return Noise(_variation(wall), _variation(cpu))


def _variation(times: list[int]) -> float:
    return float(np.std(times, ddof=1) / np.mean(times))
