"""Hold a system against its whole contract, as the services that were chosen for it serve it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from loadstone.contract.model import CheckResult, Contract
from loadstone.contract.run import in_short, run_checks
from loadstone.contract.upstream import RecordingUpstream
from loadstone.deploy.deployed_system import DeployedSystem, deploy_system
from loadstone.deploy.deployment import Conditions, Launch
from loadstone.machine.tls_material import tls_material
from loadstone.measure.prepared import Prepared, deviations_of, operations_of
from loadstone.study.values.manifest import System
from loadstone.study.values.model import Protocol


def hold(
    system: System, parts: Mapping[str, Prepared], contract: Contract, conditions: Conditions
) -> tuple[CheckResult, ...]:
    """Start the services with a recording upstream behind them; return the result of every check.

    `parts` are by service. Raises StepFailed when one of them does not start, or ends by itself.
    """
    launches = {name: each.launch for name, each in parts.items()}
    with recorded(system, launches, conditions) as (stands, upstream):
        results = run_checks(
            contract,
            stands.base_url,
            upstream,
            quick_only=False,
            budget_seconds=None,
            legs=conditions.legs,
            authority=stands.authority,
            operations=operations_of(parts),
            deviates=[each.clause for each in deviations_of(parts, conditions.legs)],
        )
        failed = [f"{each.clause}: {each.message}" for each in results if each.state == "failed"]
        seen = f" ({in_short(failed)})" if failed else ""
        stands.refuse_ended("check", f"while it was held against the contract{seen}")
        return results


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
        ) as stands,
    ):
        yield stands, upstream
