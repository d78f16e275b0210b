"""A service that has more CPUs until it is warm: on the real kernel, by the real command."""

import json
from typing import Any

import pytest
from lab import Lab, study_of

from loadstone.deploy.confinement.choose import choose, own_groups_here

PROFILE = "profiles:\n  watched: {window: 4s, warm_up: {until: steady, at_most: 30s}}\n"


def first_record(lab: Lab) -> Any:
    """Of the first of two runs of the same stack."""
    path, _ = sorted(lab.results().glob("runs/*/run.json"))
    return json.loads(path.read_text())


def test_a_window_has_fewer_cpus_than_its_warm_up(lab: Lab) -> None:
    if choose(own_groups_here()).isolation == "affinity and rlimits":
        pytest.skip("no control group can be made here")
    limits = "{gateway: {cpus: 0.2, warm_up_cpus: 0.6}}"
    text = study_of("go", limits=limits).replace("profiles:\n", PROFILE)
    assert PROFILE in text
    lab.study(text)
    ended = lab.run("run", "trial", "--profile", "watched")
    assert ended.code == 0, ended.stderr
    record = first_record(lab)
    (gateway,) = [each for each in record["processes"] if each["role"] == "service"]
    assert (gateway["confinement"]["cpus"], gateway["confinement"]["warm_up_cpus"]) == (0.2, 0.6)
    window, used = record["window"], record["resources"]["gateway"]
    assert window["warm_up"] == "steady"
    window_ns = window["end_ns"] - window["start_ns"]
    # The kernel counts by periods of 100 ms, of which one may belong to the warm-up.
    assert used["cpu_ns"] / window_ns < 0.25
    before_ns = gateway["confinement"]["cpu_ns"] - used["cpu_ns"]
    assert before_ns / window["start_ns"] > 1.2 * used["cpu_ns"] / window_ns


def test_what_is_not_watched_has_the_cpus_of_the_window(lab: Lab) -> None:
    lab.study(study_of("go", limits="{gateway: {cpus: 0.2, warm_up_cpus: 0.6}}"))
    assert lab.run("run", "trial", "--profile", "moment").code in (0, 1)
    (gateway,) = [each for each in first_record(lab)["processes"] if each["role"] == "service"]
    assert gateway["confinement"]["warm_up_cpus"] is None
