"""Two runs, or files of another tool, that are given by themselves: by single requests alone.

That is all the procedure asks for. The lab's answer is that one run a side answers nothing.
"""

from pathlib import Path

from loadstone.analysis.compare.two_folders import names_of
from loadstone.analysis.per_request.by_runs import METRIC, of_two_runs
from loadstone.analysis.per_request.described import described, too_few
from loadstone.analysis.per_request.one_run import OneRun, read_one_run
from loadstone.analysis.per_request.output import AsPublished
from loadstone.analysis.per_request.request_test import request_test
from loadstone.analysis.per_request_model import PerRequestComparison
from loadstone.errors import InputError
from loadstone.importers.interface import Progress


def as_published_runs(first: Path, second: Path, on_progress: Progress) -> AsPublished:
    """Compare the second with the first. `InputError` as of `read_one_run`, and for few requests."""
    if first.resolve() == second.resolve():
        raise InputError("both runs are the same", path=second, remedy="give two runs")
    names = names_of(first, second)
    runs = [read_one_run(path, on_progress) for path in (first, second)]
    for run in runs:
        if reason := too_few(run.times):
            raise InputError(f"has {reason}", path=run.path, remedy="give a run with more of them")
    baseline, other = (described(run.times, name) for run, name in zip(runs, names, strict=True))
    withheld = tuple(_withheld(run, name) for run, name in zip(runs, names, strict=True))
    reasons = tuple(each for each in withheld if each)
    return AsPublished(
        comparisons=(
            PerRequestComparison(
                baseline=names[0],
                other=names[1],
                tests=(request_test(baseline, other),),
                by_runs=of_two_runs(*reasons),
            ),
        ),
        findings=tuple(finding for run in runs for finding in run.findings),
        withheld=reasons,
    )


def _withheld(run: OneRun, name: str) -> str:
    return f"{METRIC} of {name}: {run.withheld}" if run.withheld else ""
