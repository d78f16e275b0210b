"""Rule on answers to the same request whose bodies differ.

A few among many are wrong, or another caller's. Where many differ it is the operation that varies, and
a wrong one cannot be told by its body.
"""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.answer_facts import AnswerFacts
from loadstone.results.window import WindowedRun
from loadstone.text import units
from loadstone.text.words import counted

VARIES_SHARE = 0.2
"""Of the answers. Bodies that hold a time, a counter or a host's name are nearly all different, or
come in a few kinds of about the same number."""


def answers_differ(run: WindowedRun) -> Iterator[Finding]:
    """Operations of which some answers had another body than the others."""
    for name, facts in run.record.operations.items():
        answers = facts.answers
        if answers is None or not answers.others:
            continue
        if answers.others < VARIES_SHARE * answers.compared:
            yield _some_differ(run, name, answers)
        elif not run.record.checks:
            # A contract says what may vary.
            yield _all_vary(run, name, answers)


def _some_differ(run: WindowedRun, name: str, answers: AnswerFacts) -> Finding:
    as_long = f", {answers.others_as_long} of them as long" if answers.others_as_long else ""
    return Finding(
        code="answers-differ",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.COUNTED,
        evidence=f"{answers.others} of {counted(answers.compared, 'answer')} to {name}, "
        f"{units.share(answers.others / answers.compared)}, had another body than the usual one of "
        f"{answers.usual_bytes} bytes{as_long}; they count as ok (an operation varies from "
        f"{units.percent(VARIES_SHARE)} on)",
        advice="see whether these were meant for somebody else: check the body, with --expect-body or "
        "--expect-json of bench or a check of the workload, so that a wrong one fails",
    )


def _all_vary(run: WindowedRun, name: str, answers: AnswerFacts) -> Finding:
    return Finding(
        code="answers-vary",
        severity=Severity.NOTE,
        subject=scope.run(run.record.run),
        metrics=(),
        evidence=f"{answers.others} of {counted(answers.compared, 'answer')} to {name}, "
        f"{units.share(answers.others / answers.compared)}, had another body than the most frequent "
        f"one: the operation varies, and wrong answers cannot be told by comparing them",
        advice="check what must stay the same, with --expect-body or --expect-json; "
        "--varying-answers compares nothing",
    )
