"""Everything that one question of a study is answered by."""

from collections.abc import Sequence
from dataclasses import dataclass

from loadstone.analysis.answer_model import Standing
from loadstone.analysis.compare.bounds import NO_BOUNDS, Bounds
from loadstone.analysis.compare.comparisons import Cells, compare
from loadstone.analysis.compare.factor_effects import factor_effects
from loadstone.analysis.compare.factorials import factorials
from loadstone.analysis.compare.pairs import pairs_of
from loadstone.analysis.compare.rankings import rankings
from loadstone.analysis.compare.standings import standings
from loadstone.analysis.model import Comparison
from loadstone.analysis.multi_arm_model import FactorEffect, FactorialModel, Ranking
from loadstone.findings.model import Finding
from loadstone.study.values.model import Arm, Question


@dataclass(frozen=True)
class QuestionResult:
    """One question with its comparisons and what goes beyond pairs."""

    question: Question
    comparisons: tuple[Comparison, ...]
    findings: tuple[Finding, ...]
    standings: tuple[Standing, ...] = ()
    rankings: tuple[Ranking, ...] = ()
    factor_effects: tuple[FactorEffect, ...] = ()
    factorials: tuple[FactorialModel, ...] = ()


def cells_asked_about(question: Question, cells: Cells) -> Cells:
    """Return the cells with the figures that a question is about."""
    if question.group is None and question.operation is None:
        return cells
    return {key: cell.about(question.group, question.operation) for key, cell in cells.items()}


def arms_asked_about(
    question: Question, arms: Sequence[Arm], cells: Cells
) -> tuple[Sequence[Arm], Cells]:
    """Return the arms that a question is about, and their cells, with the figures that it is about."""
    cells = cells_asked_about(question, cells)
    if not question.where:
        return arms, cells
    about = [arm for arm in arms if question.is_about(arm.factors)]
    names = {arm.id for arm in about}
    return about, {key: cell for key, cell in cells.items() if key[0] in names}


def question_result(
    question: Question,
    arms: Sequence[Arm],
    cells: Cells,
    alpha: float,
    *,
    simulated: bool,
    bounds: Bounds = NO_BOUNDS,
) -> QuestionResult:
    """Compare the levels of a question's factor. Of a simulated study nothing is ranked or modelled."""
    arms, cells = arms_asked_about(question, arms, cells)
    pairs = pairs_of(question, arms)
    comparisons, findings = compare(question, pairs, cells, alpha)
    if simulated:
        return QuestionResult(question, comparisons, findings)
    return QuestionResult(
        question,
        comparisons,
        findings,
        standings(question, arms, cells, comparisons, bounds),
        rankings(question, cells, alpha),
        factor_effects(question, arms, pairs, cells, alpha),
        factorials(question, arms, cells),
    )
