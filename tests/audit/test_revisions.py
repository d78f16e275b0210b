"""Arms that are one commit twice are told, and so are changes that a commit leaves out."""

from pathlib import Path

import pytest
from stored_arms import changed, process_with, stored

from loadstone.audit.study.revisions import same_code, uncommitted_changes
from loadstone.findings.model import Severity
from loadstone.results.read import StoredRun
from loadstone.results.service_facts import BuildFacts, RevisionFacts

COMMIT, OTHER = "a1" * 20, "b2" * 20


def from_revisions(directory: Path, go: RevisionFacts, node: RevisionFacts) -> list[StoredRun]:
    """Runs of two arms that are two revisions of one stack."""
    runs = stored(directory)
    for arm, label, revision in (("go", "main", go), ("node", "branch", node)):
        build = BuildFacts(
            digest="0" * 64, duration_ns=1, artifact_bytes=1, cached=True, revision=revision
        )
        facts = {"build": build, "label": label, "stack": "api", "runtime": "go"}
        runs = changed(runs, process_with("gateway", **facts), arm)
    return runs


def revision(
    commit: str = COMMIT, *, changes: str | None = None, leaves_out: bool = False
) -> RevisionFacts:
    return RevisionFacts(revision="x", commit=commit, changes=changes, leaves_out=leaves_out)


@pytest.mark.parametrize(
    ("node", "is_same"),
    [
        (revision(), True),
        (revision(leaves_out=True), True),
        (revision(OTHER), False),
        (revision(changes="c" * 64), False),
    ],
    ids=["the commit", "with changes left out", "another commit", "with changes"],
)
def test_one_commit_under_two_labels_is_told(
    tmp_path: Path, node: RevisionFacts, is_same: bool
) -> None:
    found = list(same_code(from_revisions(tmp_path, revision(), node)))
    assert len(found) == is_same
    for finding in found:
        assert (finding.code, finding.severity) == ("same-code", Severity.WARNING)
        assert finding.scope == "study"
        assert "main and branch of gateway are the same code twice" in finding.evidence
        assert f"commit {COMMIT[:12]}:" in finding.evidence


def test_two_runtimes_of_one_commit_are_what_is_compared(tmp_path: Path) -> None:
    runs = from_revisions(tmp_path, revision(), revision())
    assert list(same_code(changed(runs, process_with("gateway", runtime="go-2")))) == []


def test_a_stack_in_its_folder_under_two_labels_is_meant(tmp_path: Path) -> None:
    assert list(same_code(stored(tmp_path))) == []


def test_changes_that_a_commit_leaves_out_are_told_once(tmp_path: Path) -> None:
    assert list(uncommitted_changes(from_revisions(tmp_path, revision(), revision(OTHER)))) == []
    runs = from_revisions(tmp_path / "dirty", revision(), revision(OTHER, leaves_out=True))
    (finding,) = uncommitted_changes(runs)
    assert (finding.code, finding.severity) == ("uncommitted-changes", Severity.NOTE)
    assert finding.evidence.startswith(f"branch of gateway was built from commit {OTHER[:12]}")
