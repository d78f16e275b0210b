"""Every word that is explained, in the order of the page of findings. Several may have one name."""

from collections.abc import Iterator

from loadstone.explained.answers import OF_CLAIMS, OF_COMPARISONS, OF_QUESTIONS, OF_TRUST
from loadstone.explained.arms import ARMS
from loadstone.explained.figures import FIGURES
from loadstone.explained.load_generator import LOAD_GENERATOR
from loadstone.explained.machine import MACHINE
from loadstone.explained.model import Explained, Section
from loadstone.explained.outcomes import OF_FIGURES, OF_REQUESTS, OF_RUNS, STEPS
from loadstone.explained.requests import REQUESTS
from loadstone.explained.service import SERVICE
from loadstone.explained.sessions import SESSIONS
from loadstone.explained.several_machines import SEVERAL_MACHINES
from loadstone.explained.steady_state import STEADY_STATE
from loadstone.explained.study import STUDY

FINDINGS = (
    FIGURES,
    REQUESTS,
    SESSIONS,
    LOAD_GENERATOR,
    SERVICE,
    MACHINE,
    SEVERAL_MACHINES,
    STEADY_STATE,
    ARMS,
    STUDY,
)
"""By what they are about."""

OUTCOMES = (
    OF_REQUESTS,
    OF_RUNS,
    STEPS,
    OF_FIGURES,
    OF_QUESTIONS,
    OF_TRUST,
    OF_COMPARISONS,
    OF_CLAIMS,
)
"""By what they are of."""

SECTIONS = (*FINDINGS, *OUTCOMES)


def names() -> tuple[str, ...]:
    """Every name once, as it is typed: `not-held`, `cannot-tell`, `not-sent`."""
    return tuple(dict.fromkeys(typed(each.name) for _, each in _all()))


def explained(name: str) -> tuple[tuple[Section, Explained], ...]:
    """All that has this name, however its words are joined, each with its section; none is unknown."""
    return tuple(found for found in _all() if typed(found[1].name) == typed(name))


def typed(name: str) -> str:
    """`cannot tell` and `cannot_tell` are typed `cannot-tell`."""
    return "-".join(name.lower().replace("_", " ").replace("-", " ").split())


def _all() -> Iterator[tuple[Section, Explained]]:
    return ((section, each) for section in SECTIONS for each in section.entries)
