r"""LaTeX from plain texts: what is escaped, and a `tabular` or `longtable` of it in booktabs' manner.

What is made can be `\input` into a paper that loads booktabs, and longtable where a table has many
rows. No text of ours or of strangers can be a command: every character that means something to TeX is
replaced, and so is what a plain pdfTeX has no glyph for.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

MOST_ROWS = 40
"""Of a table that is to stay on one page; more become a `longtable`."""

_REPLACED = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "`": r"{\char96}",
    # In braces: after the end of a row these two are taken for its arguments.
    "[": "{[}",
    "*": "{*}",
    "–": "--",
    "−": "$-$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "µ": r"\textmu{}",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "…": r"\ldots{}",
    "“": "``",
    "”": "''",
    "\N{REPLACEMENT CHARACTER}": r"$\diamond$",
    "\N{NO-BREAK SPACE}": " ",
}
_LIGATURES = frozenset("-',")
"""Two of these in a row become another sign."""
_ACCENTS = frozenset("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327")
"""What the kernel of LaTeX can put over or under a letter in any font encoding."""
_BEHIND_ACCENTED = 0x180
"""It knows the accented letters of Latin-1 and Latin Extended-A alone."""


@dataclass(frozen=True, slots=True)
class LatexRow:
    """One row, and smaller ones under it."""

    cells: tuple[str, ...]
    """Plain texts, to be escaped."""
    under: tuple[tuple[str, ...], ...] = ()
    """Each as long as `cells`."""


def escaped(text: str) -> str:
    """Text that TeX takes for nothing but text."""
    return "".join(
        f"{{{character}}}"
        if character == before and character in _LIGATURES
        else _escaped(character)
        for before, character in pairwise(f" {text}")
    )


def tabular(
    heading: Sequence[str], rows: Sequence[LatexRow], notes: Iterable[str] = (), texts: int = 1
) -> str:
    """A table with a line for each row; the first `texts` columns are set to the left."""
    name = "longtable" if len(rows) > MOST_ROWS else "tabular"
    columns = "l" * texts + "r" * (len(heading) - texts)
    lines = [
        "% Needs \\usepackage{booktabs}"
        + (" and \\usepackage{longtable}." * (name == "longtable") or "."),
        f"\\begin{{{name}}}{{@{{}}{columns}@{{}}}}",
        "\\toprule",
        _line(heading),
        "\\midrule",
        *(["\\endhead"] if name == "longtable" else []),
        *(line for row in rows for line in _lines(row)),
        "\\bottomrule",
        *(_note(number, note, len(heading)) for number, note in enumerate(notes, start=1)),
        f"\\end{{{name}}}",
    ]
    return "\n".join(lines) + "\n"


def _lines(row: LatexRow) -> Iterable[str]:
    yield _line(row.cells)
    for cells in row.under:
        if any(cells):
            small = (f"{{\\scriptsize {escaped(cell)}}}" if cell else "" for cell in cells)
            yield " & ".join(small) + r" \\"


def _line(cells: Sequence[str]) -> str:
    return " & ".join(map(escaped, cells)) + r" \\"


def _note(number: int, text: str, columns: int) -> str:
    width = "@{}p{0.95\\linewidth}@{}"
    note = f"{{\\footnotesize {number}: {escaped(text)}}}"
    return f"\\multicolumn{{{columns}}}{{{width}}}{note} \\\\"


def _escaped(character: str) -> str:
    if character in _REPLACED:
        return _REPLACED[character]
    if character.isascii() and character.isprintable():
        return character
    if ord(character) < _BEHIND_ACCENTED and _is_accented(character):
        return character
    return f"{{\\ttfamily U+{ord(character):04X}}}"


def _is_accented(character: str) -> bool:
    parts = unicodedata.normalize("NFD", character)
    return len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS
