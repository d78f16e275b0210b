"""Arms that differ in more than their factors are found, and factors and chance are not."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import pytest
from stored_arms import Change, changed, process_with, stored

from loadstone.audit.dependency.dependency_use import dependency_skipped
from loadstone.audit.rules import STUDY_RULES
from loadstone.audit.study.symmetry_connections import connections_differ, tls_differs
from loadstone.audit.study.symmetry_failures import failures_differ
from loadstone.audit.study.symmetry_settings import settings_differ
from loadstone.audit.study.symmetry_versions import versions_differ
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Outcome
from loadstone.results.load_facts import LoadFacts, SpokenFacts
from loadstone.results.read import StoredRun
from loadstone.results.record import RunRecord
from loadstone.results.service_facts import ConfinementFacts
from results_builder import rate


def last_changed(runs: Sequence[StoredRun], change: Change) -> list[StoredRun]:
    """The runs with another record of the last one."""
    *others, last = runs
    assert last.record is not None
    return [*others, dataclasses.replace(last, record=change(last.record))]


def load_with(**facts: object) -> Change:
    def change(record: RunRecord) -> RunRecord:
        assert record.load is not None
        return record.model_copy(update={"load": record.load.model_copy(update=facts)})

    return change


def connections_with(**facts: object) -> Change:
    def change(record: RunRecord) -> RunRecord:
        assert record.load is not None
        connections = record.load.connections.model_copy(update=facts)
        return load_with(connections=connections)(record)

    return change


def confined(memory_bytes: int | None) -> ConfinementFacts:
    return ConfinementFacts(isolation="cgroup v2", cpus=None, memory_bytes=memory_bytes)


def with_factor(factor: str, level: str) -> Change:
    def change(record: RunRecord) -> RunRecord:
        factors = record.run.factors | {factor: level}
        return record.model_copy(update={"run": record.run.model_copy(update={"factors": factors})})

    return change


def only(findings: list[Finding], code: str) -> Finding:
    (finding,) = findings
    assert (finding.code, finding.severity) == (code, Severity.WARNING)
    return finding


def test_arms_that_differ_in_their_factor_alone_have_no_finding(tmp_path: Path) -> None:
    runs = stored(tmp_path, blocks=6)
    codes = {finding.code for rule in STUDY_RULES for finding in rule(runs)}
    assert codes == {"short-run"}


def failing(failed: int) -> Change:
    """So many of 10 000 requests that were not ok."""
    outcomes = {Outcome.OK: 10_000 - failed, Outcome.STATUS: failed}
    return lambda record: record.model_copy(update={"outcomes": outcomes})


@pytest.mark.parametrize(
    ("go", "node", "findings"),
    [(0, 0, 0), (10, 0, 0), (11, 0, 1), (100, 80, 0), (100, 60, 1), (500, 500, 0)],
    ids=["none", "one in 1000", "more", "chance", "no chance", "equally many"],
)
def test_failures_of_one_arm_beyond_chance_and_one_in_1000_are_told(
    tmp_path: Path, go: int, node: int, findings: int
) -> None:
    runs = changed(stored(tmp_path, blocks=1), failing(go))
    seen = list(failures_differ(changed(runs, failing(node), "node")))
    assert len(seen) == findings
    for finding in seen:
        assert finding.scope == "arm:go/rate"
        assert "they did not carry the same load" in only(seen, "failures-differ").evidence


def test_a_tool_of_another_version_in_one_run_is_told(tmp_path: Path) -> None:
    versions = {"openssl": "3.0"}
    runs = [*changed(stored(tmp_path), lambda each: each.model_copy(update={"versions": versions}))]
    assert list(versions_differ(runs)) == []
    newer = {"versions": {"openssl": "3.1"}}
    differing = last_changed(runs, lambda each: each.model_copy(update=newer))
    finding = only(list(versions_differ(differing)), "versions-differ")
    assert finding.scope == "study"
    assert "openssl was not the same in all runs: 3.0 (" in finding.evidence


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (process_with("gateway", runtime_version="9.9"), "runtime "),
        (
            lambda record: load_with(
                engine=record.load.engine.model_copy(update={"version": "9.9"})
            )(record),
            "the engine was not the same",
        ),
    ],
    ids=["runtime", "engine"],
)
def test_a_runtime_or_an_engine_that_changed_in_mid_study_is_told(
    tmp_path: Path, change: Change, words: str
) -> None:
    finding = only(list(versions_differ(last_changed(stored(tmp_path), change))), "versions-differ")
    assert words in finding.evidence
    assert "9.9 (004-" in finding.evidence


def test_a_build_and_a_dependency_that_changed_in_mid_study_are_told(tmp_path: Path) -> None:
    runs = stored(tmp_path)
    build = next(each.build for each in runs[0].record.processes if each.build)
    rebuilt = process_with("gateway", build=build.model_copy(update={"digest": "a" * 64}))
    assert "build of gateway of " in (
        only(list(versions_differ(last_changed(runs, rebuilt))), "versions-differ").evidence
    )
    old = [
        each
        for arm in ("go", "node")
        for each in changed(
            [run for run in runs if run.planned.arm == arm],
            process_with("backend", kind="postgresql", settings={"version": "16.1"}),
            arm,
        )
    ]
    new = process_with("backend", kind="postgresql", settings={"version": "17.0"})
    evidence = only(list(versions_differ(last_changed(old, new))), "versions-differ").evidence
    assert "dependency backend was not the same in all runs: 16.1 (" in evidence
    assert list(settings_differ(last_changed(old, new))) == []


def test_two_arms_with_builds_and_runtimes_of_their_own_differ_by_their_factor(
    tmp_path: Path,
) -> None:
    runs = changed(stored(tmp_path), process_with("gateway", runtime_version="22.1"))
    assert list(versions_differ(runs)) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            process_with("backend", settings={"delay": "9ms"}),
            "`delay` of the dependency backend was not the same for all arms",
        ),
        (process_with("gateway", cpus=(0, 1)), "the CPUs of gateway"),
    ],
    ids=["setting", "CPUs"],
)
def test_what_differs_between_arms_and_is_no_factor_is_told(
    tmp_path: Path, change: Change, words: str
) -> None:
    equal = process_with("backend", settings={"delay": "0ms"})
    runs = changed(changed(stored(tmp_path), equal), equal, "node")
    assert list(settings_differ(runs)) == []
    finding = only(list(settings_differ(changed(runs, change))), "settings-differ")
    assert words in finding.evidence
    assert "go" in finding.evidence
    assert "node" in finding.evidence


def test_a_limit_that_one_arm_did_not_get_is_told(tmp_path: Path) -> None:
    limited = process_with("gateway", confinement=confined(2**29))
    runs = changed(changed(stored(tmp_path), limited), limited, "node")
    assert list(settings_differ(runs)) == []
    free = changed(runs, process_with("gateway", confinement=confined(None)))
    finding = only(list(settings_differ(free)), "settings-differ")
    assert "the memory limit of gateway" in finding.evidence
    assert "512 MiB (node)" in finding.evidence
    assert "none (go)" in finding.evidence


@pytest.mark.parametrize(("level", "spoken"), [("h2c", "h2c"), ("h2-downgrade", "h1")])
def test_a_setting_that_a_factors_level_asks_for_is_no_difference(
    tmp_path: Path, level: str, spoken: str
) -> None:
    runs = stored(tmp_path)
    for arm, protocol in (("go", "h1c"), ("node", spoken)):
        runs = changed(runs, process_with("backend", settings={"protocol": protocol}), arm)
    only(list(settings_differ(runs)), "settings-differ")
    for arm, asked in (("go", "h1c"), ("node", level)):
        runs = changed(runs, with_factor("upstream", asked), arm)
    assert list(settings_differ(runs)) == []
    other = changed(runs, with_factor("upstream", "h2"), "node")
    only(list(settings_differ(other)), "settings-differ")


def test_data_that_two_factors_name_together_are_no_difference(tmp_path: Path) -> None:
    runs = stored(tmp_path)
    for arm, cost in (("go", "4"), ("node", "10")):
        level = process_with("backend", settings={"level": f"medium-{cost}"})
        runs = changed(changed(runs, level, arm), with_factor("size", "medium"), arm)
    only(list(settings_differ(runs)), "settings-differ")
    for arm, cost in (("go", "4"), ("node", "10")):
        runs = changed(runs, with_factor("password-cost", cost), arm)
    assert list(settings_differ(runs)) == []
    other = changed(runs, with_factor("password-cost", "8"), "node")
    only(list(settings_differ(other)), "settings-differ")


def test_what_changes_from_run_to_run_is_no_setting_of_an_arm(tmp_path: Path) -> None:
    """As a port: each run has another one."""
    runs = [
        changed([each], process_with("backend", settings={"port": str(number)}), each.planned.arm)[
            0
        ]
        for number, each in enumerate(stored(tmp_path))
    ]
    assert list(settings_differ(runs)) == []


@pytest.mark.parametrize(("reopened", "findings"), [(0, 0), (10, 0), (11, 1)])
def test_an_arm_that_does_not_keep_its_connections_is_told(
    tmp_path: Path, reopened: int, findings: int
) -> None:
    """Of 1000 ok requests in each run."""
    runs = changed(stored(tmp_path), connections_with(opened=50 + reopened))
    seen = list(connections_differ(runs))
    assert len(seen) == findings
    for finding in seen:
        assert finding.scope == "arm:go/rate"
        assert "go opened a further connection for 1.10 %" in finding.evidence


def test_connections_for_each_request_of_all_arms_are_no_difference(tmp_path: Path) -> None:
    each_its_own = connections_with(opened=1000)
    runs = changed(changed(stored(tmp_path), each_its_own), each_its_own, "node")
    assert list(connections_differ(runs)) == []


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"rate_per_second": 300.0}, "300 sessions a second over 50 connections (go)"),
        ({"streams": 4}, "200 sessions a second over 50 connections of 4 streams (go)"),
        ({"arrivals": "users", "users": 9}, "9 users over 50 connections (go)"),
    ],
)
def test_arms_that_were_asked_for_other_loads_are_told(
    tmp_path: Path, facts: dict[str, object], words: str
) -> None:
    runs = changed(stored(tmp_path), load_with(**facts))
    assert words in only(list(connections_differ(runs)), "connections-differ").evidence


def encrypted(version: str, suite: str, *, full: int = 50, resumed: int = 0) -> Change:
    def change(record: RunRecord) -> RunRecord:
        spoken = SpokenFacts(
            http="1.1",
            alpn="http/1.1",
            tls_version=version,  # type: ignore[arg-type]
            cipher_suite=suite,
        )
        handshakes = connections_with(full_handshakes=full, resumed_handshakes=resumed)
        return load_with(protocol="h1", spoken=spoken)(handshakes(record))

    return change


USUAL = encrypted("1.3", "TLS_AES_128_GCM_SHA256")


@pytest.mark.parametrize(
    ("go", "words"),
    [
        (USUAL, None),
        (encrypted("1.2", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"), "TLS 1.2 with TLS_ECDHE"),
        (encrypted("1.3", "TLS_AES_256_GCM_SHA384"), "TLS_AES_256_GCM_SHA384 (go)"),
        (encrypted("1.3", "TLS_AES_128_GCM_SHA256", full=45, resumed=5), None),
        (
            encrypted("1.3", "TLS_AES_128_GCM_SHA256", full=44, resumed=6),
            "handshakes were resumed",
        ),
    ],
    ids=["alike", "version", "suite", "a tenth resumed", "more resumed"],
)
def test_arms_that_encrypt_the_same_protocol_otherwise_are_told(
    tmp_path: Path, go: Change, words: str | None
) -> None:
    runs = changed(changed(stored(tmp_path), go), USUAL, "node")
    seen = list(tls_differs(runs))
    if words is None:
        assert seen == []
    else:
        assert words in only(seen, "tls-differs").evidence


def test_encryption_that_is_a_factor_is_no_difference(tmp_path: Path) -> None:
    assert list(tls_differs(changed(stored(tmp_path), USUAL))) == []


@pytest.mark.parametrize(("cpu_us", "findings"), [(100.0, 0), (19.0, 0), (18.0, 1), (0.0, 1)])
def test_a_dependency_that_did_far_less_for_one_arm_was_not_asked(
    tmp_path: Path, cpu_us: float, findings: int
) -> None:
    """20 us of 100 us would be the threshold, had the kernel's clock no steps."""
    workload = rate(2000, seconds=8, warm_up=1)
    runs = stored(tmp_path, workload, dependency_cpu_us=cpu_us, lag_ms=0.0)
    node = [cost_of(each, 100_000) for each in runs if each.planned.arm == "node"]
    seen = list(dependency_skipped([*node, *(e for e in runs if e.planned.arm == "go")]))
    assert len(seen) == findings
    assert all(each.scope == "arm:go/rate" for each in seen)
    assert all("for one of the other arms" in each.evidence for each in seen)


def cost_of(stored_run: StoredRun, cpu_ns_each: int) -> StoredRun:
    """The run with another CPU time of its backend for each ok request."""
    record = stored_run.record
    assert record is not None
    assert isinstance(record.load, LoadFacts)
    assert record.window is not None
    window_ns = record.window.end_ns - record.window.start_ns
    ok = record.outcomes[Outcome.OK] * window_ns / record.load.load_ns
    backend = record.resources["backend"].model_copy(update={"cpu_ns": round(cpu_ns_each * ok)})
    resources = record.resources | {"backend": backend}
    return dataclasses.replace(
        stored_run, record=record.model_copy(update={"resources": resources})
    )


def test_dependencies_with_other_settings_are_not_compared(tmp_path: Path) -> None:
    runs = stored(tmp_path, rate(2000, seconds=8, warm_up=1), dependency_cpu_us=1.0)
    only(list(dependency_skipped(runs)), "dependency-skipped")
    runs = changed(runs, process_with("backend", settings={"protocol": "h2c"}))
    assert list(dependency_skipped(runs)) == []
