"""Each rule over one run: it finds its defect, at its threshold, and nothing in a healthy run."""

import dataclasses
from pathlib import Path

import pytest

from loadstone.audit.engine.busy_generator import rate_not_achieved
from loadstone.audit.figures.arithmetic import conservation
from loadstone.audit.rules import audit_run
from loadstone.audit.service.failures import failures
from loadstone.audit.touched_metrics import LOAD
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Outcome
from loadstone.results.service_facts import AddressFacts
from loadstone.results.window import WindowedRun
from loadstone.study.values.arrivals import Rate, Stage, steady
from loadstone.study.values.model import Workload
from observed import observed
from results_builder import Behaviour, closed, rate
from simulated_load import SECOND_NS

CLOSED, RATE = closed(20), rate(100)
WITHHOLD, WARNING = Severity.WITHHOLD, Severity.WARNING


def found(directory: Path, behaviour: Behaviour, workload: Workload, code: str) -> list[Finding]:
    return [
        each for each in audit_run(observed(directory, behaviour, workload)) if each.code == code
    ]


@pytest.mark.parametrize("workload", [CLOSED, RATE], ids=["closed", "rate"])
@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour(),
        Behaviour(median_ms=2, spread=1.0),  # heavy-tailed
        Behaviour(median_ms=900, spread=0.05, lag_ms=1),  # slow but correct
        Behaviour(spread=0.0),  # all users in step
    ],
    ids=["usual", "heavy-tailed", "slow", "constant"],
)
def test_a_healthy_run_has_no_finding(
    tmp_path: Path, behaviour: Behaviour, workload: Workload
) -> None:
    assert audit_run(observed(tmp_path, behaviour, workload)) == ()


def test_a_few_failures_are_a_warning_with_their_kinds(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, Behaviour(failing_share=0.003), RATE, "failures")
    assert finding.severity == WARNING
    assert "of 1000 requests of the load were not ok" in finding.evidence
    assert "status" in finding.evidence
    assert "which status came" in finding.advice
    assert finding.scope == "run:001-go-rate"


def test_many_failures_withhold_what_is_said_of_the_others(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, Behaviour(failing_share=0.05), RATE, "failures")
    assert finding.severity == WITHHOLD
    assert set(finding.metrics) == {*LOAD}
    assert {"throughput", "response_time.*", "first_byte.*", "cpu_per_ok"} < {*LOAD}
    assert finding.evidence.endswith("more than 1 %")


def test_an_unanswered_request_is_a_warning_with_its_age(tmp_path: Path) -> None:
    # One request of 1000 takes longer than the 2 s of grace: the users are few, so it is alone.
    run = observed(tmp_path, Behaviour(hung_users=1), closed(60))
    (finding,) = [each for each in audit_run(run) if each.code == "unanswered"]
    assert finding.severity == WARNING
    assert finding.evidence.startswith("1 requests had no answer")
    assert finding.evidence.endswith("the oldest had waited 12.0 s")


def test_many_unanswered_requests_withhold(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, Behaviour(median_ms=100, hung_users=10), CLOSED, "unanswered")
    assert finding.severity == WITHHOLD


def test_requests_on_connections_that_nobody_accepted_are_told(tmp_path: Path) -> None:
    run = observed(tmp_path, Behaviour(hung_users=3), closed(60))
    load = run.load.model_copy(update={"not_accepted": 2})
    told = {each.code: each for each in audit_run(dataclasses.replace(run, load=load))}
    assert told["not-accepted"].severity == WARNING
    assert told["not-accepted"].evidence.startswith("2 of 3 requests without an answer in time")
    for nobody_looked in (0, None):
        load = run.load.model_copy(update={"not_accepted": nobody_looked})
        codes = {each.code for each in audit_run(dataclasses.replace(run, load=load))}
        assert "unanswered" in codes
        assert "not-accepted" not in codes


def test_users_that_nobody_accounts_for_withhold(tmp_path: Path) -> None:
    """100 users, 38 of them hung, 62 requests a second of 1.02 s: published with 0 % errors."""
    hung = Behaviour(median_ms=1020, spread=0.0, run_spread=0.0, lag_ms=0, hung_users=38)
    (finding,) = found(tmp_path, hung, closed(100, seconds=32, warm_up=2), "littles-law")
    assert finding.severity == WITHHOLD
    assert finding.evidence.startswith("100 users, but X (R + Z) = 6")
    assert "x (1.02" in finding.evidence
    assert "throughput" in finding.metrics


def test_the_same_users_all_answered_are_not_withheld(tmp_path: Path) -> None:
    healthy = Behaviour(median_ms=1020, spread=0.1, run_spread=0.0, lag_ms=0)
    assert not audit_run(observed(tmp_path, healthy, closed(100, seconds=32, warm_up=2)))


@pytest.mark.parametrize(
    "workload",
    [
        closed(50, think_ms=200),
        closed(8, streams=10),
        closed(ramp=(Stage(to=40, over_ns=8 * SECOND_NS), Stage(to=40, over_ns=2 * SECOND_NS))),
        closed(ramp=(Stage(to=5, over_ns=0), Stage(to=60, over_ns=10 * SECOND_NS)), warm_up=0),
        closed(ramp=(Stage(to=5, over_ns=5 * SECOND_NS), Stage(to=60, over_ns=0))),
    ],
    ids=["think time", "streams", "a ramp that is held", "a ramp to the end", "a step"],
)
def test_users_that_pause_share_connections_or_come_later_are_accounted_for(
    tmp_path: Path, workload: Workload
) -> None:
    assert not found(tmp_path, Behaviour(median_ms=50), workload, "littles-law")


@pytest.mark.parametrize(
    "workload",
    [
        closed(50, think_ms=200),
        closed(ramp=(Stage(to=50, over_ns=8 * SECOND_NS), Stage(to=50, over_ns=2 * SECOND_NS))),
    ],
    ids=["think time", "a ramp"],
)
def test_hung_users_are_missed_in_spite_of_pauses_and_ramps(
    tmp_path: Path, workload: Workload
) -> None:
    behaviour = Behaviour(median_ms=50, hung_users=20)
    (finding,) = found(tmp_path, behaviour, workload, "littles-law")
    assert finding.severity == WITHHOLD


def test_users_that_pause_need_not_fill_the_service(tmp_path: Path) -> None:
    behaviour = Behaviour(service_cpu_share=0.2)
    assert not found(tmp_path, behaviour, closed(20, think_ms=100), "service-not-saturated")


def test_a_ramped_rate_is_held_against_its_own_course(tmp_path: Path) -> None:
    """A ramp from 0 to 100 a second in 10 s starts 500 sessions, though the highest rate is 100."""
    run = change_written(observed(tmp_path, workload=RATE), 0.5)
    ramp = Rate(stages=(Stage(to=100, over_ns=10 * SECOND_NS),), connections=50)
    record = run.record.model_copy(update={"arrivals": ramp})
    assert list(rate_not_achieved(dataclasses.replace(run, record=record))) == []
    assert len(list(rate_not_achieved(run))) == 1


def test_of_poisson_arrivals_as_many_are_wanted_as_were_drawn(tmp_path: Path) -> None:
    run = observed(tmp_path, workload=RATE)
    poisson = Rate(stages=steady(110), connections=50, poisson=True)
    changed = dataclasses.replace(
        run,
        record=run.record.model_copy(update={"arrivals": poisson}),
        load=run.load.model_copy(update={"process": "poisson"}),
    )
    assert list(rate_not_achieved(changed)) == []
    assert len(list(rate_not_achieved(change_written(changed, 0.9)))) == 1


def test_littles_law_says_nothing_of_a_rate(tmp_path: Path) -> None:
    assert not found(tmp_path, Behaviour(median_ms=500), RATE, "littles-law")


@pytest.mark.parametrize(("share", "findings"), [(0.89, 0), (0.9, 1)])
def test_a_busy_engine_thread_withholds(tmp_path: Path, share: float, findings: int) -> None:
    seen = found(tmp_path, Behaviour(worker_cpu_share=share), CLOSED, "generator-saturated")
    assert [each.severity for each in seen] == [WITHHOLD] * findings


def change_written(run: WindowedRun, share: float) -> WindowedRun:
    """The run as if only a share of its requests had been written."""
    operations = {
        name: facts.model_copy(
            update={
                "outcomes": {
                    Outcome.OK: round(share * sum(facts.outcomes.values())),
                    Outcome.NOT_SENT: round((1 - share) * sum(facts.outcomes.values())),
                }
            }
        )
        for name, facts in run.record.operations.items()
    }
    record = run.record.model_copy(update={"operations": operations})
    return dataclasses.replace(run, record=record)


@pytest.mark.parametrize(("share", "findings"), [(0.995, 0), (0.98, 1)])
def test_a_rate_that_was_not_achieved_withholds(
    tmp_path: Path, share: float, findings: int
) -> None:
    run = change_written(observed(tmp_path, workload=RATE), share)
    seen = [each for each in audit_run(run) if each.code == "rate-not-achieved"]
    assert [each.severity for each in seen] == [WITHHOLD] * findings
    assert all("980 of 1000 sessions were begun: 98.0 %" in each.evidence for each in seen)


@pytest.mark.parametrize(("share", "findings"), [(0.91, 0), (0.89, 1)])
def test_closed_users_that_do_not_fill_the_service_warn(
    tmp_path: Path, share: float, findings: int
) -> None:
    behaviour = Behaviour(service_cpu_share=share)
    seen = found(tmp_path, behaviour, CLOSED, "service-not-saturated")
    assert [each.severity for each in seen] == [WARNING] * findings


def test_a_rate_need_not_fill_the_service(tmp_path: Path) -> None:
    assert not found(tmp_path, Behaviour(service_cpu_share=0.2), RATE, "service-not-saturated")


@pytest.mark.parametrize(("share", "findings"), [(0.85, 0), (0.86, 1)])
def test_a_busy_cpu_beside_the_service_warns(tmp_path: Path, share: float, findings: int) -> None:
    seen = found(tmp_path, Behaviour(bench_cpu_share=share), CLOSED, "bench-cpu-busy")
    assert [each.severity for each in seen] == [WARNING] * findings
    assert all("CPU 0" in each.evidence for each in seen)


def test_of_a_service_that_is_not_the_labs_own_no_cpu_is_known(tmp_path: Path) -> None:
    run = observed(tmp_path, Behaviour(bench_cpu_share=1.0, service_cpu_share=0.1))
    others = tuple(each for each in run.record.processes if each.role != "service")
    record = run.record.model_copy(update={"processes": others})
    assert audit_run(dataclasses.replace(run, record=record)) == ()


def running_already(seen: WindowedRun, cpus: tuple[int, ...], **changes: object) -> WindowedRun:
    """The run, as if its service had been running before it and might use these CPUs."""
    processes = tuple(
        each.model_copy(update={"cpus": cpus}) if each.role == "service" else each
        for each in seen.record.processes
    )
    address = AddressFacts(url="http://127.0.0.1:80", not_found=None)
    update = {"processes": processes, "address": address, **changes}
    return dataclasses.replace(seen, record=seen.record.model_copy(update=update))


@pytest.mark.parametrize(("cpus", "codes"), [((0, 1), ["service-not-apart"]), ((1,), [])])
def test_a_service_that_was_running_already_must_be_apart_from_the_engine(
    tmp_path: Path, cpus: tuple[int, ...], codes: list[str]
) -> None:
    findings = audit_run(running_already(observed(tmp_path), cpus))
    assert [each.code for each in findings] == codes
    assert all("taskset" in each.advice for each in findings)


def test_a_load_of_one_url_is_no_study_and_its_service_need_not_be_apart_or_busy(
    tmp_path: Path,
) -> None:
    run = observed(tmp_path, Behaviour(service_cpu_share=0.1))
    identity = run.record.run.model_copy(update={"factors": {}})
    told = audit_run(running_already(run, (0, 1), run=identity))
    assert [each.code for each in told] == ["waits-not-on-cpu"]


@pytest.mark.parametrize(("share", "findings"), [(0.10, 0), (0.11, 1)])
def test_stolen_time_warns(tmp_path: Path, share: float, findings: int) -> None:
    seen = found(tmp_path, Behaviour(steal_share=share), CLOSED, "steal")
    assert [each.severity for each in seen] == [WARNING] * findings


def test_a_broken_contract_withholds_everything(tmp_path: Path) -> None:
    clauses = tuple(f"B{number}: the body was cut" for number in range(5))
    (finding,) = found(tmp_path, Behaviour(broken_clauses=clauses), CLOSED, "contract")
    assert finding.severity == WITHHOLD
    assert "5 checks of 10 did not hold among the responses sampled under load" in finding.evidence
    assert finding.evidence.endswith("B2: the body was cut; and 2 more")
    assert {"startup", "rss_peak", "failures"} < set(finding.metrics)


def test_requests_lost_from_the_timeline_withhold(tmp_path: Path) -> None:
    run = observed(tmp_path)
    shorter = dataclasses.replace(run, timeline=run.timeline[1:])
    (finding,) = conservation(shorter)
    assert finding.severity == WITHHOLD
    assert "the timeline" in finding.evidence


def test_requests_lost_from_the_histograms_withhold(tmp_path: Path) -> None:
    run = observed(tmp_path)
    (finding,) = conservation(dataclasses.replace(run, histograms={}))
    assert "response times of ok: 0 instead of" in finding.evidence


@pytest.mark.parametrize("place", ["load", "operations"])
def test_requests_counted_twice_withhold(tmp_path: Path, place: str) -> None:
    run = observed(tmp_path)
    doubled = {outcome: 2 * count for outcome, count in run.record.outcomes.items()}
    if place == "load":
        changed = dataclasses.replace(run, load=run.load.model_copy(update={"outcomes": doubled}))
    else:
        facts = run.record.operations["echo"].model_copy(update={"outcomes": doubled})
        record = run.record.model_copy(update={"operations": {"echo": facts}})
        changed = dataclasses.replace(run, record=record)
    (finding,) = conservation(changed)
    assert finding.code == "conservation"


def test_failures_of_the_warm_up_warn_and_do_not_withhold(tmp_path: Path) -> None:
    run = observed(tmp_path, workload=RATE)
    outcomes = {**run.record.outcomes, Outcome.CONNECT: 500}
    record = run.record.model_copy(update={"outcomes": outcomes})
    (finding,) = failures(dataclasses.replace(run, record=record))
    assert finding.severity == WARNING
    assert "500 of 1500 requests of the load were not ok (500 connect)" in finding.evidence


def test_one_session_at_the_end_of_a_slow_rate_is_not_missing(tmp_path: Path) -> None:
    run = change_written(observed(tmp_path, workload=rate(5)), 0.98)
    assert sum(run.record.operations["echo"].outcomes.values()) == 50
    assert list(rate_not_achieved(run)) == []


def test_a_process_that_had_to_be_killed_is_a_note(tmp_path: Path) -> None:
    run = observed(tmp_path, workload=CLOSED)
    service, *others = run.record.processes
    killed = service.model_copy(update={"killed_after_ns": 5 * SECOND_NS})
    record = run.record.model_copy(update={"processes": (killed, *others)})
    (finding,) = audit_run(dataclasses.replace(run, record=record))
    assert (finding.code, finding.severity) == ("ignores-sigterm", Severity.NOTE)
    assert "did not end within 5.00 s of SIGTERM" in finding.evidence
