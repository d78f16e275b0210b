"""The sites of a study, opened and closed: each a lab on a machine of its own."""

import queue
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from loadstone.cluster.lines import digest_of
from loadstone.cluster.local_wire import LocalWire
from loadstone.cluster.remote_lab import Heard, RemoteLab
from loadstone.cluster.role_lab import Queue, RoleLab
from loadstone.cluster.several_sites import Lab, SeveralSites, meet
from loadstone.cluster.wire import Wire
from loadstone.errors import LoadstoneError
from loadstone.machine import ownership
from loadstone.measure.environment import commit_of
from loadstone.results import folder
from loadstone.study.design.resolve import ResolvedPlan
from loadstone.study.values.machines import Machines
from loadstone.study.values.model import Workload
from loadstone.study.values.service_choice import StackChoice
from loadstone.text.quoted import suggestion


@contextmanager
def open_sites(
    resolved: ResolvedPlan, machines: Machines, results: Path, wire_to: Callable[[str], Wire]
) -> Iterator[SeveralSites]:
    """Give the sites of a study as one, each behind a wire; at the end of the block all labs end.

    Raises LoadstoneError where a machine is not there, refuses, or is unlike the others.
    """
    refuse_own_services(resolved)
    for site in machines.sites:
        refuse_bound_services(resolved, site, machines)
    if machines.dependencies or any(machines.services_apart(site) for site in machines.sites):
        refuse_bound_dependencies(resolved, is_apart=bool(machines.dependencies))
    heard: queue.SimpleQueue[Heard] = queue.SimpleQueue()
    fetched = results / folder.FETCHED
    labs = {site: _lab_of(site, machines, wire_to, heard, fetched) for site in machines.sites}
    try:
        yield meet(
            labs,
            heard,
            resolved.plan,
            digest_of(resolved.plan),
            machines.addresses,
            commit_of(resolved.root),
        )
    finally:
        with ThreadPoolExecutor(len(labs)) as pool:  # each may take as long as its services do
            for lab in labs.values():
                pool.submit(lab.close)
        shutil.rmtree(fetched, ignore_errors=True)


def _lab_of(
    site: str,
    machines: Machines,
    wire_to: Callable[[str], Wire],
    heard: Queue,
    fetched: Path,
) -> Lab:
    """Return the lab of a site: of its machine, or of several by role."""
    others = machines.others(site)
    if not others:
        return RemoteLab(site, wire_to(site), heard, fetched / site)
    inner: Queue = queue.SimpleQueue()
    labs = {name: RemoteLab(name, wire_to(name), inner, fetched / name) for name in (site, *others)}
    leader, apart = labs.pop(site), machines.dependencies.get(site)
    services = machines.services_apart(site)
    return RoleLab(site, leader, labs, apart, inner, heard, machines.addresses, services)


@contextmanager
def sites_here(
    resolved: ResolvedPlan, machines: Machines, results: Path, simulation: Path
) -> Iterator[SeveralSites]:
    """Give labs of this machine in the place of those of a cluster, for a study that is simulated."""
    with ownership.scratch_directory() as directory:

        def wire_to(site: str) -> Wire:
            return LocalWire(
                resolved.roots[0], resolved.path.resolve(), simulation.resolve(), directory / site
            )

        with open_sites(resolved, machines, results, wire_to) as sites:
            yield sites


def refuse_own_services(resolved: ResolvedPlan) -> None:
    """Refuse what is not below the folder that goes to every machine. Raises LoadstoneError."""
    for choice in resolved.choices:
        if not isinstance(choice, StackChoice):
            raise LoadstoneError(
                f"{choice.label} is a service of your own, and these are measured on one machine: "
                "nothing of it goes to the others",
                "make it a stack of a system, or run the study without --machines",
            )
        stack = resolved.stacks[choice]
        if stack.is_project or stack.checkout is not None:
            raise LoadstoneError(
                f"{choice.label} is built from a project or a repository of this machine, and neither "
                "goes to the others",
                "copy its sources into the folder of the stack, or run the study without --machines",
            )


def refuse_bound_services(resolved: ResolvedPlan, site: str, machines: Machines) -> None:
    """Refuse a study whose services cannot stand as a site has them. Raises LoadstoneError."""
    named, apart = machines.services.get(site, {}), machines.services_apart(site)
    if not named:
        return
    system, plan, remedy = resolved.system, resolved.plan, f"write `service: {site}`"
    known = {each.service: each for each in system.services}
    for name in named:
        if name not in known:
            raise LoadstoneError(
                f"machines.yaml has a service {name}, and {system.system} has none of that name",
                suggestion(name, tuple(known)),
            )
        if known[name].is_bench and name in apart:
            raise LoadstoneError(
                f"the service {name} stands with what measures, and so on the machine that leads",
                f"take {name} out of the services in machines.yaml",
            )
    if named.get(system.entry) != site:
        raise LoadstoneError(
            f"{site} leads its site, and does not have {system.entry}, the service that is called",
            f"write {system.entry} as the first of the services in machines.yaml",
        )
    for name in apart:
        over_tls = any(arm.legs[leg].is_tls for arm in plan.arms for leg in known[name].legs)
        if over_tls:
            raise LoadstoneError(
                f"the service {name} has legs over TLS, and certificates are made for the machine "
                "that leads",
                remedy,
            )
    for workload in plan.workloads:
        if isinstance(workload, Workload) and (workload.faults or workload.kind == "footprint"):
            why = "lays hands on services" if workload.faults else "reads the memory of services"
            raise LoadstoneError(
                f"the workload {workload.workload} {why}, and some are on machines of their own",
                f"{remedy}, or take the workload out of the study",
            )
    if any(arm.page_cache is not None for arm in plan.arms):
        raise LoadstoneError(
            "the study empties or warms the page cache, which is done on the machine that leads",
            remedy,
        )


def refuse_bound_dependencies(resolved: ResolvedPlan, *, is_apart: bool) -> None:
    """Refuse a study whose dependencies cannot be called from other machines. Raises LoadstoneError.

    `is_apart`: whether they are on a machine of their own; else services are.
    """
    system = resolved.system
    remedy = (
        "take `dependency` out of the sites in machines.yaml"
        if is_apart
        else "write `service` with one machine in machines.yaml"
    )
    for name, kind in system.dependencies.items():
        leg = system.leg_to(name)
        over_tls = leg is not None and any(arm.legs[leg].is_tls for arm in resolved.plan.arms)
        if kind == "command":
            why = "is started by a command, which nobody knows to listen at a machine's address"
        elif over_tls:
            why = "is called over TLS, and its certificate is made for the service's machine"
        else:
            continue
        raise LoadstoneError(f"the dependency {name} {why}", remedy)
    if not is_apart:
        return
    for workload in resolved.plan.workloads:
        faults = workload.faults if isinstance(workload, Workload) else ()
        for fault in faults:
            if fault.part in system.dependencies:
                raise LoadstoneError(
                    f"the workload {workload.workload} lays hands on the dependency {fault.part}, "
                    "which is on a machine of its own",
                    "take `dependency` out of the sites in machines.yaml, or the workload out of the "
                    "study",
                )
