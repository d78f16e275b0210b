"""The part of a system that stands where another service than its entry is called. Pure.

A study may load such a service itself, so that nothing in front of it is the limit. To all that deploys
and loads, the part is a system whose entry is that service; its contract and whatever is published are
those of the whole.
"""

from collections.abc import Collection, Iterator

from loadstone.study.values.manifest import Setting, System
from loadstone.study.values.standing import standing


def called_at(system: System, service: str) -> System:
    """Return what stands where a service is called, by the leg by which others call it.

    `ValueError` where no leg leads to it.
    """
    leg = system.inbound_leg(service)
    if leg is None:
        raise ValueError(f"no leg leads to {service}")
    stands = standing(system, service)
    return system.model_copy(
        update={
            "entry": service,
            "entry_leg": leg,
            "services": tuple(each for each in system.services if each.service in stands),
            "dependencies": {
                name: kind for name, kind in system.dependencies.items() if name in stands
            },
            "settings": tuple(_settings(system, service, stands)),
            "scenarios": (),
            "recorded": None,
        }
    )


def _settings(system: System, service: str, stands: Collection[str]) -> Iterator[Setting]:
    """Those that still do something; the service that is called has one process."""
    for each in system.settings:
        variables = {name: text for name, text in each.variables.items() if name in stands}
        seed = each.seed if each.seed in stands else None
        is_several = each.instances in stands and each.instances != service
        if variables or seed or is_several:
            yield each.model_copy(
                update={
                    "variables": variables,
                    "seed": seed,
                    "instances": each.instances if is_several else None,
                }
            )
