"""Answers on a terminal: the sentences, then the ranked figures, or of many cases a line each."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from loadstone.report.answers.answer_view import AnswerView
from loadstone.report.answers.places import PlaceRow, RankedFigures
from loadstone.report.terminal.text import print_indented, print_items

ROWS_AT_MOST = 12
"""Of one case, and cases of one question, that a screen takes."""
_COLOURS = {"no doubt": "green", "doubt": "yellow", "not judged": "yellow"}


def print_answer(console: Console, view: AnswerView) -> None:
    """Print one question: the answer first."""
    print_indented(console, Text(view.question, style="bold"), 0)
    print_indented(console, Text(view.first, style="bold green" if _has_first(view) else "bold"))
    for sentence in view.rest:
        print_indented(console, Text(sentence))
    if view.belief:
        print_indented(console, Text(view.belief, style=_COLOURS[view.trust]))
    if view.matrix:
        _print_cases(console, view.ranked)
    else:
        for ranked in view.ranked:
            _print_ranked(console, ranked)
    for sentence in view.further:
        print_indented(console, Text(sentence, style="dim"))
    if view.ranked:
        print_indented(console, Text("Pair by pair: loadstone compare", style="dim"))


def _has_first(view: AnswerView) -> bool:
    return any(row.is_first for ranked in view.ranked for row in ranked.rows)


def _print_ranked(console: Console, ranked: RankedFigures) -> None:
    shown = ranked.rows[:ROWS_AT_MOST]
    place, label, figure = (
        max((cell_len(text(row)) for row in shown), default=0) for text in (_place, _label, _figure)
    )
    for row in shown:
        start = Text.assemble(
            "  ",
            (f"{row.place or '–':<{place}}  {row.label:<{label}}", "bold" if row.is_first else ""),
            f"  {row.figure:>{figure}}  " if row.figure else "  ",
        )
        print_items(console, start, [row.behind])
        if row.note:
            print_indented(console, Text(f"may be better: {row.note}", style="yellow"), 6)
        if row.not_held:
            print_indented(console, Text(row.not_held, style="yellow"), 6)
    left = len(ranked.rows) - len(shown)
    if left:
        print_indented(console, Text(f"and {left:,} more, in the report", style="dim"))


def _place(row: PlaceRow) -> str:
    return row.place or "–"


def _label(row: PlaceRow) -> str:
    return row.label


def _figure(row: PlaceRow) -> str:
    return row.figure


def _print_cases(console: Console, cases: Sequence[RankedFigures]) -> None:
    """Who is first in each case, and who comes next and last."""
    for ranked in cases[:ROWS_AT_MOST]:
        first = [row.label for row in ranked.rows if row.is_first]
        others = [row for row in ranked.rows if row.place and not row.is_first]
        missing = [row.label for row in ranked.rows if not row.place]
        ends = [*others[:1], *(others[-1:] if len(others) > 1 else [])]
        print_items(
            console,
            Text(f"  {ranked.where}: "),
            [
                f"{', '.join(first)} {'best' if len(first) == 1 else 'share first place'}"
                if first
                else "nobody is told to be best",
                *(f"{row.label} {row.behind}" for row in (ends if first else [])),
                f"no place: {', '.join(missing)}" if missing else "",
            ],
        )
    left = len(cases) - ROWS_AT_MOST
    if left > 0:
        print_indented(console, Text(f"and {left:,} more, in the report", style="dim"))
