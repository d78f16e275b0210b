"""Hold a service against its whole contract, as the parts that were chosen for its system serve it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from loadstone.contract.model import CheckResult, Contract
from loadstone.contract.run import in_short, run_checks
from loadstone.contract.upstream import RecordingUpstream
from loadstone.deploy.deployed_system import DeployedSystem, deploy_system
from loadstone.deploy.deployment import Conditions, Launch
from loadstone.deploy.stand import SystemStand
from loadstone.deploy.stand_ins import upstream_legs
from loadstone.errors import ExitCode
from loadstone.machine.tls_material import tls_material
from loadstone.measure.prepare.prepared import Parts, contract_of, deviations_of, operations_of
from loadstone.study.values.held_to import Deviation, covers
from loadstone.study.values.manifest import CLIENT_LEG, System
from loadstone.study.values.model import Protocol


@dataclass(frozen=True)
class HeldContract:
    """What became of every check, and what the parts declare to do otherwise."""

    results: tuple[CheckResult, ...]
    deviations: tuple[Deviation, ...] = ()
    """Those over the legs that were spoken."""
    is_run: bool = True
    """Whether it was run; it is not where the answers sampled under load are all that is held."""

    def of_state(self, state: str) -> tuple[CheckResult, ...]:
        """Return the checks that ended so."""
        return tuple(each for each in self.results if each.state == state)

    @property
    def failures(self) -> tuple[str, ...]:
        """`CLAUSE: what was seen` for each check that failed."""
        return tuple(f"{each.clause}: {each.message}" for each in self.of_state("failed"))

    @property
    def needless(self) -> tuple[Deviation, ...]:
        """Declared deviations that no check met: the service holds their clauses. Those of some
        versions alone are not among them.
        """
        met = {each.clause for each in (*self.of_state("deviates"), *self.of_state("error"))}
        return tuple(
            each
            for each in self.deviations
            if each.versions is None and not any(covers(each.clause, clause) for clause in met)
        )

    @property
    def exit_code(self) -> ExitCode:
        """Whether it holds: no check failed, and nothing is declared that is not so.

        A check that is broken itself could not be held.
        """
        if self.of_state("error"):
            return ExitCode.COULD_NOT_RUN
        return ExitCode.DOES_NOT_HOLD if self.failures or self.needless else ExitCode.OK


def answering(system: System, service: str, parts: Parts) -> Parts:
    """Return those of the parts that answer while a service is called: it, and services of the arm.

    What stands on the bench is held for itself.
    """
    return {
        name: each
        for name, each in parts.items()
        if name == service or not system.service(name).is_bench
    }


def hold(
    system: System, service: str, parts: Parts, contract: Contract, conditions: Conditions
) -> HeldContract:
    """Hold every check about a service, a recording upstream in the place of what is stood in for.

    `parts` are of all that stands then. Services of the arm among them answer for what the called one
    does, so what they declare counts; what stands on the bench is held for itself. Raises StepFailed
    when a part does not start, or ends by itself.
    """
    called = None if service == system.entry else service
    launches = {name: each.launch for name, each in parts.items()}
    beside = answering(system, service, parts)
    held_to = [each.held_to for each in beside.values()]
    about = contract_of(contract.about(called), held_to)
    deviations = _deviations(service, beside, about, conditions.legs)
    with recorded(system, launches, conditions, called) as (deployed, upstream):
        results = run_checks(
            about,
            deployed.base_url,
            upstream,
            quick_only=False,
            budget_seconds=None,
            legs=legs_at(system, conditions.legs, called),
            authority=deployed.authority,
            operations=operations_of(held_to),
            deviates=[each.clause for each in deviations],
            around=SystemStand(deployed),
        )
        held = HeldContract(results, deviations)
        seen = f" ({in_short(held.failures)})" if held.failures else ""
        deployed.refuse_ended("check", f"while it was held against the contract{seen}")
        return held


def _deviations(
    service: str, parts: Parts, contract: Contract, legs: Mapping[str, Protocol]
) -> tuple[Deviation, ...]:
    """Return what a service declares, and of those beside it what is about a clause that is held here:
    what else they declare is met where they are held themselves.
    """
    clauses = {each.clause for each in contract.checks}
    own = deviations_of([parts[service].held_to], legs)
    others = deviations_of([each.held_to for name, each in parts.items() if name != service], legs)
    met = (each for each in others if any(covers(each.clause, clause) for clause in clauses))
    return (*own, *(each for each in met if each not in own))


def legs_at(
    system: System, legs: Mapping[str, Protocol], service: str | None
) -> Mapping[str, Protocol]:
    """Return what is spoken where a service is called in place of the entry: its leg is a client's."""
    inbound = None if service is None else system.inbound_leg(service)
    return legs if inbound is None else {**legs, CLIENT_LEG: legs[inbound]}


@contextmanager
def recorded(
    system: System,
    launches: Mapping[str, Launch],
    conditions: Conditions,
    service: str | None = None,
) -> Iterator[tuple[DeployedSystem, RecordingUpstream]]:
    """Let a service stand, or the entry, with a recording upstream behind it. Raises StepFailed.

    What stands with it, and what the upstream stands in for, says `deploy/stand_ins.py`.
    """
    legs = conditions.legs
    behind = upstream_legs(system, service)
    spoken = next((legs[leg] for leg in behind if leg in legs), Protocol.H1C)
    with (
        tls_material(is_needed=any(each.is_tls for each in legs.values())) as tls,
        RecordingUpstream(spoken, tls) as upstream,
        deploy_system(
            system,
            launches,
            replace(conditions, tls=tls),
            entry=service,
            upstream_url=upstream.url,
        ) as deployed,
    ):
        yield deployed, upstream
