"""Answers a question, from the analysis alone: the answer first, then what goes beyond it.

The headline says who is best by the primary metric, `further` by the others. Whether to believe it
stands beside them: the gravest doubt with what to do about it, or that none was found.
"""

from collections.abc import Mapping, Sequence

from loadstone.analysis.answer_model import Answer, Trust
from loadstone.analysis.compare.comparisons import Cells
from loadstone.analysis.compare.question_results import QuestionResult
from loadstone.analysis.model import Cell, Comparison
from loadstone.analysis.multi_arm_model import Survivals
from loadstone.analysis.sentences.doubts import FindingIndex, gravest
from loadstone.analysis.sentences.headline import further, headline
from loadstone.analysis.sentences.multi_arm import (
    effect_sentences,
    failure_sentences,
    share_sentences,
)
from loadstone.analysis.sentences.not_held import not_held_in
from loadstone.analysis.sentences.standings import standing_sentences
from loadstone.analysis.sentences.warmth import unjudged_sentence
from loadstone.audit.touched_metrics import WARMTH
from loadstone.metrics.catalogue import covers
from loadstone.text.words import counted


def answer(
    result: QuestionResult, survivals: Sequence[Survivals], index: FindingIndex, cells: Cells
) -> Answer:
    """All that a question came to."""
    question = result.question
    if not result.standings:
        return Answer(
            question=question.question,
            compare=question.compare,
            headline=("Nothing is compared: no two arms differ in this factor alone.",),
        )
    names_workload = len({each.workload for each in result.standings}) > 1
    standings = tuple(
        each.model_copy(
            update={"sentences": standing_sentences(each, names_workload=names_workload)}
        )
        for each in result.standings
    )
    by_metric = [[each for each in standings if each.metric == name] for name in question.metrics]
    labels = {each.arm: each.label for own in standings for each in own.places}
    labels |= {each.arm: each.label for own in standings for each in own.no_places}
    trust, belief = _belief(result.comparisons, index, cells, labels)
    effects = [each for each in result.factor_effects if each.metric == question.metrics[0]]
    return Answer(
        question=question.question,
        compare=question.compare,
        headline=(*headline(by_metric[0]), *not_held_in(by_metric[0])),
        further=tuple(further(own) for own in by_metric[1:]),
        trust=trust,
        belief=belief,
        standings=standings,
        sentences=(
            *effect_sentences(effects),
            *share_sentences(result.factorials),
            *failure_sentences([each for each in survivals if each.workload in question.workloads]),
        ),
    )


def _belief(
    comparisons: Sequence[Comparison],
    index: FindingIndex,
    cells: Cells,
    labels: Mapping[str, str],
) -> tuple[Trust, str]:
    found = dict.fromkeys(finding for each in comparisons for finding in index.touching(each))
    if not found:
        unjudged = unjudged_sentence(
            _named(cells[arm, each.workload].cell, labels)
            for each in comparisons
            if covers(WARMTH, each.metric)
            for arm in (each.baseline, each.other)
        )
        if unjudged:
            return "not judged", unjudged
        return "no doubt", "No rule found a reason to doubt it."
    worst = gravest(found)
    return "doubt", (
        f"{counted(len(found), 'doubt')}, the gravest {worst.code} ({worst.severity.value}): "
        f"{worst.advice.rstrip('.').replace('`', '')}."
    )


def _named(cell: Cell, labels: Mapping[str, str]) -> Cell:
    """The cell under the level that the question compares, as the answer calls its arm."""
    return cell.model_copy(update={"arm": labels.get(cell.arm, cell.arm)})
