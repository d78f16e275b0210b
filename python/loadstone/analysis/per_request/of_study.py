"""Every pair of arms that a study's questions compare, by single requests and by runs."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from loadstone.analysis.cells.examine import examine
from loadstone.analysis.cells.parallel_cells import OnRead, unseen
from loadstone.analysis.compare.comparisons import Cells, compare
from loadstone.analysis.compare.one_folder import not_run_in, refuse_simulated, withheld_in
from loadstone.analysis.compare.pairs import pairs_of
from loadstone.analysis.compare.question_results import cells_asked_about
from loadstone.analysis.model import Comparison
from loadstone.analysis.per_request.beside import beside
from loadstone.analysis.per_request.by_block import by_block
from loadstone.analysis.per_request.by_runs import METRIC
from loadstone.analysis.per_request.output import AsPublished
from loadstone.analysis.per_request_model import PerRequestComparison
from loadstone.errors import InputError
from loadstone.results import folder
from loadstone.results.read import StoredRun, read_results
from loadstone.stats.comparison.adaptive import alpha_of
from loadstone.study.values.model import Plan, Question


def as_published_study(results: Path, on_read: OnRead = unseen) -> AsPublished:
    """Compare the arms of a stored study, whether or not it asks for it.

    `InputError` for simulated results, for those without a load, and for those that cannot be read.
    """
    examined = examine(results, on_read=on_read)
    refuse_simulated(examined, results)
    plan, cells = examined.plan, examined.cells
    compared = [*_compared(plan, cells, alpha_of(plan.looks))]
    if not compared:
        raise InputError(
            "no question is about arms under a workload of kind load, so there are no requests to "
            "compare",
            path=results / folder.PLAN,
            remedy="give results of a study of a load",
        )
    comparisons = tuple(comparison for _, comparison in compared)
    return AsPublished(
        comparisons=_beside(compared, read_results(results).runs),
        findings=examined.findings,
        withheld=withheld_in(comparisons, cells),
        not_run=not_run_in(comparisons, cells),
    )


def per_request(
    plan: Plan, runs: Sequence[StoredRun], cells: Cells, alpha: float
) -> tuple[PerRequestComparison, ...]:
    """Compare under every workload of kind load. Empty where there is none.

    `runs` are those that the study needed, `cells` their figures, `alpha` is the chance of a false
    difference that each question's family of comparisons by runs may have. `InputError` for what
    cannot be read.
    """
    return _beside([*_compared(plan, cells, alpha)], runs)


def _compared(plan: Plan, cells: Cells, alpha: float) -> Iterator[tuple[Question, Comparison]]:
    """The lab's comparisons of each question, by `METRIC` in the place of its own metrics."""
    loads = {each.workload for each in plan.workloads if each.kind == "load"}
    for own in plan.questions:
        workloads = tuple(name for name in own.workloads if name in loads)
        question = own.model_copy(update={"metrics": (METRIC,), "workloads": workloads})
        pairs = pairs_of(question, plan.arms)
        for comparison in compare(question, pairs, cells_asked_about(question, cells), alpha)[0]:
            yield question, comparison


def _beside(
    compared: Sequence[tuple[Question, Comparison]], runs: Sequence[StoredRun]
) -> tuple[PerRequestComparison, ...]:
    """The same pairs by single requests, each beside its comparison."""
    stored: dict[str, dict[str, dict[int, StoredRun]]] = {}
    for run in runs:
        of_arms = stored.setdefault(run.planned.workload, {})
        of_arms.setdefault(run.planned.arm, {})[run.planned.block] = run
    together: dict[tuple[str, str], tuple[Question, list[Comparison]]] = {}
    for question, comparison in compared:
        key = question.question, comparison.workload
        together.setdefault(key, (question, []))[1].append(comparison)
    return tuple(
        found
        for (_, workload), (question, comparisons) in together.items()
        for found in _of_workload(question, comparisons, stored.get(workload, {}))
    )


def _of_workload(
    question: Question,
    comparisons: Sequence[Comparison],
    runs: dict[str, dict[int, StoredRun]],
) -> Iterator[PerRequestComparison]:
    pairs = [(each.baseline, each.other) for each in comparisons]
    tests = by_block(pairs, runs, question.group, question.operation)
    for comparison, pair in zip(comparisons, pairs, strict=True):
        yield beside(comparison, tests[pair])
