"""What fails in one arm fails that arm alone, is told with its log, and leaves nothing behind."""

import json
from pathlib import Path
from typing import Any

import pytest
from lab import Lab, study_of

DIES_IN_LOAD = """
let answered = 0; // of the load's requests: none of the contract is that long
const { Server } = await import('node:http');
const emit = Server.prototype.emit;
Server.prototype.emit = function (event, ...values) {
  if (event === 'request' && values[0].headers['content-length'] === '50' && ++answered > 100) {
    console.error('the gateway had enough');
    process.exit(9);
  }
  return emit.call(this, event, ...values);
};
"""


def records(results: Path) -> dict[str, dict[str, Any]]:
    found = {}
    for path in sorted((results / "runs").glob("*/run.json")):
        record = json.loads(path.read_text())
        found[record["run"]["arm"]] = record
    return found


def test_arms_that_fail_in_any_way_leave_the_others_measured(lab: Lab) -> None:
    lab.add_stack("does-not-build", build="echo no compiler here >&2; exit 3")
    lab.add_stack("does-not-start", run="node -e \"console.error('no port'); process.exit(4)\"")
    wrong = lab.add_stack("wrong-answers")
    main = wrong / "src" / "main.js"
    main.write_text(
        "import { ServerResponse } from 'node:http';\n"
        "const { writeHead } = ServerResponse.prototype;\n"
        "ServerResponse.prototype.writeHead = function (status, ...rest) {\n"
        "  return writeHead.call(this, status === 404 ? 410 : status, ...rest);\n"
        "};\n" + main.read_text()
    )
    dying = lab.add_stack("dies-in-load") / "src" / "main.js"
    dying.write_text(DIES_IN_LOAD + dying.read_text())
    lab.study(study_of("go", "does-not-build", "does-not-start", "wrong-answers", "dies-in-load"))

    ended = lab.run("run", "trial", "--profile", "short")

    assert ended.code == 1, ended.stderr
    found = records(lab.results())
    assert found["go"]["status"] == "completed"
    assert sum(found["go"]["outcomes"].values()) > 0
    expected = {
        "does-not-build": ("build", "exited with code 3", "no compiler here"),
        "does-not-start": ("start-up", "exited with code 4", "no port"),
        "wrong-answers": ("check", "", ""),
        "dies-in-load": ("load", "exited with code 9 in mid-load", "the gateway had enough"),
    }
    for arm, (step, reason, tail) in expected.items():
        assert found[arm]["status"] == "failed"
        failure = found[arm]["failure"]
        assert failure["step"] == step, failure
        assert reason in failure["reason"]
        assert tail in failure["log_tail"]
        assert f"{arm}" in ended.stderr
        assert tail in ended.stderr
    assert "failed" in ended.stdout


@pytest.mark.parametrize(
    ("find", "replace", "line", "words"),
    [
        ("[go, again]", "[go, nod]", 6, ["arms.gateway[1]", "nod", "node"]),
        ("blocks: 1", "block: 1", 10, ["block", "blocks"]),
        ("blocks: 1", "blocks: -1", 10, ["blocks", "-1"]),
        ("duration: 2s", "duration: -2s", 18, ["profiles.short.duration", "-2s"]),
        ("workloads: [saturation-50b]", "workloads: [absent]", 9, ["absent", "saturation-50b"]),
        ("blocks: 1", "except: [{client: h1c}]\nblocks: 1", 10, ["except"]),
        ("goal: see", "goal: [see", 4, ["in the line before"]),
        ("margin: 3%", "margin: 3", 16, ["questions[0].margin", "%"]),
        ("client: [h1c]", "client: [h9]", 7, ["arms.client[0]", "h9", "h1c"]),
    ],
)
def test_a_broken_study_is_refused_with_its_line_and_key_and_starts_nothing(
    lab: Lab, find: str, replace: str, line: int, words: list[str]
) -> None:
    text = study_of("go", "again").replace("[go, again]", "[go, {stack: go, label: again}]")
    find = find.replace("[go, again]", "[go, {stack: go, label: again}]")
    assert find in text
    path = lab.study(text.replace(find, replace))
    ended = lab.run("run", str(path), "--profile", "short")
    assert ended.code == 2
    assert ended.stderr.startswith(f"error: {path}:{line}: "), ended.stderr
    for word in words:
        assert word in ended.stderr
    assert not (lab.root / "results").exists()


def test_a_broken_workload_is_refused_with_its_line_and_key(lab: Lab) -> None:
    path = lab.root / "systems" / "mediation" / "workloads" / "saturation-50b.yaml"
    path.write_text(path.read_text().replace("window: 8s", "window: -8s"))
    lab.study(study_of("go"))
    ended = lab.run("run", "trial")
    assert ended.code == 2
    assert f"{path}:7: window: " in ended.stderr
    assert not (lab.root / "results").exists()


def test_a_study_that_is_not_there_is_answered_with_those_that_are(lab: Lab) -> None:
    lab.study(study_of("go"))
    ended = lab.run("run", "absent")
    assert ended.code == 2
    assert "trial" in ended.stderr
