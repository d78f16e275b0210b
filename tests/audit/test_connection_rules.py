"""Rules on connections: some that are missing, and some that do not last."""

import dataclasses
from pathlib import Path

import pytest

from loadstone.audit.engine.connections import connection_churn, connections_missing
from loadstone.findings.model import Severity
from loadstone.results.window import WindowedRun
from observed import observed
from results_builder import Behaviour, closed, rate

USERS = 20


def connected(run: WindowedRun, connections: int) -> WindowedRun:
    timeline = tuple(each.model_copy(update={"connections": connections}) for each in run.timeline)
    return dataclasses.replace(run, timeline=timeline)


def opened(run: WindowedRun, connections: int, new_connections: bool | None) -> WindowedRun:
    facts = run.load.connections.model_copy(update={"opened": connections})
    return dataclasses.replace(
        run,
        load=run.load.model_copy(update={"connections": facts}),
        record=run.record.model_copy(update={"new_connections": new_connections}),
    )


@pytest.mark.parametrize(("connections", "found"), [(20, 0), (19, 0), (18, 1), (1, 1)])
def test_users_without_a_connection_withhold(tmp_path: Path, connections: int, found: int) -> None:
    run = connected(observed(tmp_path, workload=closed(USERS)), connections)
    findings = list(connections_missing(run))
    assert len(findings) == found
    assert all(each.severity == Severity.WITHHOLD for each in findings)
    assert all(f"of 20 users {connections} had" in each.evidence for each in findings)


def test_a_pool_need_not_be_full(tmp_path: Path) -> None:
    assert list(connections_missing(connected(observed(tmp_path, workload=rate(100)), 3))) == []


def test_connections_that_end_all_the_time_are_churn_and_not_missing(tmp_path: Path) -> None:
    run = observed(tmp_path, Behaviour(), closed(USERS))
    requests = sum(run.record.outcomes.values())
    churned = opened(connected(run, 12), requests, new_connections=False)
    assert list(connections_missing(churned)) == []
    (finding,) = connection_churn(churned)
    assert finding.severity == Severity.WARNING
    assert "one more for each 1 requests" in finding.evidence
    assert "keep-alive" in finding.advice


@pytest.mark.parametrize("planned", [True, None])
def test_connections_that_are_planned_or_not_known_are_no_churn(
    tmp_path: Path, planned: bool | None
) -> None:
    run = observed(tmp_path, workload=closed(USERS))
    requests = sum(run.record.outcomes.values())
    assert list(connection_churn(opened(run, requests, planned))) == []


def test_one_connection_more_for_a_thousand_requests_is_usual(tmp_path: Path) -> None:
    run = observed(tmp_path, workload=closed(USERS))
    requests = sum(run.record.outcomes.values())
    usual = opened(run, USERS + requests // 1000, new_connections=False)
    assert list(connection_churn(usual)) == []
