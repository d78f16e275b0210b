"""Comparisons as a comment on a change: what the gate says, a table for each question, the doubts."""

from collections.abc import Iterable, Sequence

from loadstone.analysis.compare.compare_output import Compared
from loadstone.analysis.sentences.doubts import FindingIndex
from loadstone.errors import ExitCode
from loadstone.findings.model import Finding
from loadstone.report.finding_groups import grouped
from loadstone.report.labels import design_notes
from loadstone.report.page.markdown_text import escaped, fold, table
from loadstone.report.verdict_lines import VerdictLine, verdict_line
from loadstone.text.plain import plain, plain_model
from loadstone.text.words import capitalized, counted

COLUMNS = (
    *("verdict", "metric", "workload", "compared", "estimate", "interval", "margin"),
    *("would find", "from", "doubts"),
)
READING = (
    "*Worse* fails the gate, *cannot tell* does not: `would find` is the difference that so many runs "
    "find nine times in ten. Inside the margin a difference does not matter."
)


def render_comparisons(compared: Compared, code: ExitCode, meaning: str) -> str:
    """The whole comment; `meaning` is why `compare` ends with the code. Same arguments, same bytes."""
    compared = plain_model(compared)
    parts = (
        _opening(compared, code, meaning),
        _questions(compared),
        fold(counted(len(compared.findings), "doubt"), [*_doubts(compared.findings)]),
        fold(counted(len(compared.warnings), "warning"), [*_items(compared.warnings)]),
    )
    return "\n".join(line for part in parts for line in part)


def _opening(compared: Compared, code: ExitCode, meaning: str) -> Iterable[str]:
    yield f"### Loadstone: {'holds' if code is ExitCode.OK else 'does not hold'}"
    yield ""
    yield f"{escaped(capitalized(plain(meaning)))}."
    yield ""
    for design in compared.designs:
        whose = f"{design.results}: " if len(compared.designs) > 1 else ""
        for note in design_notes(design):
            yield escaped(whose + note)
            yield ""


def _questions(compared: Compared) -> Iterable[str]:
    index = FindingIndex(compared.findings)
    by_question: dict[str, list[VerdictLine]] = {}
    for comparison in compared.comparisons:
        line = verdict_line(comparison, index)
        by_question.setdefault(comparison.question, []).append(line)
    for question, lines in by_question.items():
        yield f"**{escaped(question)}**"
        yield ""
        yield from table(COLUMNS, map(_cells, lines))
        yield from _items(dict.fromkeys(line.reason for line in lines if line.reason))
    if by_question:
        yield READING
        yield ""


def _cells(line: VerdictLine) -> Sequence[str]:
    comparison = line.comparison
    return (
        line.words.upper() if line.tone == "worse" else line.words,
        line.metric,
        comparison.workload,
        f"{comparison.other} against {comparison.baseline}",
        line.estimate,
        line.interval,
        line.margin.removeprefix("margin "),
        line.smallest_effect,
        line.basis,
        str(line.doubts or ""),
    )


def _doubts(findings: tuple[Finding, ...]) -> Iterable[str]:
    return _items(
        f"{group.severity.value}, {group.code}, {', '.join(group.places)}: {group.evidence[0]}. "
        f"{capitalized(group.advice)}."
        for group in grouped(findings, by_arm=True)
    )


def _items(texts: Iterable[str]) -> Iterable[str]:
    """A list, and an empty line behind it; nothing where there is nothing in it."""
    lines = [f"- {escaped(text)}" for text in texts]
    return (*lines, "") if lines else ()
