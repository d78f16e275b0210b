"""Which stacks are checked, and what stands beside each where its system has several services."""

from collections.abc import Mapping, Sequence

from loadstone.deploy.stand_ins import standing_while_held
from loadstone.errors import InputError, StepFailed, Unavailable
from loadstone.measure.prepare.stack_sources import StackSource, found_source
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.values.manifest import Stack, System
from loadstone.study.values.model import Protocol
from loadstone.text.quoted import suggestion


def chosen_stacks(
    catalogue: Catalogue, system: System, typed: Sequence[str]
) -> tuple[tuple[str, Stack], ...]:
    """Return service and stack for each that was typed, `STACK` or `SERVICE/STACK`; all for nothing.

    Raises InputError for one that is not there.
    """
    names = {
        f"{service}/{stack}": (service, stack)
        for service in system.names
        for stack in catalogue.stack_names(system.system, service)
    }
    for each in typed:
        if each not in names and each not in {stack for _, stack in names.values()}:
            known = [stack for _, stack in names.values()] if len(system.services) == 1 else names
            raise InputError(f"unknown stack {each!r}", remedy=suggestion(each, list(known)))
    return tuple(
        (service, catalogue.stack(system, service, stack))
        for name, (service, stack) in names.items()
        if not typed or name in typed or stack in typed
    )


def legs_to_hold(system: System, stacks: Mapping[str, Stack]) -> tuple[Mapping[str, Protocol], ...]:
    """Return what the legs speak in the scenarios that these stacks have together, each once.

    The stacks are by service. Without one of the entry it is what they speak in any scenario: what
    they answer is not the system's operation. A system without scenarios is held over the first
    protocols that its stacks have in common. Raises StepFailed('check') where there is none.
    """
    own = {leg for name in stacks for leg in system.service(name).legs}
    found: list[Mapping[str, Protocol]] = [
        {leg: protocol for leg, protocol in scenario.legs.items() if leg in own}
        for scenario in system.scenarios
        if all(
            each.has(scenario) if system.entry in stacks else each.speaks(scenario.legs)
            for each in stacks.values()
        )
    ]
    if not found:
        return (common_protocols(list(stacks.values())),)
    return tuple(each for number, each in enumerate(found) if each not in found[:number])


def common_protocols(stacks: Sequence[Stack]) -> dict[str, Protocol]:
    """Return for each leg the first protocol that every stack with this leg speaks on it.

    Raises StepFailed('check') where there is none.
    """
    legs = dict.fromkeys(leg for stack in stacks for leg in stack.protocols)
    found = {}
    for leg in legs:
        spoken = [stack.protocols[leg] for stack in stacks if leg in stack.protocols]
        common = [each for each in spoken[0] if all(each in others for others in spoken)]
        if not common:
            raise StepFailed("check", f"no protocol is spoken on both ends of the leg {leg}")
        found[leg] = common[0]
    return found


def held_with(system: System, service: str) -> tuple[str, ...]:
    """Return the services that are held for a stack of this one: it, and the entry if that asks it.

    What stands on the bench is held for itself alone.
    """
    own = system.service(service)
    if service == system.entry or own.is_bench or service not in standing_while_held(system, None):
        return (service,)
    return (system.entry, service)


def with_partners(
    catalogue: Catalogue, system: System, service: str, part: StackSource
) -> dict[str, StackSource]:
    """Return a stack for every service that stands while what is about a stack is held.

    It is `part` for its own, for each other the first that can run here. Raises Unavailable where no
    stack of a service can.
    """
    standing = {
        name
        for held in held_with(system, service)
        for name in standing_while_held(system, None if held == system.entry else held)
    }
    return {
        name: part if name == service else _first(catalogue, system, name)
        for name in system.names
        if name in standing
    }


def _first(catalogue: Catalogue, system: System, service: str) -> StackSource:
    reasons = []
    for stack in catalogue.stacks(system, service):
        try:
            return found_source(catalogue, stack, stack.runtimes[0])
        except Unavailable as error:
            reasons.append(f"{stack.stack}: {error.message}")
    raise Unavailable(
        f"no stack of {system.system}/{service} can run here ({'; '.join(reasons) or 'it has none'})",
        f"install what one of them needs: `loadstone systems {system.system}`",
    )
