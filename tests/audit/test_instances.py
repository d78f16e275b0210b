"""Several processes of a service: together in the figures of an arm, each by its name to rules."""

from functools import partial
from pathlib import Path

import pytest
from changes import held, with_process, with_record, with_use
from stored_arms import changed, stored

from loadstone.analysis.figures.run_figures import run_figures
from loadstone.audit.service.ignored_sigterm import ignored_sigterm
from loadstone.audit.service.throttling import throttled
from loadstone.audit.study.symmetry_settings import settings_differ
from loadstone.audit.study.symmetry_versions import versions_differ
from loadstone.results.record import RunRecord
from loadstone.results.window import WindowedRun
from observed import observed

SECOND = ("users", "users.2")


def with_users(record: RunRecord, *names: str, digest: str = "a" * 64) -> RunRecord:
    """The record with processes of a service `users`, each as the gateway is, and what they used."""
    gateway = record.service
    assert gateway is not None
    assert gateway.build is not None
    build = gateway.build.model_copy(update={"digest": digest})
    users = [
        gateway.model_copy(
            update={
                "name": name,
                "instance_of": None if name == "users" else "users",
                "build": build,
            }
        )
        for name in names
    ]
    used = dict.fromkeys(names, record.resources["gateway"])
    return record.model_copy(
        update={
            "processes": (*record.processes, *users),
            "resources": {**record.resources, **used},
        }
    )


def beside(run: WindowedRun, *names: str) -> WindowedRun:
    record = with_users(run.record, *names)
    return with_record(run, processes=record.processes, resources=record.resources)


def test_their_time_and_memory_are_added_up_and_their_build_is_one(tmp_path: Path) -> None:
    run = observed(tmp_path)
    one, two = run_figures(beside(run, "users")), run_figures(beside(run, *SECOND))
    for name in ("cpu_per_ok", "rss_peak"):
        of_one, of_two = one[name].value, two[name].value
        assert of_one is not None
        assert of_two == pytest.approx(of_one * 3 / 2)
    for name in ("build_time", "artifact_size"):
        assert one[name].value is not None
        assert one[name] == two[name]
    assert one["startup"] == two["startup"], "that of the service that is called"


def test_where_the_use_of_one_is_not_known_that_of_the_arm_is_not(tmp_path: Path) -> None:
    run = with_use(beside(observed(tmp_path), *SECOND), "users.2", cpu_ns=None)
    assert run_figures(run)["cpu_per_ok"].reason == "the probe could not read it"


def test_rules_name_the_process(tmp_path: Path) -> None:
    run = beside(observed(tmp_path), *SECOND)
    stubborn = with_process(run, "users.2", killed_after_ns=5_000_000_000)
    (finding,) = ignored_sigterm(stubborn)
    assert finding.evidence.startswith("users.2 did not end within 5")
    slow = with_use(with_process(run, "users.2", **held(cpus=0.5)), "users.2", throttled_share=0.2)
    (finding,) = throttled(slow)
    assert finding.evidence.startswith("users.2 was held back by its quota of 0.500 CPUs")


def test_the_process_tells_of_which_service_it_is(tmp_path: Path) -> None:
    services = beside(observed(tmp_path), *SECOND).services
    assert [(each.name, each.of_service) for each in services] == [
        ("gateway", "gateway"),
        ("users", "users"),
        ("users.2", "users"),
    ]


def test_arms_with_other_numbers_of_them_have_the_same_settings(tmp_path: Path) -> None:
    runs = changed(stored(tmp_path), lambda record: with_users(record, *SECOND))
    runs = changed(runs, lambda record: with_users(record, "users"), "node")
    assert list(settings_differ(runs)) == []
    assert list(versions_differ(runs)) == []


def test_a_build_that_changed_is_told_once_for_all_of_them(tmp_path: Path) -> None:
    first, *others = stored(tmp_path)
    arm = first.planned.arm
    built = [partial(_with_digest, digest=letter * 64) for letter in "ab"]
    runs = [*changed([first], built[0], arm), *changed(others, built[1], arm)]
    (finding,) = versions_differ(runs)
    assert f"build of users of {arm} was not the same" in finding.evidence


def _with_digest(record: RunRecord, digest: str) -> RunRecord:
    return with_users(record, *SECOND, digest=digest)
