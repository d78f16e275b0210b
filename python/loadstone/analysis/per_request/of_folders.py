"""The arms of two results folders, by single requests and by runs: the first folder is the baseline.

Runs of two folders share no block. But the procedure asks for one run a side and nothing more, so it is
shown for those of equal number: the first of each, the second of each, and so on.
"""

from pathlib import Path

from loadstone.analysis.cells.parallel_cells import OnRead, unseen
from loadstone.analysis.compare.two_folders import arm_of, compare_folders, names_of, shared_arms
from loadstone.analysis.per_request.beside import beside
from loadstone.analysis.per_request.by_block import by_block
from loadstone.analysis.per_request.by_runs import METRIC
from loadstone.analysis.per_request.output import AsPublished
from loadstone.results.read import Results, StoredRun, read_results


def as_published_folders(first: Path, second: Path, on_read: OnRead = unseen) -> AsPublished:
    """Compare each arm of the second folder with the same of the first, under the shared workloads.

    `InputError` as of `compare_folders`.
    """
    compared = compare_folders(first, second, metric=METRIC, on_read=on_read)
    folders = read_results(first), read_results(second)
    arms = shared_arms(folders[0].plan.arms, folders[1].plan.arms, first, second)
    names = names_of(first, second)
    ids = {
        arm_of(arm.id, name): (results, arm.id)
        for name, results, column in zip(names, folders, zip(*arms, strict=True), strict=True)
        for arm in column
    }
    found = []
    for comparison in compared.comparisons:
        pair = comparison.baseline, comparison.other
        runs = {name: _runs(*ids[name], comparison.workload) for name in pair}
        found.append(beside(comparison, by_block([pair], runs)[pair]))
    return AsPublished(
        comparisons=tuple(found),
        findings=compared.findings,
        withheld=compared.withheld,
        not_run=compared.not_run,
        warnings=compared.warnings,
    )


def _runs(results: Results, arm: str, workload: str) -> dict[int, StoredRun]:
    """The runs of an arm under a workload, by block."""
    return {
        run.planned.block: run
        for run in results.runs
        if (run.planned.arm, run.planned.workload) == (arm, workload)
    }
