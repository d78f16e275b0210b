"""One question as the page shows it: its answer, its cases, and what goes beyond pairs of arms."""

from dataclasses import dataclass

from loadstone.analysis.answer_model import Answer
from loadstone.analysis.model import Analysis
from loadstone.analysis.multi_arm_model import FactorEffect, FactorialModel, Survivals
from loadstone.analysis.sentences.claims import interval_text, middle_text
from loadstone.analysis.sentences.multi_arm import median_text, share_text
from loadstone.metrics.labels import metric_label
from loadstone.report.answers.answer_view import AnswerView, answer_views
from loadstone.report.answers.places import RankedFigures
from loadstone.report.charts.picture import Picture
from loadstone.report.charts.rank_chart import rank_picture
from loadstone.report.charts.ratio_chart import ratio_picture
from loadstone.report.charts.survival_chart import survival_picture
from loadstone.report.page.shared_results import first_shown_with
from loadstone.report.tables.rank_table import RankTable, rank_tables
from loadstone.report.verdict_lines import VerdictLine
from loadstone.text import units


@dataclass(frozen=True, slots=True)
class Rows:
    """A small table."""

    title: str
    columns: tuple[str, ...]
    """The first is the heading of the rows."""
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    of_arms: bool = False
    """Whether each row is of one arm, named in its first cell."""


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """One question."""

    question: str
    view: AnswerView
    sentences: tuple[str, ...]
    """What goes beyond the answer."""
    cases: tuple[RankedFigures, ...]
    """By the primary metric, where the answer shows a matrix of them."""
    others: tuple[RankedFigures, ...]
    """By the other metrics."""
    lines: tuple[VerdictLine, ...]
    """Every comparison by every metric."""
    pair_pictures: tuple[Picture, ...]
    ranks: tuple[RankTable, ...]
    """Of all arms together; empty where the answer ranks them all."""
    rank_pictures: tuple[Picture, ...]
    tables: tuple[Rows, ...]
    """Effects of the factor, shares of variance, times to failure."""
    pictures: tuple[Picture, ...]


def question_parts(analysis: Analysis, lines: tuple[VerdictLine, ...]) -> tuple[QuestionPart, ...]:
    """Every question in the study's order; none of a simulated study, which answers nothing."""
    if analysis.simulated:
        return ()
    views = answer_views(analysis)
    return tuple(
        _part(analysis, answer, view, lines)
        for answer, view in zip(analysis.answers, views, strict=True)
    )


def _part(
    analysis: Analysis, answer: Answer, view: AnswerView, lines: tuple[VerdictLine, ...]
) -> QuestionPart:
    own = tuple(line for line in lines if line.comparison.question == answer.question)
    primary = tuple(line for line in own if line.comparison.primary)
    workloads = tuple(dict.fromkeys(line.comparison.workload for line in own))
    ranks = all_ranks(analysis, answer)
    survivals = [each for each in analysis.survivals if each.workload in workloads]
    # A matrix says of many pairs what these pictures would, in a tenth of the room.
    drawn = () if view.matrix else workloads
    ratios = (ratio_picture(analysis, workload, own) for workload in drawn)
    failures = (survival_picture(analysis, each) for each in survivals if each.rule == "stop rule")
    return QuestionPart(
        question=answer.question,
        view=view,
        sentences=answer.sentences,
        cases=view.ranked if view.matrix else (),
        others=view.others,
        lines=own,
        pair_pictures=tuple(picture for picture in ratios if picture is not None),
        ranks=ranks,
        rank_pictures=tuple(rank_picture(each) for each in ranks if _is_primary(each, primary)),
        tables=(
            *effect_tables(analysis, answer.question),
            *share_tables(analysis, answer.question),
            *map(survival_table, survivals),
        ),
        pictures=tuple(picture for picture in failures if picture is not None),
    )


def all_ranks(analysis: Analysis, answer: Answer) -> tuple[RankTable, ...]:
    """Ranks of all arms of a workload together; none where all of them differ in the question's factor
    alone, since the answer says the same.
    """
    if answer.standings and not any(each.case for each in answer.standings):
        return ()
    return rank_tables(analysis, answer.question)


def _is_primary(table: RankTable, primary: tuple[VerdictLine, ...]) -> bool:
    return any(line.comparison.metric == table.ranking.metric for line in primary)


def effect_tables(analysis: Analysis, question: str) -> tuple[Rows, ...]:
    """What the question's factor does on average over everything else: one table, or none."""
    effects = [each for each in analysis.factor_effects if each.question == question]
    if not effects:
        return ()
    return (
        Rows(
            title=f"What {effects[0].factor} does on average over the arms that differ in it alone",
            columns=("level", "baseline", "metric", "workload", "estimate", "interval", "pairs"),
            rows=tuple(map(_effect_row, effects)),
            note="Of ratios the geometric mean; the interval is over blocks.",
        ),
    )


def _effect_row(effect: FactorEffect) -> tuple[str, ...]:
    return (
        effect.other,
        effect.baseline,
        metric_label(effect.metric),
        effect.workload,
        middle_text(effect),
        f"{units.percent(effect.level)} {interval_text(effect)}",
        str(effect.pairs),
    )


def share_tables(analysis: Analysis, question: str) -> tuple[Rows, ...]:
    """How much of the variance each factor explains, a table for each workload; without those that
    an earlier question shows.
    """
    return tuple(map(_shares, first_shown_with(analysis.factorials, question)))


def _shares(model: FactorialModel) -> Rows:
    title = f"What varies {metric_label(model.metric)} under {model.workload}"
    columns = ("source", "share of the variance", "degrees of freedom", "F", "p")
    if model.reason:
        return Rows(title, columns, (), note=f"Not fitted: {model.reason}.")
    terms = tuple(
        (
            " with ".join(term.factors),
            share_text(term.share),
            str(term.degrees),
            "" if term.f_value is None else units.number(term.f_value),
            "" if term.p_value is None else units.number(term.p_value),
        )
        for term in model.terms
    )
    rest = (
        ("blocks", share_text(model.block_share or 0.0), "", "", ""),
        ("runs", share_text(model.residual_share or 0.0), str(model.residual_degrees), "", ""),
    )
    scale = "logarithms" if model.scale == "ratio" else "the values"
    caveat = f" Not everything was measured: {model.caveat}." if model.caveat else ""
    return Rows(
        title,
        columns,
        (*terms, *rest),
        note=f"Analysis of variance of {scale}. The p values are not corrected: shares describe, "
        f"comparisons tell.{caveat}",
    )


def failure_title(found: Survivals) -> str:
    """What a run failed by."""
    if found.rule == "stop rule":
        return "Times to failure"
    return "Times until the mean response time was above its limit"


def survival_table(found: Survivals) -> Rows:
    """When the runs of each arm failed, and which arms fail sooner."""
    differences = [
        f"{each.other} {each.words} than {each.baseline} (p {units.number(each.p_value)} at "
        f"{units.percent(each.level)})"
        for each in found.comparisons
        if each.words != "cannot tell"
    ]
    none = "No difference between arms is told" if found.comparisons else "No run failed"
    return Rows(
        title=f"{failure_title(found)} under {found.workload}",
        columns=("arm", "runs", "failed", "half of them"),
        rows=tuple(
            (arm.arm, str(arm.runs), str(arm.failed), median_text(arm)) for arm in found.arms
        ),
        note=f"{'; '.join(differences) or none}: log-rank tests, corrected by Holm."
        + "".join(f" Left out: {each.arm}, {each.reason}." for each in found.left_out),
        of_arms=True,
    )
