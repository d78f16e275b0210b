"""One run: deploy, start-up clock, check, load with probe, check, tear down, and the record of it
all.

What fails inside a run fails that run alone, be it the lab itself. Whatever was observed until then is
in its record. Only what would fail every later run as well, or a signal, goes on as an exception.
"""

from pathlib import Path
from typing import Literal

from loadstone.deploy.deployed_system import DeployedSystem
from loadstone.errors import Interrupted, RecordsUnwritable, StepFailed
from loadstone.measure.checked_load import hold_quickly, load_and_check
from loadstone.measure.footprint import measure_footprint
from loadstone.measure.loading.offer import LoadProgress
from loadstone.measure.run_context import RunContext
from loadstone.measure.run_failure import failure_of
from loadstone.measure.study_context import StudyContext
from loadstone.measure.system_under_test import SystemUnderTest, system_under_test
from loadstone.results import folder
from loadstone.results.asked import asked_facts
from loadstone.results.record import Failure, Place, RunIdentity, RunRecord, now_utc
from loadstone.results.write import write_text, writing
from loadstone.study.values.model import PlannedRun, StartupWorkload


def measure_run(
    study: StudyContext,
    planned: PlannedRun,
    place: Place,
    directory: Path,
    on_progress: LoadProgress,
) -> RunRecord:
    """Do one planned run and write its record into `directory`.

    A failed step gives a record of status failed, and so does any other error. On Interrupted the
    record says so, and the exception goes on. Raises RecordsUnwritable.
    """
    directory.mkdir(parents=True, exist_ok=True)
    run = RunContext(study, planned, place, directory, on_progress)
    started_at = now_utc()

    def finish(
        status: Literal["completed", "failed", "interrupted"], failure: Failure | None = None
    ) -> RunRecord:
        record = _record_of(run, status, failure, started_at)
        write_text(directory / folder.RECORD, record.model_dump_json(indent=1))
        return record

    try:
        with writing(directory), system_under_test(run) as system:
            _measure(run, system)
    except StepFailed as error:
        failure = Failure(step=error.step, reason=error.reason, log_tail=error.log_tail)
        return finish("failed", failure)
    except RecordsUnwritable:
        raise
    except Exception as error:
        return finish("failed", failure_of(error, run.facts.step, run.logs))
    except Interrupted:
        finish("interrupted")
        raise
    return finish("completed")


def _measure(run: RunContext, system: SystemUnderTest) -> None:
    """What a run does with a system that has just given its first correct response."""
    workload = run.workload
    if isinstance(workload, StartupWorkload):
        hold_quickly(run, system, "before")
        return
    if workload.kind == "footprint":
        assert isinstance(system, DeployedSystem), "a footprint of it is refused with its study"
        measure_footprint(run, workload, system)
    else:
        load_and_check(run, workload, system)
    if isinstance(system, DeployedSystem):
        with run.facts.phase("runtime_figures"):
            run.facts.see_runtimes(run.parts, system, run.logs)


def _record_of(
    run: RunContext,
    status: Literal["completed", "failed", "interrupted"],
    failure: Failure | None,
    started_at: str,
) -> RunRecord:
    """Return the record of a run that ends now."""
    planned, workload, facts = run.planned, run.workload, run.facts
    load = facts.load
    loading = None if isinstance(workload, StartupWorkload) else workload
    return RunRecord(
        run=RunIdentity(
            index=planned.index,
            id=planned.id,
            study=run.study.plan.study,
            arm=planned.arm,
            factors=run.arm.factors,
            settings=run.arm.settings,
            workload=planned.workload,
            block=planned.block,
            seed=planned.seed,
            site=run.place.site,
            attempt=run.place.attempt,
        ),
        kind=workload.kind,
        status=status,
        failure=failure,
        started_at=started_at,
        finished_at=now_utc(),
        phases_ns=facts.phases_ns,
        outcomes={} if load is None else load.outcomes,
        operations={} if load is None else load.operations,
        **asked_facts(workload),
        new_connections=None if loading is None else loading.new_connections,
        warmed=facts.warmed,
        load=load,
        window=facts.window,
        processes=tuple(facts.processes),
        address=facts.address,
        resources=facts.resources,
        cpus=facts.cpus,
        machine=facts.machine,
        probe=facts.probe,
        loads=facts.loads,
        network=facts.network,
        beside=facts.beside,
        first_requests=facts.first_requests,
        marks=tuple(facts.marks),
        checks=tuple(facts.checks),
        faults=facts.faults,
        not_held=run.arm.not_held,
        versions=run.study.versions,
    )
