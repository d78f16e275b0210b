"""Hold a system against its whole contract, as the parts that were chosen for it serve it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from loadstone.contract.model import CheckResult, Contract
from loadstone.contract.run import in_short, run_checks
from loadstone.contract.upstream import RecordingUpstream
from loadstone.deploy.deployed_system import DeployedSystem, deploy_system
from loadstone.deploy.deployment import Conditions, Launch
from loadstone.errors import ExitCode
from loadstone.machine.tls_material import tls_material
from loadstone.measure.prepare.prepared import Parts, contract_of, deviations_of, operations_of
from loadstone.study.values.manifest import Deviation, System
from loadstone.study.values.model import Protocol


@dataclass(frozen=True)
class HeldContract:
    """What became of every check, and what the parts declare to do otherwise."""

    results: tuple[CheckResult, ...]
    deviations: tuple[Deviation, ...] = ()
    """Those over the legs that were spoken."""

    def of_state(self, state: str) -> tuple[CheckResult, ...]:
        """Return the checks that ended so."""
        return tuple(each for each in self.results if each.state == state)

    @property
    def failures(self) -> tuple[str, ...]:
        """`CLAUSE: what was seen` for each check that failed."""
        return tuple(f"{each.clause}: {each.message}" for each in self.of_state("failed"))

    @property
    def needless(self) -> tuple[Deviation, ...]:
        """Declared deviations that no check met: the service holds their clauses."""
        met = {each.clause for each in (*self.of_state("deviates"), *self.of_state("error"))}
        return tuple(each for each in self.deviations if each.clause not in met)

    @property
    def exit_code(self) -> ExitCode:
        """Whether it holds: no check failed, and nothing is declared that is not so.

        A check that is broken itself could not be held.
        """
        if self.of_state("error"):
            return ExitCode.COULD_NOT_RUN
        return ExitCode.DOES_NOT_HOLD if self.failures or self.needless else ExitCode.OK


def hold(system: System, parts: Parts, contract: Contract, conditions: Conditions) -> HeldContract:
    """Start the parts with a recording upstream behind them, and hold every check.

    Raises StepFailed when one of them does not start, or ends by itself.
    """
    launches = {name: each.launch for name, each in parts.items()}
    deviations = deviations_of(parts, conditions.legs)
    with recorded(system, launches, conditions) as (deployed, upstream):
        results = run_checks(
            contract_of(contract, parts),
            deployed.base_url,
            upstream,
            quick_only=False,
            budget_seconds=None,
            legs=conditions.legs,
            authority=deployed.authority,
            operations=operations_of(parts),
            deviates=[each.clause for each in deviations],
        )
        held = HeldContract(results, deviations)
        seen = f" ({in_short(held.failures)})" if held.failures else ""
        deployed.refuse_ended("check", f"while it was held against the contract{seen}")
        return held


@contextmanager
def recorded(
    system: System, launches: Mapping[str, Launch], conditions: Conditions
) -> Iterator[tuple[DeployedSystem, RecordingUpstream]]:
    """Let the services stand with a recording upstream behind them. Raises StepFailed."""
    legs = [system.leg_to(name) for name in system.dependencies]
    spoken = next((conditions.legs[leg] for leg in legs if leg is not None), Protocol.H1C)
    with (
        tls_material(is_needed=any(each.is_tls for each in conditions.legs.values())) as tls,
        RecordingUpstream(spoken, tls) as upstream,
        deploy_system(
            system, launches, replace(conditions, tls=tls), upstream_url=upstream.url
        ) as deployed,
    ):
        yield deployed, upstream
