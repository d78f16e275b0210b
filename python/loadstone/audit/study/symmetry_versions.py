"""Rule on versions: what a study ran on must be the same from its first run to its last."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from loadstone.audit.study.symmetry import completed, values_text
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.read import StoredRun
from loadstone.results.record import RunRecord

_DIGEST_DIGITS = 12
"""Of a build's digest, enough to tell two apart by eye."""


def versions_differ(runs: Sequence[StoredRun]) -> Iterator[Finding]:
    """Tools, runtimes, dependencies and builds of an arm that changed between runs."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for record in completed(runs):
        for what, version in _versions(record).items():
            found[what][version].append(record.run.id)
    for what, versions in found.items():
        if len(versions) > 1:
            yield Finding(
                code="versions-differ",
                severity=Severity.WARNING,
                subject=scope.STUDY,
                metrics=(),
                evidence=f"{what} was not the same in all runs: {values_text(versions)}",
                advice="do the study again with one version of everything; or give the versions labels "
                "of their own, and compare them",
            )


def _versions(record: RunRecord) -> dict[str, str]:
    """What one run ran on, by a name that is the same in all runs that must agree."""
    found = dict(record.versions)
    if record.load is not None and record.load.engine is not None:
        found["the engine"] = record.load.engine.version
    for process in record.processes:
        if process.runtime is not None and process.runtime_version is not None:
            found[f"runtime {process.runtime}"] = process.runtime_version
        if process.build is not None and process.instance_of is None:
            of = f"build of {process.name} of {record.run.arm}"
            found[of] = process.build.digest[:_DIGEST_DIGITS]
        if process.kind is not None and "version" in process.settings:
            found[f"dependency {process.name}"] = process.settings["version"]
    return found
