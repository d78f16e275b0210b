"""A late look through the real command: what it says, and that it changes no figure of its run."""

import json
from pathlib import Path
from typing import Any

import pytest
from lab import SIMULATE, Lab, study_of, undo_last_run

LOOK = "late_look: 90s\nquestions:"
WATCHED = ("run", "trial", "--profile", "watched")
LEVEL = "default: {median: 200ms, spread: 0, run_spread: 0.001, warm_up: 12s}\n"
"""250 answers a second, so that a second is a point."""


def study(*gateways: str, blocks: int = 3, look: str = LOOK, metrics: str = "cpu_per_ok") -> str:
    """The committed workload warms up until steady."""
    typed = study_of(*gateways, blocks=blocks, metrics=metrics).replace("questions:", look)
    return typed.replace("profiles:\n", "profiles:\n  watched: {window: 12s}\n")


def done(lab: Lab, text: str, behaviours: str, out: str = "results") -> Path:
    """Run a simulated study; return its results folder."""
    lab.study(text)
    lab.behave(behaviours)
    ended = lab.run(*WATCHED, *SIMULATE, "--out", out)
    assert ended.code == 0, ended.stderr
    (found,) = (lab.root / out).iterdir()
    return found


def read(results: Path, name: str) -> Any:
    return json.loads((results / name).read_text())


@pytest.fixture(scope="module")
def stepping(tmp_path_factory: pytest.TempPathFactory) -> tuple[Lab, Path]:
    """Of three arms one becomes cheaper by a fifth, 24 s behind its window."""
    lab = Lab(tmp_path_factory.mktemp("stepping"))
    step = "late_step: 20%, late_step_after: 24s}"
    node = LEVEL.replace("default", "node").replace("}", f", {step}")
    return lab, done(lab, study("go", "node", "rust"), LEVEL + node)


def test_a_late_step_withholds_the_verdicts_of_its_arm_alone(stepping: tuple[Lab, Path]) -> None:
    _, results = stepping
    (found,) = [each for each in read(results, "findings.json") if each["code"] == "late-step"]
    assert (found["severity"], found["scope"]) == ("no claim", "arm:node/saturation-50b")
    assert found["evidence"] == (
        "node's CPU per ok fell by 20.0 % between the window and 90 s after it, first seen 24 s "
        "after it (at most 5 %)"
    )
    told = {
        (each["baseline"], each["other"]): (each["verdict"], each["reason"])
        for each in read(results, "analysis.json")["comparisons"]
    }
    why = ("cannot tell", "node became cheaper behind its window")
    assert told["go", "node"] == told["node", "rust"] == why
    assert "behind its window" not in told["go", "rust"][1]
    assert told["go", "rust"][0] != "cannot tell"


def test_terminal_and_report_say_what_the_looks_showed(stepping: tuple[Lab, Path]) -> None:
    lab, results = stepping
    ended = lab.run("report", str(results), columns=400)
    for arm in ("go  ", "rust"):
        assert f"{arm}  steady after 2 s (nothing to compile); " in ended.stdout
    assert ended.stdout.count("; no late step in the 90 s behind it") == 2
    step = "PU per ok fell by 20.0 % between the window and 90 s after it, first seen 24 s after it"
    assert f"; C{step}" in ended.stdout
    for page in ("report.md", "report.html"):
        text = (results / page).read_text()
        assert "No late step in the 90 s behind it." in text
        assert f"C{step}." in text
    assert "late look" in read(results, "analysis.json")["time_use"]


@pytest.mark.parametrize(
    "behind",
    [
        pytest.param("", id="nothing changes"),
        pytest.param(", fails_after: 40s", id="every answer is wrong behind the window"),
        pytest.param(", late_step: 40%, late_step_after: 10s", id="it becomes cheaper"),
    ],
)
@pytest.mark.parametrize("stop", ["", "stop: {first_failed_check: true}\n"])
def test_every_figure_and_finding_of_the_run_is_as_without_a_look(
    lab: Lab, behind: str, stop: str
) -> None:
    workload = lab.root / "systems/mediation/workloads/saturation-50b.yaml"
    workload.write_text(workload.read_text() + stop)
    behaviours = LEVEL.replace("}", f"{behind}}}")
    one = done(lab, study("go", "node", blocks=1), behaviours, "one")
    without = study("go", "node", blocks=1, look="questions:")
    other = done(lab, without, behaviours, "other")
    cells = [read(results, "analysis.json")["cells"] for results in (one, other)]
    for cell, plain_cell in zip(*cells, strict=True):
        for figure, plain in zip(cell["figures"], plain_cell["figures"], strict=True):
            (found,), (expected,) = figure["runs"], plain["runs"]
            # The simulated engine tells nothing in flight, and the others' grace has 50 requests more.
            rel = 0.03 if figure["metric"] == "offered" else 1e-9
            assert found["state"] == expected["state"], figure["metric"]
            for value in ("value", "at_least"):
                assert found[value] == (
                    None if expected[value] is None else pytest.approx(expected[value], rel=rel)
                ), figure["metric"]
        assert cell["series"] == plain_cell["series"]
    codes = [
        sorted((each["code"], each["severity"]) for each in read(results, "findings.json"))
        for results in (one, other)
    ]
    assert [each for each in codes[0] if each[0] != "late-step"] == codes[1]


def test_a_study_with_looks_is_resumed(lab: Lab) -> None:
    results = done(lab, study("go", "node", blocks=1), LEVEL)
    before = {path: path.read_bytes() for path in results.glob("runs/*/*")}
    undo_last_run(results)
    assert lab.run(*WATCHED, *SIMULATE, "--resume").code == 0
    assert {path: path.read_bytes() for path in results.glob("runs/*/*")} == before


REAL = """
import loadstone.study.files.study_file as study_file
study_file.LEAST_LATE_LOOK_NS = 10**9
"""


def test_a_real_load_goes_on_behind_its_window(lab: Lab) -> None:
    """Short of the minute that could tell something: the window is the same, and the load is longer."""
    workload = lab.root / "systems/mediation/workloads/saturation-50b.yaml"
    workload.write_text(workload.read_text().replace("at_most: 120s", "at_most: 15s"))
    typed = study("go", blocks=1, look="late_look: 3s\nquestions:", metrics="rss_peak")
    lab.study(typed.replace("{window: 12s}", "{window: 2s}"))
    ended = lab.run(*WATCHED, changed=REAL)
    assert ended.code == 0, ended.stderr
    records = [read(path.parent, "run.json") for path in lab.results().glob("runs/*/run.json")]
    for record in records:
        window, load = record["window"], record["load"]
        assert window["end_ns"] - window["start_ns"] == 2 * 10**9
        assert load["load_ns"] == window["end_ns"] + window["late_look_ns"]
    # Both arms are the same gateway, and one run looks for all of the same.
    assert sorted(each["window"]["late_look_ns"] for each in records) == [0, 3 * 10**9]
    findings = read(lab.results(), "findings.json")
    assert not {"conservation", "timeline-gap", "late-step"} & {each["code"] for each in findings}
    assert "is not known: the load was stopped before" in (lab.results() / "report.md").read_text()
