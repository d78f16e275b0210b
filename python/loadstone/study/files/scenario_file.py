"""The scenarios of a system, as typed and as they are meant."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from loadstone.study.files.raw import Name, Raw
from loadstone.study.files.yaml_file import YamlFile
from loadstone.study.values.manifest import Scenario, System
from loadstone.study.values.model import Protocol
from loadstone.text.quoted import suggestion


class RawScenario(Raw):
    """An operation, and what each leg speaks."""

    operation: Name
    """Its name in the workloads."""
    legs: Annotated[dict[Name, str], Field(min_length=1)]
    """For each leg of the system a protocol."""


def scenarios_of(
    source: YamlFile, typed: Sequence[RawScenario], system: System
) -> tuple[Scenario, ...]:
    """Return the scenarios in file order. Raises InputError."""
    found: list[Scenario] = []
    for position, each in enumerate(typed):
        at = ("scenarios", position)
        for leg in system.legs:
            if leg not in each.legs:
                raise source.error(
                    (*at, "legs"), f"the leg {leg} is missing", f"write `{leg}: h1c`, for example"
                )
        for leg, protocol in each.legs.items():
            if leg not in system.legs:
                raise source.error(
                    (*at, "legs", leg), "is not a leg of the system", suggestion(leg, system.legs)
                )
            if protocol not in tuple(Protocol):
                raise source.error(
                    (*at, "legs", leg),
                    f"{protocol} is no protocol of a leg",
                    suggestion(protocol, tuple(Protocol)),
                )
        legs = {leg: Protocol(each.legs[leg]) for leg in system.legs}
        scenario = Scenario(operation=each.operation, legs=legs)
        if scenario in found:
            raise source.error(at, f"{scenario.name} is there twice", "keep one of the two")
        found.append(scenario)
    return tuple(found)
