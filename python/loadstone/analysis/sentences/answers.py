"""Answers a question in one paragraph that is made from the analysis alone.

It has, in this order: the verdicts by the primary metric (counted where they are many), the other
metrics, the difference that the study would have found, factors and ranks, times to failure, and the
doubts with what to do about the gravest.
"""

from collections.abc import Iterable, Sequence
from math import inf, log

from loadstone.analysis.compare.comparisons import Cells
from loadstone.analysis.compare.question_results import QuestionResult
from loadstone.analysis.model import Answer, Comparison, Verdict
from loadstone.analysis.multi_arm_model import Survivals
from loadstone.analysis.sentences.claims import (
    interval_text,
    middle_text,
    sentence,
    smallest_effect_text,
)
from loadstone.analysis.sentences.doubts import FindingIndex, gravest
from loadstone.analysis.sentences.multi_arm import (
    effect_sentences,
    failure_sentences,
    listed,
    rank_sentences,
    share_sentences,
)
from loadstone.analysis.sentences.warmth import unjudged_sentence
from loadstone.audit.touched_metrics import WARMTH
from loadstone.metrics.catalogue import covers
from loadstone.metrics.labels import metric_label
from loadstone.text import units
from loadstone.text.words import counted

SINGLE_AT_MOST = 3
"""Verdicts that are told one by one; more of them are counted."""
_DIFFERENT = (Verdict.BETTER, Verdict.WORSE)


def answer(
    result: QuestionResult, survivals: Sequence[Survivals], index: FindingIndex, cells: Cells
) -> Answer:
    """The paragraph of one question, a sentence each."""
    metrics, workloads = result.question.metrics, result.question.workloads
    primary = [each for each in result.comparisons if each.primary]
    if not primary:
        nothing = "Nothing is compared: no two arms differ in this factor alone."
        return Answer(question=result.question.question, sentences=(nothing,))
    by_primary = [each for each in result.rankings if each.metric == metrics[0]]
    effects = [each for each in result.factor_effects if each.metric == metrics[0]]
    sentences = (
        *_verdicts(primary),
        *effect_sentences(effects),
        *_secondary([each for each in result.comparisons if not each.primary], metrics[1:]),
        *_reach(primary),
        *rank_sentences(by_primary),
        *share_sentences(result.factorials),
        *failure_sentences([each for each in survivals if each.workload in workloads]),
        _doubts(result.comparisons, index, cells),
    )
    return Answer(question=result.question.question, sentences=sentences)


def _verdicts(primary: Sequence[Comparison]) -> Iterable[str]:
    if len(primary) <= SINGLE_AT_MOST:
        return map(sentence, primary)
    label, margin = metric_label(primary[0].metric), units.percent(primary[0].margin)
    different = [each for each in primary if each.verdict in _DIFFERENT]
    equivalent = sum(each.verdict is Verdict.EQUIVALENT for each in primary)
    untold = len(primary) - len(different) - equivalent
    kinds = [
        f"{_number(len(different))} of {_pairs(primary)} "
        f"{'differs' if len(different) <= 1 else 'differ'}",
        f"{equivalent} {_are(equivalent)} equivalent within {margin}" if equivalent else "",
        f"{untold} {_are(untold)} not told" if untold else "",
    ]
    counts = f"By {label} {listed([kind for kind in kinds if kind])}."
    if not different:
        return [counts]
    return [counts, f"The largest difference: {_lower(sentence(max(different, key=_size)))}"]


def _pairs(compared: Sequence[Comparison]) -> str:
    workloads = len({each.workload for each in compared})
    return counted(len(compared), "pair" if workloads == 1 else "comparison")


def _number(number: int) -> str:
    return f"{number:,}" if number else "none"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _lower(text: str) -> str:
    return text.replace("Cannot tell", "cannot tell", 1)


def _size(comparison: Comparison) -> float:
    estimate = comparison.estimate or 0.0
    if comparison.scale == "difference":
        return abs(estimate)
    return abs(log(estimate)) if estimate > 0 else inf


def _secondary(compared: Sequence[Comparison], metrics: Sequence[str]) -> Iterable[str]:
    clauses = []
    for name in metrics:
        own = [each for each in compared if each.metric == name]
        if len(own) == 1:
            clauses.append(_clause(own[0]))
        elif own:
            different = sum(each.verdict in _DIFFERENT for each in own)
            alike = sum(each.verdict is Verdict.EQUIVALENT for each in own)
            equal = f" and {alike} {_are(alike)} equivalent" if alike else ""
            clauses.append(
                f"by {metric_label(name)} {_number(different)} of {_pairs(own)} "
                f"{'differs' if different <= 1 else 'differ'}{equal}"
            )
    if clauses:
        text = "; ".join(clauses)
        yield f"{text[0].upper()}{text[1:]}."


def _clause(comparison: Comparison) -> str:
    label = metric_label(comparison.metric)
    figures = f"{middle_text(comparison)} {interval_text(comparison)}".strip()
    if comparison.verdict is Verdict.CANNOT_TELL:
        why = figures or comparison.reason
        return f"by {label} they cannot be told apart ({why})"
    if comparison.verdict is Verdict.EQUIVALENT:
        return f"by {label} they are equivalent ({figures})"
    return f"by {label} {comparison.other} is {comparison.words} ({figures})"


def _reach(primary: Sequence[Comparison]) -> Iterable[str]:
    """The difference that would have been found: of several the largest, which holds for all."""
    untold = [
        each
        for each in primary
        if each.verdict is Verdict.CANNOT_TELL and each.smallest_effect is not None
    ]
    if untold:
        largest = max(untold, key=lambda each: each.smallest_effect or 0.0)
        where = "" if len(primary) == 1 else "Where nothing is told, a"
        yield (
            f"{where or 'A'} difference of {smallest_effect_text(largest)} or more would probably have "
            "been found (90 % power at the spread seen)."
        )


def _doubts(comparisons: Sequence[Comparison], index: FindingIndex, cells: Cells) -> str:
    found = dict.fromkeys(finding for each in comparisons for finding in index.touching(each))
    if not found:
        unjudged = unjudged_sentence(
            cells[arm, each.workload].cell
            for each in comparisons
            if covers(WARMTH, each.metric)
            for arm in (each.baseline, each.other)
        )
        return unjudged or "No rule found a reason to doubt it."
    worst = gravest(found)
    return (
        f"{counted(len(found), 'doubt')}, the gravest {worst.code} ({worst.severity.value}): "
        f"{worst.advice.rstrip('.')}."
    )
