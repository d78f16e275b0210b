"""What is started for the services of an arm: each built, if it is a stack, and perhaps trained."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from loadstone.contract.model import Contract
from loadstone.deploy.build import Built
from loadstone.deploy.deployment import Launch
from loadstone.measure.prepare.stack_sources import StackSource
from loadstone.study.values.held_to import Deviation, HeldTo
from loadstone.study.values.model import Arm, Protocol
from loadstone.study.values.service_choice import ServiceChoice

Cast = tuple[ServiceChoice, ...]
"""What stands for the services of an arm, together."""


class Spoken(NamedTuple):
    """A cast and what its legs speak: what is held against the contract, and trained."""

    cast: Cast
    legs: tuple[tuple[str, Protocol], ...]

    @property
    def over(self) -> str:
        """What its legs speak, from outside inwards, for people."""
        return " -> ".join(protocol for _, protocol in self.legs)


def spoken_by(arm: Arm) -> Spoken:
    """Return the part of an arm that a contract is about."""
    return Spoken(arm.services, tuple(arm.legs.items()))


@dataclass(frozen=True)
class Prepared:
    """One service choice that can be started."""

    launch: Launch
    source: StackSource | None = None
    """None for what is not a stack."""
    built: Built | None = None
    """None for what the lab does not build."""
    held_to: HeldTo = field(default_factory=HeldTo)
    """What of the system's contract it is held to."""


Parts = Mapping[str, Prepared]
"""What is started for each service of a cast, by service; what is running already is not in it."""


def operations_of(held: Iterable[HeldTo]) -> tuple[str, ...] | None:
    """Return the operations that all of the services have; none: every one."""
    limited = [each.operations for each in held if each.operations is not None]
    if not limited:
        return None
    return tuple(each for each in limited[0] if all(each in other for other in limited))


def contract_of(contract: Contract, held: Iterable[HeldTo]) -> Contract:
    """Return what the services are held against: of a yardstick the clauses alone that it names."""
    for each in held:
        if each.only is not None:
            contract = contract.of(each.only)
    return contract


def deviations_of(held: Iterable[HeldTo], legs: Mapping[str, Protocol]) -> tuple[Deviation, ...]:
    """Return what the services are known to do otherwise over these protocols."""
    return tuple(
        deviation for each in held for deviation in each.deviations if deviation.is_over(legs)
    )


def by_samples_alone(held: Iterable[HeldTo]) -> bool:
    """Whether one of the services asks not to be held against the contract.

    What answers through it is not held then, either: nobody could tell whose answer was wrong.
    """
    return any(each.samples_alone for each in held)


def compile_threads_of(parts: Parts) -> dict[str, tuple[str, ...]]:
    """Return the names of compile threads by service: none where the runtime never compiles.

    A service is left out where nothing is known.
    """
    return {
        service: runtime.runtime.compiles.threads
        for service, part in parts.items()
        if (runtime := part.launch.runtime) is not None and runtime.runtime.compiles is not None
    }
