"""Defects: answers that are of another length than what was asked for, and count as ok."""

from pathlib import Path

import numpy as np

from corpus.bodies import BYTES
from corpus.model import Clean, Defect
from corpus.runs import run_of
from corpus.scenario import Line, Scenario
from loadstone.results.answer_facts import AnswerFacts
from loadstone.results.record import RunRecord
from loadstone.simulate.requests import Requests
from simulated_load import SECOND_NS

LOAD_SECONDS = 40
ERROR_BYTES = 40


def shrinking(seed: int, strength: float, directory: Path) -> Path:
    """Answers hold less and less, the longer the load goes on."""

    def lines(told: list[Line], _: Requests) -> list[Line]:
        for line in told:
            left = 1 - strength * min(1.0, line["start_ns"] / SECOND_NS / LOAD_SECONDS)
            for operation in line["operations"].values():
                operation["bytes_received"] = round(operation["bytes_received"] * left)
        return told

    return run_of(directory, seed, Scenario(lines=lines))


def with_errors(seed: int, strength: float, directory: Path) -> Path:
    """A share of the answers is a short text that says what went wrong."""

    def told(record: RunRecord) -> RunRecord:
        rng = np.random.default_rng([seed, 62])
        operations = {}
        for name, facts in record.operations.items():
            count = facts.outcomes["ok"]
            errors = int(rng.binomial(count, strength))
            operations[name] = facts.model_copy(update={"answers": _of(count, errors)})
        return record.model_copy(update={"operations": operations})

    return run_of(directory, seed, Scenario(told=told))


def _of(count: int, errors: int) -> AnswerFacts:
    right = count - errors
    return AnswerFacts(
        compared=count,
        usual=max(right, errors),
        usual_bytes=BYTES if right >= errors else ERROR_BYTES,
        others_as_long=0,
        all_bytes=right * BYTES + errors * ERROR_BYTES,
        kinds=2 if errors else 1,
    )


DEFECTS = (
    Defect(
        "answers that hold less and less",
        ("answer-size-changed",),
        (0.0, 0.1, 0.5, 0.9),
        0.5,
        "share that the last ones lack",
        shrinking,
    ),
    Defect(
        "errors that count as ok",
        ("answers-differ", "answers-of-two-lengths"),
        (0.0, 0.01, 0.3, 0.7),
        0.3,
        "share of the answers",
        with_errors,
    ),
)


def uneven(seed: int, directory: Path) -> Path:
    """Lengths that vary by some percent from second to second."""

    def lines(told: list[Line], _: Requests) -> list[Line]:
        rng = np.random.default_rng([seed, 63])
        for line in told:
            for operation in line["operations"].values():
                factor = 1 + 0.03 * rng.standard_normal()
                operation["bytes_received"] = round(operation["bytes_received"] * factor)
        return told

    return run_of(directory, seed, Scenario(lines=lines))


CLEAN = (Clean("answers of slightly different lengths", uneven),)
