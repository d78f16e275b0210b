"""Who stands while a service is held against the contract, and who is stood in for. Pure.

The recording upstream is in the place of what a system's file says under `recorded`, else of
dependencies that are called by HTTP and of services on the bench; but never of the service that is
called.
"""

from loadstone.deploy.dependencies.registry import KINDS
from loadstone.study.values.manifest import Service, System
from loadstone.study.values.standing import standing


def stand_ins_of(system: System, service: str | None) -> frozenset[str]:
    """Return what the recording upstream may stand in for where this service is called; none: the
    entry.
    """
    if system.recorded is not None:
        replaceable = system.recorded
    else:
        by_http = (name for name, kind in system.dependencies.items() if KINDS[kind].is_upstream)
        replaceable = (*by_http, *system.bench_services)
    return frozenset(replaceable) - {service or system.entry}


def standing_while_held(system: System, service: str | None) -> frozenset[str]:
    """Return what stands while checks about a service are held; none: about the entry."""
    return standing(system, service, stand_ins_of(system, service))


def upstream_legs(system: System, service: str | None) -> tuple[str, ...]:
    """Return the legs to what the recording upstream stands in for where a service is called."""
    stands = standing_while_held(system, service)
    asked = {need for name in system.names if name in stands for need in system.service(name).needs}
    recorded = asked & stand_ins_of(system, service)
    services = [system.inbound_leg(name) for name in system.names if name in recorded]
    dependencies = [system.leg_to(name) for name in system.dependencies if name in recorded]
    return tuple(leg for leg in (*services, *dependencies) if leg is not None)


def ready_whatever_it_answers(service: Service) -> Service:
    """Return a service that is ready by the status of its answer alone: what is in the answer may come
    from what is stood in for.
    """
    operation = service.ready.operation
    check = operation.check.model_copy(update={"body_contains": None})
    ready = service.ready.model_copy(
        update={"operation": operation.model_copy(update={"check": check})}
    )
    return service.model_copy(update={"ready": ready})
