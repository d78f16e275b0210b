"""Writes `docs/reference/findings.md` from what `loadstone explain` prints.

It is committed; `python -m loadstone.generate.findings_page --check` fails when it is stale.
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from loadstone.explained.catalogue import FINDINGS, OUTCOMES
from loadstone.explained.model import SEVERITIES, Explained, ExplainedFinding, Section
from loadstone.generate.committed_files import write_or_check

PAGE = Path("docs/reference/findings.md")

_OPENING = """# Findings

Generated from `python/loadstone/explained/` by `make generate`; do not edit.
`loadstone explain CODE` prints one of them.

Every reason to doubt a figure, in `findings.json`, the terminal and the report alike: a code, a
severity, what it is about, the metrics that it touches, the evidence with its numbers, and what to
do. Findings are rebuilt from the records, never stored in them. Rules are in
`python/loadstone/audit/`, one file per family; each threshold has its source there. Behind the
findings stand the [outcomes](#outcomes-of-a-request) of requests, runs, figures and questions.
"""

_SUBJECTS = """
What a finding is about stands in it as text (`scope`: `run:001-go-closed`) and in fields
(`subject`: `kind`, `results`, `run`, `arm`, `workload`, `question`). Use the fields: names may hold
hyphens, so that a run's id does not tell its arm.

A load by `bench` has no arms: what is said of placement and saturation below is said of studies
alone, but for `waits-not-on-cpu`. Of a run alone (`bench`, `audit` of a run's folder, imported
runs) warmth is judged by that run and told of it; where it cannot be judged, the reason is printed
last.
"""


def page() -> str:
    """The whole file."""
    severities = (f"- **{name}**: {meaning}." for name, meaning in SEVERITIES.items())
    sections = (line for section in (*FINDINGS, *OUTCOMES) for line in _section(section))
    return "\n".join([_OPENING, *severities, _SUBJECTS, *sections])


def _section(section: Section) -> Iterable[str]:
    yield f"## {section.title}\n"
    if section.about:
        yield f"{section.about}\n"
    is_of_findings = any(isinstance(each, ExplainedFinding) for each in section.entries)
    of_findings = ("threshold", "severity") if is_of_findings else ()
    columns = ("what it means", "why it matters", *of_findings, "what to do")
    yield f"| {'code' if is_of_findings else 'outcome'} | {' | '.join(columns)} |"
    yield f"|---|{'---|' * len(columns)}"
    yield from map(_row, section.entries)
    yield ""
    yield from (f"{paragraph}\n" for paragraph in section.behind)


def _row(each: Explained) -> str:
    told = (each.threshold, each.severities) if isinstance(each, ExplainedFinding) else ()
    return f"| {' | '.join((f'`{each.name}`', each.means, each.why, *told, each.do))} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or with `--check` say whether it is stale."""
    return write_or_check({PAGE: page()}, "loadstone.generate.findings_page", __doc__, arguments)


if __name__ == "__main__":
    sys.exit(main())
