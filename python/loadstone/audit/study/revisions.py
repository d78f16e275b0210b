"""Rules on arms that were built from revisions of a repository: whether those are what was meant."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from loadstone.audit.study.symmetry import completed
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.read import StoredRun
from loadstone.results.record import ProcessFacts
from loadstone.results.service_facts import RevisionFacts
from loadstone.study.values.checkout import shown

Built = tuple[ProcessFacts, RevisionFacts]
"""A service's process, and what it was built from."""


def same_code(runs: Sequence[StoredRun]) -> Iterator[Finding]:
    """Levels of one service that are the same build: what tells them apart is nothing of the code."""
    codes: dict[tuple[str | None, ...], dict[str, RevisionFacts]] = defaultdict(dict)
    for process, revision in _built(runs):
        code = process.name, process.stack, process.runtime, revision.commit, revision.changes
        codes[code][process.label or process.name] = revision
    for (service, *_), labels in codes.items():
        if len(labels) < 2:
            continue
        commit = shown(next(iter(labels.values())).commit)
        yield Finding(
            code="same-code",
            severity=Severity.WARNING,
            subject=scope.STUDY,
            metrics=(),
            evidence=f"{' and '.join(labels)} of {service} are the same code {_times(len(labels))}, "
            f"commit {commit}: no difference between them is one of the code",
            advice="commit the change that is meant, or compare `git: working-tree`; to learn what "
            "the lab finds where there is nothing to find, this is right",
        )


def uncommitted_changes(runs: Sequence[StoredRun]) -> Iterator[Finding]:
    """Levels that are a commit on which changes lay that were not built."""
    left_out = {
        (process.name, process.label): revision
        for process, revision in _built(runs)
        if revision.leaves_out
    }
    for (service, label), revision in left_out.items():
        yield Finding(
            code="uncommitted-changes",
            severity=Severity.NOTE,
            subject=scope.STUDY,
            metrics=(),
            evidence=f"{label} of {service} was built from commit {shown(revision.commit)} "
            f"(`git: {revision.revision}`), and the working tree had uncommitted changes, which were "
            "left out",
            advice="commit them, or write `git: working-tree`",
        )


def _built(runs: Sequence[StoredRun]) -> Iterator[Built]:
    for record in completed(runs):
        for process in record.processes:
            revision = process.build.revision if process.build is not None else None
            if revision is not None and process.instance_of is None:
                yield process, revision


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"
