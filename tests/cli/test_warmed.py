"""A load before the load, on real servers by the real command."""

import json
from pathlib import Path
from typing import Any

import jsonschema
from lab import CHECKOUT, Lab, study_of

WORKLOAD = """\
workload: pausing
kind: load
group: callers
users: 4
think: 500ms
warmed: {at_most: 15s}
duration: 4s
warm_up: 1s
session:
  - operation: passthrough
    post: /passthrough
    headers: {content-type: application/json}
    payload: {kind: array, bytes: 50}
    check: {status: 200, body_contains: 50B}
"""


def first_run(lab: Lab) -> tuple[Path, dict[str, Any]]:
    """Folder and record of the first of two runs, as the schema has it."""
    path, _ = sorted(lab.results().glob("runs/*/run.json"))
    found: dict[str, Any] = json.loads(path.read_text())
    schema = json.loads((CHECKOUT / "schemas" / "run-record.schema.json").read_text())
    jsonschema.validate(found, schema)
    return path.parent, found


def test_a_service_is_made_warm_and_the_load_is_the_one_that_was_asked_for(lab: Lab) -> None:
    workload = lab.root / "systems/mediation/workloads/pausing.yaml"
    workload.write_text(WORKLOAD)
    text = study_of("go", metrics="cpu_per_ok").replace("saturation-50b", "pausing")
    lab.study(text)
    ended = lab.run("run", "trial")
    assert ended.code in (0, 1), ended.stderr
    directory, record = first_run(lab)
    assert record["status"] == "completed", record["failure"]
    warmed, window = record["warmed"], record["window"]
    assert warmed["steady_by"] in ("idle", "level", "no-sign", "cap")
    assert warmed["ok"] > 10 * record["outcomes"]["ok"], "users without pauses ask more"
    assert record["phases_ns"]["warming"] > warmed["length_ns"]
    assert (window["warm_up"], window["start_ns"]) == ("fixed", 10**9)
    assert 0 < record["outcomes"]["ok"] <= 36, "four users, two answers a second, for 4 s"
    assert (directory / "warming" / "timeline.ndjson").is_file()
    assert "before it users without pauses" in (lab.results() / "report.md").read_text()
    assert lab.left_behind() == []
