"""Defects: arms that differ in more than what is compared."""

from dataclasses import replace
from pathlib import Path

from corpus.model import Defect
from corpus.runs import same, study_of
from corpus.scenario import Scenario
from corpus.service import Service
from corpus.workloads import load
from loadstone.metrics.outcomes import Outcome
from loadstone.results.load_facts import SpokenFacts
from loadstone.results.record import RunRecord
from loadstone.results.service_facts import BuildFacts, RevisionFacts
from loadstone.study.values.model import PlannedRun

USUAL = Scenario()
_ONE_STACK = {"stack": "own", "runtime": "own"}


def connections(seed: int, strength: float, directory: Path) -> Path:
    """One arm that does not accept all connections."""
    refused = round(strength * 8)
    fewer = Scenario(service=Service(accepts=lambda user: user >= refused))
    workload = load(8, seconds=6, warm_up=1)
    return study_of(directory, seed, {"go": same(USUAL), "node": same(fewer)}, workload=workload)


def failing(seed: int, strength: float, directory: Path) -> Path:
    """One arm that fails a share of its requests, which costs it less."""

    def ends(_: float, number: float) -> Outcome:
        return Outcome.STATUS if number < strength else Outcome.OK

    failing_arm = Scenario(service=Service(ends=ends))
    workload = load(rate=60, seconds=6, warm_up=1)
    arms = {"go": same(USUAL), "node": same(failing_arm)}
    return study_of(directory, seed, arms, workload=workload)


def versions(seed: int, strength: float, directory: Path) -> Path:
    """A runtime that was updated in mid-study."""

    def arm(planned: PlannedRun, runs: int) -> Scenario:
        if planned.index <= runs * (1 - strength):
            return USUAL
        return replace(USUAL, process={"runtime_version": "2.0"})

    return study_of(directory, seed, {"go": arm, "node": arm})


def tls(seed: int, strength: float, directory: Path) -> Path:
    """One arm that agrees on another version and cipher suite."""

    def spoken(version: str, suite: str) -> Scenario:
        def told(record: RunRecord) -> RunRecord:
            assert record.load is not None
            facts = SpokenFacts(
                http="1.1",
                alpn="http/1.1",
                tls_version=version,  # type: ignore[arg-type]
                cipher_suite=suite,
            )
            summary = record.load.model_copy(update={"protocol": "h1", "spoken": facts})
            return record.model_copy(update={"load": summary})

        return Scenario(told=told)

    new = spoken("1.3", "TLS13_AES_256_GCM_SHA384")
    old = spoken("1.2", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")
    return study_of(directory, seed, {"go": same(new), "node": same(old if strength else new)})


def settings(seed: int, strength: float, directory: Path) -> Path:
    """A dependency that was started otherwise for one arm."""

    def with_delay(delay: str) -> Scenario:
        def told(record: RunRecord) -> RunRecord:
            processes = tuple(
                each.model_copy(update={"kind": "echo", "settings": {"delay": delay}})
                if each.role == "dependency"
                else each
                for each in record.processes
            )
            return record.model_copy(update={"processes": processes})

        return Scenario(told=told)

    arms = {"go": same(with_delay("0ms")), "node": same(with_delay(f"{strength:g}ms"))}
    return study_of(directory, seed, arms)


def revisions(seed: int, strength: float, directory: Path) -> Path:
    """Two revisions of one repository that are the same commit."""
    commits = ("a" * 40, "a" * 40 if strength else "b" * 40)
    labels = ("main", "branch")
    arms = {
        label: same(built_from(label, commit))
        for label, commit in zip(labels, commits, strict=True)
    }
    return study_of(directory, seed, arms)


def built_from(label: str, commit: str) -> Scenario:
    """A service that was built from a commit."""
    facts = BuildFacts(
        digest=commit,
        duration_ns=1,
        artifact_bytes=1,
        cached=True,
        revision=RevisionFacts(revision=label, commit=commit),
    )
    return Scenario(process={"build": facts, "label": label, **_ONE_STACK})


DEFECTS = (
    Defect(
        "one arm with fewer connections",
        ("connections-differ", "connections-missing"),
        (0.0, 0.25, 0.5),
        0.25,
        "share of the connections",
        connections,
        is_study=True,
    ),
    Defect(
        "one arm with more failures",
        ("failures-differ",),
        (0.0, 0.005, 0.03, 0.2),
        0.03,
        "share of the requests",
        failing,
        is_study=True,
    ),
    Defect(
        "versions changed in mid-study",
        ("versions-differ",),
        (0.0, 0.1, 0.5),
        0.5,
        "share of the runs",
        versions,
        is_study=True,
    ),
    Defect(
        "another TLS in one arm",
        ("tls-differs",),
        (0.0, 1.0),
        1.0,
        "whether it is",
        tls,
        is_study=True,
    ),
    Defect(
        "another dependency in one arm",
        ("settings-differ",),
        (0.0, 5.0),
        5.0,
        "ms of its delay",
        settings,
        is_study=True,
    ),
    Defect(
        "the same code twice",
        ("same-code",),
        (0.0, 1.0),
        1.0,
        "whether it is",
        revisions,
        is_study=True,
    ),
)
