"""Rules on answers to the same request whose bodies differ.

A few among many are wrong, or another caller's. Where many differ it is the operation that varies, and
a wrong one cannot be told by its body, but by a length far from that of the others. And what a load
asks for again and again has one length: figures of another are not of the same work.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.answer_facts import AnswerFacts
from loadstone.results.timeline import TimelineInterval
from loadstone.results.window import WindowedRun
from loadstone.text import units
from loadstone.text.words import counted

LEAST_LENGTHS = 2.0
"""Between the mean lengths of two kinds of answers: an error and what was asked for."""
MOST_KINDS = 4
"""Of two lengths: an answer, an error, and a variant of each."""
LEAST_DIFFERENCE_BYTES = 16
"""Digits of a time or a number may come to less."""
SIZE_CHANGED_SHARE = 0.2
"""Of the bytes of an answer, that it is shorter or longer in one part of the load than in another."""
FEWEST_ANSWERS = 100
"""In each part."""
PARTS = 5
OK_SHARE = 0.99
"""Of what ended: failures have other lengths, and are told by themselves."""

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
        elif _are_of_two_lengths(answers):
            yield _two_lengths(run, name, answers)
        elif not any(each.checked for each in run.record.checks):
            # A contract says what may vary.
            yield _all_vary(run, name, answers)


def answer_size_changed(run: WindowedRun) -> Iterator[Finding]:
    """Operations whose answers became shorter or longer while the load went on."""
    whole = [each for each in run.timeline if not each.grace]
    parts = [[whole[at] for at in part] for part in np.array_split(np.arange(len(whole)), PARTS)]
    for name in run.record.operations:
        sizes = [_mean_bytes(part, name) for part in parts]
        known = [size for size in sizes if size is not None]
        if len(known) < PARTS or max(known) * (1 - SIZE_CHANGED_SHARE) <= min(known):
            continue
        yield Finding(
            code="answer-size-changed",
            severity=Severity.WARNING,
            subject=scope.run(run.record.run),
            metrics=touched_metrics.LOAD,
            evidence=f"answers to {name} had {_course(known)} at the mean, heads included, in each "
            f"fifth of the load: {units.share(1 - min(known) / max(known))} apart (at most "
            f"{units.percent(SIZE_CHANGED_SHARE)}), so that its figures are not of the same work",
            advice="look at what an answer lacks under load; where a list grows with what is stored, "
            "begin each load from the same state",
        )


def _mean_bytes(part: Sequence[TimelineInterval], operation: str) -> float | None:
    """None where too few ended, or too many not ok."""
    seen = [each.operations[operation] for each in part if operation in each.operations]
    ended = sum(sum(each.outcomes.values()) for each in seen)
    ok = sum(each.ok for each in seen)
    if ok < FEWEST_ANSWERS or ok < OK_SHARE * ended:
        return None
    received = [each.bytes_received for each in seen]
    return None if None in received else sum(filter(None, received)) / ended


def _course(sizes: Sequence[float]) -> str:
    return f"{', '.join(f'{size:,.0f}' for size in sizes[:-1])} and {sizes[-1]:,.0f} bytes"


def _are_of_two_lengths(answers: AnswerFacts) -> bool:
    lengths = sorted((float(answers.usual_bytes), answers.others_mean_bytes))
    return (
        answers.kinds <= MOST_KINDS
        and lengths[1] >= LEAST_LENGTHS * lengths[0]
        and lengths[1] - lengths[0] >= LEAST_DIFFERENCE_BYTES
    )


def _two_lengths(run: WindowedRun, name: str, answers: AnswerFacts) -> Finding:
    return Finding(
        code="answers-of-two-lengths",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.COUNTED,
        evidence=f"{counted(answers.others, 'answer')} of {answers.compared:,} to {name}, "
        f"{units.share(answers.others / answers.compared)}, had {answers.others_mean_bytes:,.0f} bytes "
        f"at the mean, the others {answers.usual_bytes:,} (at least {LEAST_LENGTHS:g} times apart): "
        "two kinds of answers to one request, and both count as ok",
        advice="see whether one of them is an error or an empty answer: check the body, with "
        "--expect-body or --expect-json of bench or a check of the workload, so that a wrong one fails",
    )


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
