"""Every pair of arms that a study's questions or claims compare, by single requests and by runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from loadstone.analysis.cells.examine import examine
from loadstone.analysis.cells.parallel_cells import OnRead, unseen
from loadstone.analysis.compare.comparisons import Cells, compare
from loadstone.analysis.compare.one_folder import not_run_in, refuse_simulated, withheld_in
from loadstone.analysis.compare.pairs import Pair, pairs_of
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
from loadstone.study.values.claim import Claim
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
            "no question or claim is about arms under a workload of kind load, so there are no "
            "requests to compare",
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
    """The lab's comparisons of each question, by `METRIC` in the place of its own metrics; then those
    of the claims about times whose arms no question has compared.
    """
    loads = {each.workload for each in plan.workloads if each.kind == "load"}
    seen: set[_Compared] = set()
    for own in plan.questions:
        workloads = tuple(name for name in own.workloads if name in loads)
        question = own.model_copy(update={"metrics": (METRIC,), "workloads": workloads})
        pairs = pairs_of(question, plan.arms)
        for comparison in compare(question, pairs, cells_asked_about(question, cells), alpha)[0]:
            seen.add(_Compared.of(comparison))
            yield question, comparison
    for question, pairs in _of_claims(plan, loads, seen):
        for comparison in compare(question, pairs, cells_asked_about(question, cells), alpha)[0]:
            yield question, comparison


@dataclass(frozen=True)
class _Compared:
    """Two arms, whichever is the baseline, and the requests by which they are compared."""

    arms: frozenset[str]
    workload: str
    group: str | None
    operation: str | None

    @classmethod
    def of(cls, each: Comparison) -> Self:
        arms = frozenset((each.baseline, each.other))
        return cls(arms, each.workload, each.group, each.operation)


def _of_claims(
    plan: Plan, loads: set[str], seen: set[_Compared]
) -> Iterator[tuple[Question, tuple[Pair, ...]]]:
    """The claims about times of requests: those of the same requests are one family."""
    families: dict[tuple[str, str | None, str | None], dict[Pair, Claim]] = {}
    for claim in plan.claims:
        of = claim.workload, claim.group, claim.operation
        key = _Compared(frozenset((claim.of, claim.against)), *of)
        is_of_times = claim.metric.startswith(("response_time.", "service_time."))
        if is_of_times and claim.workload in loads and key not in seen:
            seen.add(key)
            families.setdefault(of, {})[claim.against, claim.of] = claim
    for (workload, group, operation), pairs in families.items():
        claims = [*pairs.values()]
        yield (
            Question(
                question="; ".join(claim.claim for claim in claims),
                compare="arm",
                metrics=(METRIC,),
                margin=min(claim.margin for claim in claims),
                workloads=(workload,),
                group=group,
                operation=operation,
            ),
            tuple(pairs),
        )


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
