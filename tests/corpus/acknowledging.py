"""Defects: a service that answers first and works later."""

from pathlib import Path

import numpy as np

from corpus.model import Clean, Defect
from corpus.runs import run_of
from corpus.scenario import Scenario
from loadstone.results.background import Background
from loadstone.results.record import RunRecord
from simulated_load import SECOND_NS

IDLE_SHARE = 0.002
"""Of a CPU, for timers of its runtime."""


def watched(seed: int, after_share: float, directory: Path) -> Path:
    rng = np.random.default_rng([seed, 64])

    def told(record: RunRecord) -> RunRecord:
        seen = Background(
            before_share=IDLE_SHARE * rng.lognormal(0, 0.3),
            after_share=(IDLE_SHARE + after_share) * rng.lognormal(0, 0.3),
            after_from_ns=2 * SECOND_NS,
            after_length_ns=3 * SECOND_NS,
        )
        return record.model_copy(update={"background": seen})

    return run_of(directory, seed, Scenario(told=told))


DEFECTS = (
    Defect(
        "work behind the last answer",
        ("works-after-load",),
        (0.0, 0.01, 0.2),
        0.2,
        "of a CPU, of which the load took one",
        watched,
    ),
)

CLEAN = (
    Clean(
        "a collector that tidies up behind the load",
        lambda seed, directory: watched(seed, 0.005, directory),
    ),
)
