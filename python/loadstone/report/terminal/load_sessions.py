"""The sessions of one load on a terminal: how they ended, and how long they took."""

from rich.console import Console
from rich.text import Text

from loadstone.analysis.model import RunFigure
from loadstone.report.tables.result_table import state_text
from loadstone.report.terminal.text import print_items
from loadstone.report.terminal.times import Figures
from loadstone.results.group_facts import SessionFacts
from loadstone.results.load_facts import LoadFacts
from loadstone.text import units

_LABEL = 14
_SHOWN = ("median", "p99", "max")


def print_load_sessions(console: Console, figures: Figures, load: LoadFacts) -> None:
    """Print a line for each group; nothing where nobody tells of sessions, or each is one request."""
    durations = {name: figures.get(f"session.duration.{name}") for name in _SHOWN}
    if all(each is None or each.state == "not measured" for each in durations.values()):
        return
    console.print()
    for name, facts in load.groups.items():
        label = "sessions" if len(load.groups) == 1 else name
        print_items(console, Text(f"{label:<{_LABEL - 1}} ", style="bold"), _counts(facts.sessions))
    print_items(
        console,
        Text(f"{'they took':<{_LABEL}}", style="bold"),
        [_duration(name, figure) for name, figure in durations.items() if figure is not None],
    )


def _counts(sessions: SessionFacts) -> list[str]:
    aborted = sum(sessions.aborted.values())
    return [
        f"{sessions.begun:,} begun",
        f"{sessions.finished:,} finished",
        f"{sessions.ended_early:,} of them early" if sessions.ended_early else "",
        f"{aborted:,} aborted ({units.share(aborted / sessions.begun)})" if aborted else "",
        f"{sessions.cut:,} cut" if sessions.cut else "",
    ]


def _duration(name: str, figure: RunFigure) -> str:
    return f"{name} {state_text(figure, f'session.duration.{name}')}"
