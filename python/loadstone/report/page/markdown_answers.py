"""The answers of a Markdown report: sentences, the matrix, ranked figures; pairs of arms are folded."""

from collections.abc import Callable, Iterable, Sequence

from loadstone.analysis.model import Analysis
from loadstone.report.answers.answer_view import AnswerView, answer_views
from loadstone.report.answers.matrix import Matrix
from loadstone.report.answers.places import PlaceRow, RankedFigures
from loadstone.report.labels import ANSWERS_READING
from loadstone.report.page.markdown_text import fold
from loadstone.report.page.question_part import (
    Rows,
    all_ranks,
    effect_tables,
    share_tables,
    survival_table,
)
from loadstone.report.tables.rank_table import RankTable
from loadstone.report.verdict_lines import VerdictLine

Table = Callable[[Sequence[str], Iterable[Sequence[str]]], Iterable[str]]
Escape = Callable[[str], str]


def answers(analysis: Analysis, table: Table, escaped: Escape) -> Iterable[str]:
    """Every question; nothing of a simulated study."""
    views = answer_views(analysis)
    if not views:
        return
    yield "## Answers"
    yield ""
    for view, answer in zip(views, analysis.answers, strict=True):
        yield f"### {escaped(view.question)}"
        yield ""
        yield from _sentences(view, escaped)
        if view.matrix:
            yield from _matrix(view.compare, view.matrix, table, escaped)
        else:
            for ranked in view.ranked:
                yield from _ranked(ranked, table, escaped)
        if answer.sentences:
            yield escaped(" ".join(answer.sentences))
            yield ""
        beyond = (
            *effect_tables(analysis, answer.question),
            *share_tables(analysis, answer.question),
        )
        cases = (*(view.ranked if view.matrix else ()), *view.others)
        for summary, parts in (
            ("Effects of the factors", (rows(each, table, escaped) for each in beyond)),
            ("Every case by every metric", (_ranked(each, table, escaped) for each in cases)),
            (
                "Ranks of all arms",
                (_ranks(each, table, escaped) for each in all_ranks(analysis, answer)),
            ),
        ):
            yield from fold(summary, [line for part in parts for line in part])
    for found in analysis.survivals:
        yield from rows(survival_table(found), table, escaped)
    yield ANSWERS_READING
    yield ""


def rows(found: Rows, table: Table, escaped: Escape) -> Iterable[str]:
    """A small table under its title."""
    yield f"{escaped(found.title)}. {escaped(found.note)}"
    yield ""
    if found.rows:
        yield from table(found.columns, found.rows)


def pairs(lines: Sequence[VerdictLine], table: Table) -> Iterable[str]:
    """Every comparison, folded."""
    if not lines:
        return
    yield "## Pairs of arms"
    yield ""
    compared = table(
        [
            "workload",
            "arm",
            "baseline",
            "metric",
            "verdict",
            "estimate",
            "interval",
            "margin",
            "would find",
            "better",
            "doubts",
            "reason",
        ],
        [
            [
                line.comparison.workload,
                line.comparison.other,
                line.comparison.baseline,
                line.metric,
                line.words,
                line.estimate,
                line.interval,
                line.margin.removeprefix("margin "),
                line.smallest_effect,
                line.superiority,
                str(line.doubts),
                line.remarks,
            ]
            for line in lines
        ],
    )
    yield from fold("Every comparison", [*compared])


def _sentences(view: AnswerView, escaped: Escape) -> Iterable[str]:
    yield f"**{escaped(view.first)}** {escaped(' '.join(view.rest))}".rstrip()
    yield ""
    if view.belief:
        yield f"*Believe it?* {escaped(view.belief)}"
        yield ""
    if view.further:
        yield from (f"- {escaped(sentence)}" for sentence in view.further)
        yield ""


def _matrix(compare: str, found: Matrix, table: Table, escaped: Escape) -> Iterable[str]:
    columns = f" Columns: {found.factors}." if found.factors else ""
    yield f"{escaped(found.title)}.{escaped(columns)}"
    yield ""
    yield from table(
        [compare, *found.heads],
        [[row.label, *(_cell(cell.text, cell.figure) for cell in row.cells)] for row in found.rows],
    )


def _cell(text: str, figure: str) -> str:
    return f"{text} ({figure})" if figure else text


def _ranked(ranked: RankedFigures, table: Table, escaped: Escape) -> Iterable[str]:
    yield f"{escaped(ranked.title)}:"
    yield ""
    yield from table(
        ["place", "", "figure", "", "made of"],
        [
            [
                row.place or "–",
                row.label,
                row.figure,
                _behind(row),
                row.made_of,
            ]
            for row in ranked.rows
        ],
    )


def _behind(row: PlaceRow) -> str:
    bound = row.note and f"may be better: {row.note}"
    return "; ".join(filter(None, (row.behind, bound, row.not_held)))


def _ranks(ranks: RankTable, table: Table, escaped: Escape) -> Iterable[str]:
    yield f"{escaped(ranks.title)}."
    yield ""
    yield from table(
        ["arm", "rank", "places left open", ranks.metric],
        [[row.name, row.rank or "not ranked", row.interval, row.value] for row in ranks.rows],
    )
