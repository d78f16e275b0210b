"""`loadstone run --simulate`: a whole study through the real command, with nothing started."""

import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest
from lab import CHECKOUT, SIMULATE, Ended, Lab, study_of, undo_last_run

from loadstone.report.labels import SIMULATED

FASTER = "default: {}\nnode: {median: 26ms}\n"
NEVER_STARTING = f"default: {{failing_blocks: {[*range(1, 11)]}}}\n"
WORDS = ("run", "trial", "--profile", "short", *SIMULATE)
STOPPED = """
import os, signal
from loadstone.simulate.site import SimulatedSite
run = SimulatedSite._run
def until_third(self, planned, *rest):
    if planned.index == 3:
        os.kill(os.getpid(), signal.{number})
    return run(self, planned, *rest)
SimulatedSite._run = until_third
"""
FOOTPRINT = """
workload: footprint
kind: footprint
rest: 1s
group: callers
users: 5
duration: 2s
warm_up: 0s
session:
  - operation: passthrough
    post: /passthrough
    headers: {content-type: application/json}
    payload: {kind: array, bytes: 50}
"""


def simulated(lab: Lab, behaviours: str = FASTER, study: str | None = None) -> Lab:
    """Write a study of two gateways and how they behave."""
    lab.behave(behaviours)
    lab.study(study or study_of("go", "node", blocks=3))
    return lab


def files_of(results: Path) -> dict[str, bytes]:
    runs = results / "runs"
    return {
        str(path.relative_to(runs)): path.read_bytes() for path in runs.rglob("*") if path.is_file()
    }


def records_of(results: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(results.glob("runs/*/run.json"))]


def out(lab: Lab, name: str) -> Path:
    """The one results folder below a folder."""
    (found,) = (lab.root / name).iterdir()
    return found


class Done(NamedTuple):
    """The study of `simulated`, run once for all tests that only look at it."""

    results: Path
    ended: Ended


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Done:
    lab = simulated(Lab(tmp_path_factory.mktemp("done")))
    ended = lab.run(*WORDS)
    assert ended.code == 0, ended.stderr
    return Done(lab.results(), ended)


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(lab: Lab, done: Done) -> None:
    simulated(lab)
    assert lab.run(*WORDS, "--out", "two").code == 0
    first = files_of(done.results)
    assert len(first) == 6 * 6
    assert files_of(out(lab, "two")) == first
    lab.study(study_of("go", "node", blocks=3).replace("seed: 7", "seed: 8"))
    assert lab.run(*WORDS, "--out", "three").code == 0
    assert not set(files_of(out(lab, "three")).values()) & {
        content for name, content in first.items() if name.endswith("run.json")
    }


def test_its_records_are_as_a_run_writes_them_and_say_that_they_are_simulated(done: Done) -> None:
    schema = json.loads((CHECKOUT / "schemas" / "run-record.schema.json").read_text())
    for record in records_of(done.results):
        jsonschema.validate(record, schema)
        assert (record["simulated"], record["load"]["simulated"]) == (True, True)
        assert record["started_at"].startswith("2026-01-01T12:")
        assert record["outcomes"]["ok"] > 0


def test_nothing_of_it_is_ranked_and_everything_says_so(lab: Lab, done: Done) -> None:
    analysis = json.loads((done.results / "analysis.json").read_text())
    assert analysis["rankings"] == analysis["factorials"] == []
    for key in ("headline", "standings", "further", "sentences"):
        assert [answer[key] for answer in analysis["answers"]] == [[]]
    html = (done.results / "report.html").read_text()
    markdown = (done.results / "report.md").read_text()
    for text in (" ".join(done.ended.stdout.split()), markdown, html):
        assert SIMULATED in text
        assert "Ranks by" not in text
    compared = lab.run("compare", str(done.results))
    assert (compared.code, compared.stdout) == (2, "")
    assert "simulated, and nothing of them is compared" in compared.stderr


@pytest.mark.parametrize("behaviours", [NEVER_STARTING, FASTER])
def test_a_study_of_starts_or_of_failures_is_told_to_be_simulated_too(
    lab: Lab, behaviours: str
) -> None:
    starts = "workload: starts\nkind: startup\nstarts: 10\n"
    (lab.root / "systems/mediation/workloads/starts.yaml").write_text(starts)
    study = study_of("go", "node", blocks=3).partition("profiles:")[0]
    study = study.replace("saturation-50b", "starts").replace("throughput", "startup")
    simulated(lab, behaviours, study).run("run", "trial", *SIMULATE)
    assert json.loads((lab.results() / "analysis.json").read_text())["simulated"]


def test_a_footprint_has_every_mark(lab: Lab) -> None:
    (lab.root / "systems/mediation/workloads/footprint.yaml").write_text(FOOTPRINT)
    study = study_of("go", "node").replace("saturation-50b", "footprint")
    assert simulated(lab, FASTER, study).run(*WORDS).code == 0
    marks = [each["mark"] for each in records_of(lab.results())[0]["marks"]]
    assert marks == [
        "at_rest",
        "after_first_request",
        "after_five_requests",
        "under_load",
        "after_load",
    ]


def footprint_of(lab: Lab, footprint: str) -> list[dict[str, Any]]:
    """The records of a study of this footprint."""
    (lab.root / "systems/mediation/workloads/footprint.yaml").write_text(footprint)
    study = study_of("go", "node").replace("saturation-50b", "footprint")
    assert simulated(lab, FASTER, study).run(*WORDS).code == 0
    return records_of(lab.results())


def test_a_footprint_of_ten_first_requests_has_a_mark_after_ten(lab: Lab) -> None:
    first = "first: [" + "{operation: look, get: /look}, " * 10 + "]\n"
    for record in footprint_of(lab, FOOTPRINT + first):
        assert record["first_requests"] == 10
        assert "after_ten_requests" in [each["mark"] for each in record["marks"]]
    told = (lab.results() / "report.md").read_text()
    assert "RSS after ten requests" in told
    assert "the first requests: look (GET /look)" in told


def test_a_mark_that_was_not_reached_is_absent_with_the_reason(lab: Lab) -> None:
    first = "first: [{operation: look, get: /look}, {operation: look, get: /look}]\n"
    (record, *_) = footprint_of(lab, FOOTPRINT + first)
    assert [each["mark"] for each in record["marks"]] == [
        "at_rest",
        "after_first_request",
        "under_load",
        "after_load",
    ]
    cell = json.loads((lab.results() / "analysis.json").read_text())["cells"][0]
    figures = {each["metric"]: each for each in cell["figures"]}
    for name in ("pss.after_five_requests", "rss.after_five_requests"):
        assert figures[name]["state"] == "not measured"
        assert "2 first requests came before the load, 5 are needed" in figures[name]["reason"]
    assert figures["rss.after_first_request"]["value"] > 0
    assert "PSS after five requests" not in lab.run("report", "results").stdout


def behind_database(lab: Lab) -> None:
    """Let the gateway stand before a database, of which nothing is started here."""
    system = lab.root / "systems" / "mediation" / "system.yaml"
    system.write_text(system.read_text().replace("backend: echo", "backend: mariadb"))
    levels = lab.root / "systems" / "mediation" / "seed" / "backend" / "levels"
    levels.mkdir(parents=True)
    (levels / "none.sql").write_text("SELECT 1;\n")


def test_an_arm_that_asks_its_database_less_is_told_beside_what_each_answer_costs(lab: Lab) -> None:
    behind_database(lab)
    arms = "default: {statements: 1, rows_read: 6, other_commands: 2}\nnode: {statements: 0.1}\n"
    ended = simulated(lab, arms).run(*WORDS)
    assert ended.code == 0, ended.stderr
    (work,) = (
        each["database_work"]
        for each in records_of(lab.results())[0]["processes"]
        if each["role"] == "dependency"
    )
    assert work["select"] > 0
    told = (lab.results() / "report.md").read_text()
    assert "## What each answer costs" in told
    assert "statements per ok" in told
    findings = json.loads((lab.results() / "findings.json").read_text())
    assert "dependency-skipped" in [each["code"] for each in findings]


GROUPED = """
workload: grouped
kind: load
duration: 4s
warm_up: 1s
groups:
- group: bookers
  users: 4
  think: 20ms
  feed: {slot: {range: [1, 50]}}
  session:
  - operation: passthrough
    post: /passthrough
    headers: {content-type: application/json}
    payload: {kind: array, bytes: 50}
    capture: {first: {json: /0/id, or: fail}}
  - operation: transform
    post: /transform
    headers: {content-type: application/json}
    payload: {kind: array, bytes: 50}
    check: {status: 200, or_end: 409}
- group: arriving
  rate: {per_second: 20, connections: 10}
  start_after: 1s
  session:
  - operation: passthrough
    post: /passthrough
    headers: {content-type: application/json}
    payload: {kind: array, bytes: 50}
"""


def test_groups_and_sessions_come_through_to_the_report(lab: Lab) -> None:
    (lab.root / "systems/mediation/workloads/grouped.yaml").write_text(GROUPED)
    study = study_of("go", "node", blocks=3).partition("profiles:")[0]
    study = study.replace("saturation-50b", "grouped")
    behaviours = "go: {ending: 5%}\nnode: {missing_values: 2%, failing_share: 2%}\n"
    ended = simulated(lab, behaviours, study).run("run", "trial", *SIMULATE)
    assert ended.code == 1, ended.stderr  # figures are withheld where sessions were aborted
    for text in ("group bookers", "sessions of all windows", "sessions-aborted", "feed-reused"):
        assert text in ended.stdout
    analysis = json.loads((lab.results() / "analysis.json").read_text())
    cell = analysis["cells"][0]
    assert [each["group"] for each in cell["groups"]] == ["bookers", "arriving"]
    assert [each["operation"] for each in cell["over_groups"]] == ["passthrough"]
    assert cell["sessions"]["ended_early"] > 0
    findings = json.loads((lab.results() / "findings.json").read_text())
    assert {"sessions-aborted", "captures-failing", "ended-early", "feed-reused"} <= {
        each["code"] for each in findings
    }
    for name in ("report.html", "report.md"):
        assert "bookers.transform" in (lab.results() / name).read_text().replace("&#46;", ".")
    record = records_of(lab.results())[0]
    assert list(record["groups"]) == list(record["load"]["groups"]) == ["bookers", "arriving"]
    schema = json.loads((CHECKOUT / "schemas/run-record.schema.json").read_text())
    jsonschema.validate(record, schema)


def test_a_stop_rule_ends_a_load_when_the_service_begins_to_fail(lab: Lab) -> None:
    workload = lab.root / "systems/mediation/workloads/saturation-50b.yaml"
    workload.write_text(workload.read_text() + "stop: {first_failed_check: true}\n")
    simulated(lab, "go: {}\nnode: {fails_after: 1.5s}\n").run(*WORDS)
    for record in records_of(lab.results()):
        stop = record["load"]["stop"]
        if record["run"]["arm"] == "go":
            assert (stop["reason"], stop["at_ns"]) == ("duration", 2 * 10**9)
        else:
            assert stop["reason"] == "first_failed_check"
            assert 1.5e9 <= stop["at_ns"] < 1.6e9
            assert record["outcomes"]["status"] >= 1


FAILING_WARM_UP = """\
workload: late
kind: load
group: callers
users: 4
duration: 6s
warm_up: 2s
stop: {from: window, failures: {above: 20%, for: 2s}}
session:
  - {operation: passthrough, post: /passthrough, payload: {kind: array, bytes: 50}}
"""


@pytest.mark.parametrize("typed", ["from: window, ", ""])
def test_a_stop_rule_may_leave_the_warm_up_alone(lab: Lab, typed: str) -> None:
    text = FAILING_WARM_UP.replace("from: window, ", typed)
    (lab.root / "systems/mediation/workloads/late.yaml").write_text(text)
    study = study_of("go", "node").partition("profiles:")[0].replace("saturation-50b", "late")
    simulated(lab, "default: {fails_after: 0.5s}\n", study).run("run", "trial", *SIMULATE)
    for record in records_of(lab.results()):
        if typed:
            stop = record["load"]["stop"]
            assert (stop["reason"], stop["at_ns"]) == ("failures", 4 * 10**9)
            assert record["stops_from_window"]
        else:  # it was stopped before there was a window
            assert (record["status"], record["failure"]["step"]) == ("failed", "load")


def test_a_service_that_does_not_start_and_an_engine_that_fails_fail_their_runs(lab: Lab) -> None:
    behaviours = "go: {failing_blocks: [1]}\nnode: {engine_failing_blocks: [2]}\n"
    ended = simulated(lab, behaviours).run(*WORDS)
    assert ended.code == 1
    failures = {
        (record["run"]["arm"], record["run"]["block"]): record["failure"]["step"]
        for record in records_of(lab.results())
        if record["status"] == "failed"
    }
    assert failures == {("go", 1): "start-up", ("node", 2): "load"}
    assert "failed: load: the engine failed, as it is simulated in block 2" in ended.stderr


@pytest.mark.parametrize("number", ["SIGINT", "SIGKILL"])
def test_a_study_that_was_stopped_goes_on_to_the_same_bytes(
    lab: Lab, done: Done, number: str
) -> None:
    stopped = simulated(lab).run(*WORDS, changed=STOPPED.format(number=number))
    if number == "SIGINT":
        assert stopped.code == 2
        assert "--profile short --simulate behaviours.yaml --out results --resume" in stopped.stderr
    assert len(records_of(lab.results())) == 2
    resumed = lab.run(*WORDS, "--resume")
    assert resumed.code == 0, resumed.stderr
    assert "trial: 4 runs" in resumed.stderr
    assert files_of(lab.results()) == files_of(done.results)


def test_a_simulated_study_is_resumed_with_the_same_behaviours_alone(lab: Lab, done: Done) -> None:
    shutil.copytree(done.results, lab.root / "results" / done.results.name)
    simulated(lab)
    undo_last_run(lab.results())
    measured = lab.run(*WORDS[:4], "--resume")
    assert (measured.code, "the study cannot be resumed" in measured.stderr) == (2, True)
    simulated(lab, "default: {median: 10ms}\n")
    other = lab.run(*WORDS, "--resume")
    assert (other.code, "simulation: was" in other.stderr) == (2, True)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("default: {median: 20}", ":1: default.median: 20 has no unit of time"),
        ("go: {}\ngone: {}", ":2: gone: is not a known key"),
        ("default:\n  speed: 3", ":2: default.speed: is not a known key"),
        ("default: {failing_share: 120%}", ":1: default.failing_share: must be more than 0%"),
        ("default: {spread: -1}", ":1: default.spread: must be 0 or more"),
        ("default: {failing_blocks: [0]}", ":1: default.failing_blocks[0]: must be 1 or more"),
        ("default: {limits: {disk: 1}}", ":1: default.limits.disk: is nothing that limits"),
        ("- default", ":1: must be a mapping"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line_before_anything_is_written(
    lab: Lab, typed: str, said: str
) -> None:
    ended = simulated(lab, typed).run(*WORDS)
    assert ended.code == 2
    assert f"error: behaviours.yaml{said}" in ended.stderr
    assert "hint: " in ended.stderr
    assert not (lab.root / "results").exists()


def test_it_is_not_in_the_help(lab: Lab) -> None:
    assert "--simulate" not in lab.run("run", "--help").stdout


def test_healthy_services_are_judged_level_over_their_runs(lab: Lab) -> None:
    study = study_of("go", "node", blocks=3).replace(
        "profiles:\n", "profiles:\n  judged: {duration: 30s, warm_up: 10s}\n"
    )
    simulated(lab, "default: {median: 100ms}\n", study)
    ended = lab.run("run", "trial", "--profile", "judged", *SIMULATE)
    assert ended.code == 0, ended.stderr
    results = lab.results()
    analysis = json.loads((results / "analysis.json").read_text())
    assert {cell["warmth"] for cell in analysis["cells"]} == {"level"}
    findings = json.loads((results / "findings.json").read_text())
    assert not {"still-warming", "compiling"} & {each["code"] for each in findings}
