"""Databases: one that is the limit in place of the service, one that is not asked; and healthy ones."""

from pathlib import Path

from corpus.healthy_studies import AS_SHORT_AS_THEY_ARE
from corpus.machine import Machine
from corpus.model import Clean, Defect
from corpus.runs import run_of, same, study_of
from corpus.scenario import Scenario
from corpus.service import Service
from corpus.workloads import load

WAITING = Service(work_ms=4, workers=1000, waits_ms=80)
"""Eight users come to 95 requests a second: its own CPU is full for four tenths."""
AT_ITS_LIMIT_MS = 9.0
"""Of the database's CPU time for each of those: nine tenths of a CPU."""


def limiting(seed: int, strength: float, directory: Path) -> Path:
    """Closed users whose requests wait for a database that computes for so much of the time."""
    machine = Machine(statements=1, backend_ms=AT_ITS_LIMIT_MS * strength)
    return run_of(directory, seed, Scenario(service=WAITING, machine=machine), load(8))


def unasked(seed: int, strength: float, directory: Path) -> Path:
    """A service that answers from what it has kept, and asks its database for the rest."""
    machine = Machine(statements=1, calls_dependency=1 - strength)
    return run_of(directory, seed, Scenario(machine=machine))


def asked_less(seed: int, strength: float, directory: Path) -> Path:
    """One arm keeps answers; the CPU time of the database, which works for itself, hardly shows it."""
    honest = Scenario(machine=Machine(statements=1))
    keeping = Scenario(machine=Machine(statements=1 - strength))
    return study_of(directory, seed, {"go": same(honest), "node": same(keeping)})


def mapped(seed: int, directory: Path) -> Path:
    """An object mapper in one arm looks before it writes."""
    plain = Scenario(machine=Machine(statements=1))
    looking = Scenario(machine=Machine(statements=1.9))
    return study_of(directory, seed, {"go": same(plain), "node": same(looking)})


def seldom(seed: int, directory: Path) -> Path:
    """One request in twenty needs the database."""
    machine = Machine(statements=1, calls_dependency=0.05)
    return run_of(directory, seed, Scenario(machine=machine))


def full_service(seed: int, directory: Path) -> Path:
    """A service that is full, beside a database that is busy and not its limit."""
    machine = Machine(statements=1, backend_ms=5.0)
    return run_of(directory, seed, Scenario(machine=machine), load(8))


DEFECTS = (
    Defect(
        "database at its limit",
        ("database-limited",),
        (0.0, 0.5, 1.0, 1.05),
        1.05,
        "of nine tenths of its CPU",
        limiting,
    ),
    Defect(
        "database that nothing asks",
        ("database-idle",),
        (0.0, 0.9, 1.0),
        1.0,
        "share of the requests",
        unasked,
    ),
    Defect(
        "fewer statements in one arm",
        ("dependency-skipped",),
        (0.0, 0.3, 0.9),
        0.9,
        "share of the statements",
        asked_less,
        is_study=True,
    ),
)
CLEAN = (
    Clean("object mapper that doubles statements", mapped, AS_SHORT_AS_THEY_ARE, is_study=True),
    Clean("database that one request in twenty needs", seldom),
    Clean("full service beside a busy database", full_service),
)
