"""The faults of a study's workloads, held against its system and its arms."""

from collections.abc import Iterable, Sequence

from loadstone.errors import InputError
from loadstone.study.files.faults_file import FAULTS
from loadstone.study.values.dependency import WITHOUT_HANDS
from loadstone.study.values.faults import LASTING, Fault, service_of
from loadstone.study.values.manifest import System
from loadstone.study.values.model import AnyWorkload, Arm, Workload
from loadstone.study.values.service_choice import OwnAddress
from loadstone.text.quoted import suggestion


def judge_faults(system: System, arms: Sequence[Arm], workloads: Iterable[AnyWorkload]) -> None:
    """Refuse a fault of a part that an arm does not have, or that nothing like it can be done to.

    Raises InputError with the workload's file.
    """
    for workload in workloads:
        if not isinstance(workload, Workload):
            continue
        under = [arm for arm in arms if arm.is_under(workload.workload)]
        for position, fault in enumerate(workload.faults):
            refused = _refused(system, under, fault)
            if refused is not None:
                message, remedy = refused
                raise InputError(
                    message,
                    path=system.workloads / f"{workload.workload}.yaml",
                    key=f"{FAULTS}[{position}].{fault.fault}",
                    remedy=remedy,
                )


def _refused(system: System, arms: Sequence[Arm], fault: Fault) -> tuple[str, str] | None:
    """Why it cannot be, and what to do; none where it can."""
    part, service = fault.part, service_of(fault.part)
    if any(isinstance(choice, OwnAddress) for arm in arms for choice in arm.services):
        return (
            f"{part} runs already, and is not the lab's",
            "give its command, or leave the fault out",
        )
    handled = [name for name, kind in system.dependencies.items() if kind not in WITHOUT_HANDS]
    match fault.fault:
        case "stop":
            known = handled
        case "freeze":
            known = [*system.names, *handled]
        case _:
            known = [name for name in system.names if name != system.entry]
    if part == system.entry and fault.fault not in LASTING:
        return (
            f"{part} is the entry, which is loaded at one address",
            "name a service that another one needs",
        )
    if service not in known:
        return f"{part} is no part of {system.name} that this is done to", suggestion(
            service, known
        )
    if part == service:
        return None
    for arm in arms:
        names = system.instance_names(service, system.chosen(arm.settings))
        if service not in system.names or part not in names:
            return f"{arm.id} has no process {part}", f"it has: {', '.join(names)}"
    return None
