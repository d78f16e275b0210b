"""Tries kinds of the corpus: makes each from several seeds and has it audited."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from corpus.catalogue import CLEAN, DEFECTS
from corpus.judge import findings_of
from corpus.model import Clean, Defect
from loadstone.findings.model import Severity

WEAKER_SEEDS = 5
"""Of the seeds of the default strength, one in so many is used for each other strength."""
STUDY_SEEDS = 2
"""Of the seeds of a run, one in so many is used for a study: it is a dozen runs."""

KINDS: dict[str, Defect | Clean] = {each.kind: each for each in (*DEFECTS, *CLEAN)}


@dataclass(frozen=True)
class Trial:
    """One run or study to make."""

    kind: str
    strength: float | None
    """None for what is healthy."""
    seed: int


@dataclass(frozen=True)
class Tried:
    """What its audit said."""

    trial: Trial
    found: frozenset[tuple[str, Severity]]
    """Codes with their severities, each once."""

    def codes(self, *severities: Severity) -> set[str]:
        """Of these severities, or of all."""
        return {code for code, severity in self.found if not severities or severity in severities}


def trials(kinds: Iterable[Defect | Clean], seeds: int) -> list[Trial]:
    """So many of each healthy kind and default strength, fewer of other strengths and of studies."""
    listed = []
    for kind in kinds:
        most = -(-seeds // STUDY_SEEDS) if kind.is_study else seeds
        if isinstance(kind, Clean):
            listed += [Trial(kind.kind, None, seed) for seed in range(most)]
            continue
        for strength in kind.strengths:
            count = most if strength == kind.default else -(-most // WEAKER_SEEDS)
            listed += [Trial(kind.kind, strength, seed) for seed in range(count)]
    return listed


def attempt(trial: Trial) -> Tried:
    """Make one and have it audited."""
    kind = KINDS[trial.kind]
    with tempfile.TemporaryDirectory(prefix="corpus-") as directory:
        if isinstance(kind, Clean):
            stored = kind.make(trial.seed, Path(directory))
        else:
            assert trial.strength is not None
            stored = kind.make(trial.seed, trial.strength, Path(directory))
        found = findings_of(stored)
    return Tried(trial, frozenset((each.code, each.severity) for each in found))


def try_all(listed: list[Trial]) -> Iterator[Tried]:
    """Simulated ones side by side, and then those that load a server, one at a time."""
    live = [trial for trial in listed if KINDS[trial.kind].live]
    simulated = [trial for trial in listed if not KINDS[trial.kind].live]
    if simulated:
        # Threads of the libraries do not survive a fork.
        with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
            yield from pool.map(attempt, simulated, chunksize=4)
    yield from map(attempt, live)
