"""An error that no step reckons with fails its run alone, and the record says what it was and where."""

import json
import re
from pathlib import Path
from typing import Any

import own_gateway
import pytest
from lab import Ended, Lab, study_of

BROKEN = """
import loadstone.machine.procfs as procfs
import loadstone.measure.checked_load as checked_load
import loadstone.measure.offered as offered
from loadstone.errors import InputError

window_of, offer_load = checked_load.window_of, offered.offer_load
group_counters, loading = procfs.group_counters, []

def window(loaded, directory, *others):
    if directory.name.startswith("001-"):
        raise ValueError("what the engine wrote\\nis no number")
    if directory.name.startswith("003-"):
        raise InputError("the timeline is missing", path=directory / "timeline.ndjson")
    return window_of(loaded, directory, *others)

def load(plan, directory, *others, **options):
    loading.append(directory.name)
    try:
        return offer_load(plan, directory, *others, **options)
    finally:
        loading.clear()

def counters(pids, *, with_children):
    if loading and loading[0].startswith("002-"):
        raise PermissionError(13, "Permission denied", "/proc/1/io")
    return group_counters(pids, with_children=with_children)

checked_load.window_of, offered.offer_load = window, load
procfs.group_counters = counters
"""
"""Of four runs, reading what the engine wrote fails the first and the third, procfs the second."""


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> tuple[Lab, Ended]:
    lab = Lab(tmp_path_factory.mktemp("broken"))
    lab.study(study_of("go", blocks=2))
    ended = lab.run("run", "trial", "--profile", "moment", changed=BROKEN, columns=400)
    assert lab.left_behind() == []
    return lab, ended


def record_of(lab: Lab, run: int) -> dict[str, Any]:
    (path,) = lab.results().glob(f"runs/{run:03}-*/run.json")
    record: dict[str, Any] = json.loads(path.read_text())
    return record


def test_the_study_goes_on_behind_each_of_them(broken: tuple[Lab, Ended]) -> None:
    lab, ended = broken
    assert ended.code == 1, ended.stderr
    statuses = [record_of(lab, run)["status"] for run in (1, 2, 3, 4)]
    assert statuses == ["failed", "failed", "failed", "completed"]
    assert "Traceback" not in ended.stderr


def test_what_the_lab_did_not_reckon_with_is_called_its_defect(broken: tuple[Lab, Ended]) -> None:
    lab, ended = broken
    failure = record_of(lab, 1)["failure"]
    assert failure["step"] == "load"
    assert re.fullmatch(
        r"this is a defect of the lab: ValueError at loadstone/measure/checked_load\.py:\d+: "
        r"what the engine wrote is no number; see logs/lab-error\.log",
        failure["reason"],
    )
    assert failure["reason"] in ended.stderr
    (log,) = lab.results().glob("runs/001-*/logs/lab-error.log")
    assert "Traceback" in log.read_text()
    second = record_of(lab, 2)["failure"]
    assert second["step"] == "load"
    assert (
        "defect of the lab: PermissionError at loadstone/measure/loading/probe.py:"
        in second["reason"]
    )
    assert "/proc/1/io" in second["reason"]


def test_an_error_that_the_lab_knows_is_no_defect(broken: tuple[Lab, Ended]) -> None:
    lab, _ = broken
    failure = record_of(lab, 3)["failure"]
    assert failure["step"] == "load"
    assert "the timeline is missing (InputError at loadstone/" in failure["reason"]
    assert "defect" not in failure["reason"]


@pytest.mark.parametrize("run", [1, 2, 3])
def test_what_was_measured_until_then_is_kept(broken: tuple[Lab, Ended], run: int) -> None:
    lab, _ = broken
    record = record_of(lab, run)
    assert record["outcomes"]["ok"] > 0
    assert record["load"]["load_ns"] > 0
    assert {"deploy", "startup", "check", "load", "teardown"} <= record["phases_ns"].keys()
    assert [process["role"] for process in record["processes"]][:2] == ["dependency", "service"]
    (ticks,) = lab.results().glob(f"runs/{run:03}-*/resources.parquet")
    assert ticks.stat().st_size > 0


UNKNOWN = """
import loadstone.deploy.target_address as target_address
look_up, asked = target_address.look_up, []

def forgetting(host, port):
    asked.append(host)
    if host == "localhost" and asked.count("localhost") == 2:
        raise OSError("Temporary failure in name resolution")
    return look_up(host, port)

target_address.look_up = forgetting
"""
"""A resolver that knows the name when it is checked, and not in the first run."""


def test_a_name_that_is_not_known_in_one_run_fails_that_run(lab: Lab, tmp_path: Path) -> None:

    program = own_gateway.build(tmp_path)
    with own_gateway.running(program) as (_, url):
        named = url.replace("127.0.0.1", "localhost")
        lab.study(study_of("go", f"{{label: own, url: '{named}'}}", blocks=2))
        ended = lab.run("run", "trial", "--profile", "moment", changed=UNKNOWN, columns=400)
    assert ended.code == 1, ended.stderr
    records = [json.loads(path.read_text()) for path in lab.results().glob("runs/*-own-*/run.json")]
    failed = [record["failure"] for record in records if record["status"] == "failed"]
    assert [failure["step"] for failure in failed] == ["deploy"]
    assert "the host 'localhost' is not known: Temporary failure" in failed[0]["reason"]
