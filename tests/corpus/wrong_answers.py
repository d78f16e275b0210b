"""Defects: answers that are fast since they are wrong."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from corpus.answers import Answer
from corpus.machine import Machine
from corpus.model import Defect
from corpus.runs import run_of, same, study_of
from corpus.scenario import Scenario
from corpus.service import Service
from corpus.workloads import load
from loadstone.metrics.outcomes import Outcome

Wrong = Callable[[bytes], bytes]
SHARES = (0.0, 0.02, 0.2, 1.0)
SEEN = "share of the answers"


def wrong(how: Wrong) -> Callable[[int, float, Path], Path]:
    """A gateway of whose answers a share is wrong, once it is under load."""

    def make(seed: int, strength: float, directory: Path) -> Path:
        rng = np.random.default_rng([seed, 4])

        def answer(body: bytes, _: float) -> bytes:
            return how(body) if rng.random() < strength else body

        return run_of(directory, seed, Scenario(answer=answer))

    return make


def constant(_: bytes) -> bytes:
    return b'{"size":"50B"}'


def unread(body: bytes) -> bytes:
    """The right length, echoed from Content-Length: 45 times as fast in published results."""
    return bytes(len(body))


def truncated(body: bytes) -> bytes:
    return body[:-1]


def of_another(body: bytes) -> bytes:
    return body.replace(b"0123456789", b"9876543210")


def warming_up_wrong(seed: int, strength: float, directory: Path) -> Path:
    """A gateway that is right when it is asked alone, and wrong from some second on."""

    def answer(body: bytes, second: float) -> bytes:
        return of_another(body) if second >= 40 * (1 - strength) else body

    usual: Answer = answer
    return run_of(directory, seed, Scenario(answer=usual))


def unchecked(seed: int, strength: float, directory: Path) -> Path:
    """Answers of another request, of a system that has no contract: nobody would know."""

    def answer(body: bytes, _: float) -> bytes:
        return of_another(body) if strength else body

    return run_of(directory, seed, Scenario(answer=answer, has_contract=not strength))


def storm(seed: int, strength: float, directory: Path) -> Path:
    """Shedding load with 503 for some seconds."""

    def ends(second: float, _: float) -> Outcome:
        return Outcome.STATUS if 20 <= second < 20 + strength else Outcome.OK

    return run_of(directory, seed, Scenario(service=Service(ends=ends)), load(rate=80))


def cached(seed: int, strength: float, directory: Path) -> Path:
    """One arm keeps answers and seldom calls the dependency: less work, and the right bodies."""
    honest = Scenario(service=Service(work_ms=12))
    keeping = Scenario(
        service=Service(work_ms=12 - 8 * strength), machine=Machine(calls_dependency=1 - strength)
    )
    return study_of(directory, seed, {"go": same(honest), "node": same(keeping)})


DEFECTS = (
    Defect("constant answers", ("contract",), SHARES, 0.2, SEEN, wrong(constant)),
    Defect("unread request bodies", ("contract",), SHARES, 0.2, SEEN, wrong(unread)),
    Defect("truncated bodies", ("contract",), SHARES, 0.2, SEEN, wrong(truncated)),
    Defect("bodies of another request", ("contract",), SHARES, 0.2, SEEN, wrong(of_another)),
    Defect(
        "wrong bodies after a time under load",
        ("contract",),
        (0.0, 0.1, 0.5),
        0.1,
        "share of the load",
        warming_up_wrong,
    ),
    Defect(
        "wrong bodies of a system without a contract",
        ("unchecked-answers",),
        (0.0, 1.0),
        1.0,
        "whether it has none",
        unchecked,
    ),
    Defect("503 storm", ("failures",), (0.0, 0.1, 2.0), 2.0, "seconds of 40", storm),
    Defect(
        "cached answers in one arm",
        ("dependency-skipped",),
        (0.0, 0.2, 0.5, 0.9),
        0.9,
        "share of the requests",
        cached,
        is_study=True,
    ),
    Defect(
        "dependency skipped in one arm",
        ("dependency-skipped",),
        (0.0, 1.0),
        1.0,
        "whether it is",
        cached,
        is_study=True,
    ),
)
