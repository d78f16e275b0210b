"""Hold a system against its whole contract, as the services that were chosen for it serve it."""

from collections.abc import Mapping

from loadstone.contract.model import CheckResult, Contract
from loadstone.contract.run import run_checks
from loadstone.contract.upstream import RecordingUpstream
from loadstone.deploy.deployment import Conditions, Launch
from loadstone.deploy.standing import standing
from loadstone.study.manifest import System


def hold(
    system: System, launches: Mapping[str, Launch], contract: Contract, conditions: Conditions
) -> tuple[CheckResult, ...]:
    """Start the services with a recording upstream behind them; return the result of every check.

    `launches` are by service. Raises StepFailed when one of them does not start, or ends by itself.
    """
    with (
        RecordingUpstream() as upstream,
        standing(system, launches, conditions, upstream_url=upstream.url) as stands,
    ):
        results = run_checks(
            contract, stands.base_url, upstream, quick_only=False, budget_seconds=None
        )
        stands.refuse_ended("check", "while it was held against the contract")
        return results
