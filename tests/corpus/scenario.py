"""All that decides what one simulated run comes to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.answers import Answer, echo
from corpus.bodies import Bodies
from corpus.machine import Machine
from corpus.service import Sender, Service
from loadstone.results.record import Failure, RunRecord
from loadstone.simulate.requests import Requests

USUAL_SERVICE, USUAL_SENDER, USUAL_MACHINE = Service(), Sender(), Machine()


Line = dict[str, Any]


def unchanged(told: RunRecord) -> RunRecord:
    return told


def all_of_them(requests: Requests) -> NDArray[np.bool_]:
    return np.ones(len(requests.done_ns), dtype=bool)


def all_lines(lines: list[Line], _: Requests) -> list[Line]:
    return lines


@dataclass(frozen=True)
class Scenario:
    """All that decides what one run comes to."""

    service: Service = USUAL_SERVICE
    sender: Sender = USUAL_SENDER
    machine: Machine = USUAL_MACHINE
    answer: Answer = echo
    has_contract: bool = True
    """Whether its answers are held against anything."""
    bodies: Bodies | None = None
    """Which body each answer has, of those that the engine compares; none where it compares none."""
    requests_a_connection: int | None = None
    """After which the service closes it; none where it never does."""
    lost_first_packets: float = 0.0
    """Share of the connections whose first packet is lost, and sent again after a second."""
    process: Mapping[str, object] = field(default_factory=dict)
    """Facts of the service's process that are not the usual ones."""
    confinement: Mapping[str, object] = field(default_factory=dict)
    """Facts of what held it that are not the usual ones."""
    failure: Failure | None = None
    """Why the run has no figures; none where it has."""
    noted: Callable[[Requests], NDArray[np.bool_]] = all_of_them
    """The requests of which the load generator keeps anything at all."""
    told: Callable[[RunRecord], RunRecord] = unchanged
    """What the record says, of what was seen."""
    lines: Callable[[list[Line], Requests], list[Line]] = all_lines
    """What the timeline says, of what was seen."""
