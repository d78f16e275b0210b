"""Text and tables that Markdown and HTML take for nothing else."""

from collections.abc import Iterable, Sequence

_SPECIAL = str.maketrans(
    {character: f"\\{character}" for character in "\\`*_{}[]#+|~$"}
    | {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
)
_AUTOLINKS = (("://", ":&#47;&#47;"), ("www.", "www&#46;"), ("@", "&#64;"))
"""What GitHub turns into links without any brackets."""


def escaped(text: str) -> str:
    """Text that Markdown and HTML take for nothing but text."""
    safe = text.translate(_SPECIAL)
    for sign, entity in _AUTOLINKS:
        safe = safe.replace(sign, entity)
    return safe


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterable[str]:
    """The lines of a table, every cell escaped, and an empty one behind them."""
    yield _row(heading)
    yield f"| {' | '.join(['---'] * len(heading))} |"
    yield from map(_row, rows)
    yield ""


def fold(summary: str, lines: Sequence[str]) -> Iterable[str]:
    """Lines behind one that opens them; nothing where there are none."""
    if lines:
        yield from ("<details>", f"<summary>{summary}</summary>", "", *lines, "</details>", "")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escaped, cells))} |"
