"""Explanations on a terminal of any width: what a word means, why it matters, and what to do."""

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from loadstone.explained.catalogue import typed
from loadstone.explained.model import SEVERITIES, Explained, ExplainedFinding, Section
from loadstone.report.terminal.text import print_heading, print_indented
from loadstone.text.words import capitalized

_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")
_EMPHASIS = re.compile(r"\*([^*]+)\*")
_FIRST_PART = re.compile(r"[:;.] ")
_BESIDE_FROM = 60
"""Columns of a screen, below which what a word means stands under it."""


def print_explained(console: Console, found: Sequence[tuple[Section, Explained]]) -> None:
    """Print every word of one name; there is at least one."""
    for number, (section, each) in enumerate(found):
        if number:
            console.print()
        print_indented(console, Text(each.name, style="bold"), 0)
        print_indented(console, Text(section.title, style="dim"))
        for title, paragraphs in _parts(each):
            console.print(Text(title, style="bold"))
            for paragraph in paragraphs:
                print_indented(console, Text(_sentence(paragraph)))


def print_names(console: Console, sections: Sequence[Section]) -> None:
    """Print the name of every word, and in a few words what it means."""
    names = [typed(each.name) for section in sections for each in section.entries]
    width = max(map(cell_len, names))
    for number, section in enumerate(sections):
        if number:
            console.print()
        console.print(Text(section.title, style="bold"), soft_wrap=True)
        for each in section.entries:
            _print_name(console, typed(each.name), _brief(each), width)
    print_heading(console, "loadstone explain CODE says more of one")


def _parts(each: Explained) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "What it means", (f"{each.means}.",)
    yield "Why it matters", (f"{each.why}.",)
    if isinstance(each, ExplainedFinding):
        yield "From where on it is told", (f"{each.threshold}.",)
        severities = each.severities.split(", ")
        yield "How much it takes away", tuple(f"{one}: {SEVERITIES[one]}." for one in severities)
    yield "What to do", (f"{each.do}.",)


def _print_name(console: Console, name: str, brief: str, width: int) -> None:
    if console.width < _BESIDE_FROM:
        print_indented(console, Text(name))
        print_indented(console, Text(brief, style="dim"), 4)
        return
    indent = width + 4
    lines = Text(brief, style="dim").wrap(console, console.width - indent)
    for number, line in enumerate(lines):
        line.rstrip()
        start = f"  {name:<{width}}  " if number == 0 else " " * indent
        console.print(Text(start) + line, soft_wrap=True)


def _sentence(markdown: str) -> str:
    """It with a capital, but where it begins with a word of a file."""
    return _plain(markdown if markdown.startswith("`") else capitalized(markdown))


def _brief(each: Explained) -> str:
    return _FIRST_PART.split(_plain(each.means), maxsplit=1)[0].removesuffix(".")


def _plain(markdown: str) -> str:
    """Markdown as a terminal shows it: a link by its text, without marks."""
    return _EMPHASIS.sub(r"\1", _LINK.sub(r"\1", markdown)).replace("`", "")
