"""One run: deploy, start-up clock, check, load with probe, check, tear down, and the record of it
all.

What fails inside a run fails that run alone. Whatever was observed until then is in its record.
"""

from pathlib import Path
from typing import Literal

from loadstone.deploy.deployed_system import DeployedSystem
from loadstone.errors import Interrupted, StepFailed
from loadstone.measure.bench import Bench
from loadstone.measure.footprint import measure_footprint
from loadstone.measure.load import LoadProgress
from loadstone.measure.loaded_run import hold_quickly, load_and_check
from loadstone.measure.observed import Observed, record_of
from loadstone.measure.standing import standing
from loadstone.measure.under_test import UnderTest
from loadstone.results import folder
from loadstone.results.record import RunRecord, now_utc
from loadstone.results.write import write_text
from loadstone.study.values.model import PlannedRun, StartupWorkload


def measure_run(
    bench: Bench, planned: PlannedRun, directory: Path, load_progress: LoadProgress
) -> RunRecord:
    """Do one planned run and write its record into `directory`.

    A failed step gives a record of status failed. On Interrupted the record says so, and the
    exception goes on.
    """
    directory.mkdir(parents=True, exist_ok=True)
    observed = Observed()
    started_at = now_utc()

    def finish(
        status: Literal["completed", "failed", "interrupted"], failure: StepFailed | None = None
    ) -> RunRecord:
        record = record_of(bench, planned, observed, status, failure, started_at)
        write_text(directory / folder.RECORD, record.model_dump_json(indent=1))
        return record

    try:
        with standing(
            bench, bench.arm_of(planned), observed, directory / folder.LOGS
        ) as deployment:
            _measure(bench, planned, deployment, directory, observed, load_progress)
    except StepFailed as failure:
        return finish("failed", failure)
    except Interrupted:
        finish("interrupted")
        raise
    return finish("completed")


def _measure(
    bench: Bench,
    planned: PlannedRun,
    deployment: UnderTest,
    directory: Path,
    observed: Observed,
    load_progress: LoadProgress,
) -> None:
    """What a run does with a service that has just given its first correct response."""
    workload = bench.workload_of(planned)
    if isinstance(workload, StartupWorkload):
        hold_quickly(bench, planned, deployment, observed, "before")
        return
    if workload.kind == "footprint":
        assert isinstance(deployment, DeployedSystem), "a footprint of it is refused with its study"
        measure_footprint(bench, planned, workload, deployment, directory, observed, load_progress)
    else:
        load_and_check(bench, planned, workload, deployment, directory, observed, load_progress)
    if isinstance(deployment, DeployedSystem):
        with observed.phase("runtime_figures"):
            prepared = bench.prepared_for(bench.arm_of(planned))
            observed.see_runtimes(prepared, deployment, directory / folder.LOGS)
