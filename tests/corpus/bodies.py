"""Which bodies the answers of a simulated load had, counted as the engine counts them."""

from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from loadstone.metrics.outcomes import Outcome
from loadstone.results.answer_facts import AnswerFacts
from loadstone.results.record import LoadFacts, OperationFacts
from loadstone.simulate.requests import Requests

Bodies = Callable[[NDArray[np.int64], np.random.Generator], NDArray[np.int64]]
"""A number for the body of each ok answer, from the times at which they ended."""

BYTES, KINDS = 512, 16
"""The length of every body, and how many of them the engine tells apart."""


def answer_facts(
    facts: LoadFacts,
    bodies: Bodies,
    operations: Mapping[str, Requests],
    rng: np.random.Generator,
) -> dict[str, OperationFacts]:
    """The facts of each operation, with those of the bodies of its answers."""
    found = {}
    for name, requests in operations.items():
        done_ns = requests.done_ns[requests.outcome == Outcome.OK]
        answers = _counted(bodies(done_ns, rng).tolist())
        found[name] = facts.operations[name].model_copy(update={"answers": answers})
    return found


def _counted(bodies: list[int]) -> AnswerFacts:
    told: Counter[int] = Counter()
    for body in bodies:
        if body in told or len(told) < KINDS:
            told[body] += 1
    usual = max(told.values())
    return AnswerFacts(
        compared=len(bodies),
        usual=usual,
        usual_bytes=BYTES,
        others_as_long=told.total() - usual,
        all_bytes=BYTES * len(bodies),
        kinds=len(told),
    )
