"""One synthetic run as the rules see it, and changes to what was observed of it."""

from pathlib import Path

from loadstone.results import folder
from loadstone.results.read import read_record
from loadstone.results.window import WindowedRun, read_windowed_run
from loadstone.study.values.model import Workload
from results_builder import Behaviour, build_results, closed


def observed(
    directory: Path, behaviour: Behaviour | None = None, workload: Workload | None = None
) -> WindowedRun:
    """The only run of a study of one arm and one block."""
    results = build_results(
        directory,
        arms={"go": behaviour or Behaviour()},
        workloads=(workload or closed(20),),
        blocks=1,
    )
    run = next((results / folder.RUNS).iterdir())
    return read_windowed_run(read_record(run / folder.RECORD), run)
