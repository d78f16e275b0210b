"""A signal in any phase leaves no process, keeps what is finished, and lets the study go on."""

import json
import signal
from pathlib import Path

import pytest
from lab import NEVER_WITHHELD, Lab, study_of, wait_for_line


def statuses(results: Path) -> list[str]:
    return [
        json.loads(path.read_text())["status"]
        for path in sorted((results / "runs").glob("*/run.json"))
    ]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("phase", ["build", "start-up"])
def test_a_signal_before_the_first_run_leaves_nothing_running(
    lab: Lab, phase: str, number: signal.Signals
) -> None:
    if phase == "build":
        lab.add_stack("slow", build="sleep 600")
    else:
        lab.add_stack("slow", run='node -e "setTimeout(() => {}, 600000)"')
    lab.study(study_of("slow"))
    command = lab.start("run", "trial")
    wait_for_line(command, "build slow" if phase == "build" else "check slow")
    command.send_signal(number)
    ended = lab.end(command)
    assert ended.code == 2
    assert f"stopped by {number.name}" in ended.stderr
    assert lab.left_behind() == []


TRAINED = """
runtime: trained
title: Node.js with a training run
detect: node --version
install: Install Node.js.
replaces: node
launch: node {arguments}
train:
  launch: node --no-deprecation {arguments}
  creates: "{artifacts}/never"
"""


def test_a_signal_in_a_training_run_leaves_nothing_running(lab: Lab) -> None:
    (lab.root / "runtimes" / "trained.yaml").write_text(TRAINED)
    # Answers nothing, so that its training lasts as long as the test wants.
    lab.add_stack("slow", runtimes="[trained]", run='node -e "setTimeout(() => {}, 600000)"')
    lab.study(study_of("slow"))
    command = lab.start("run", "trial")
    lab.child("--no-deprecation")
    command.send_signal(signal.SIGINT)
    ended = lab.end(command)
    assert ended.code == 2
    assert "train slow" in ended.stderr
    assert "stopped by SIGINT" in ended.stderr
    assert lab.left_behind() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_mid_load_keeps_finished_runs_and_resume_goes_on(
    lab: Lab, number: signal.Signals
) -> None:
    lab.study(study_of("go", metrics=NEVER_WITHHELD))
    command = lab.start("run", "trial", "--profile", "moment")
    wait_for_line(command, "001-")
    command.send_signal(number)
    ended = lab.end(command)
    assert ended.code == 2
    assert lab.left_behind() == []
    (finished,) = (lab.results() / "runs").glob("001-*/run.json")
    before = finished.read_bytes()

    resumed = lab.run("run", "trial", "--profile", "moment", "--resume")

    assert resumed.code == 0, resumed.stderr
    assert statuses(lab.results()) == ["completed"] * 2
    assert finished.read_bytes() == before


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """A study whose lab was killed after its first run."""
    lab = Lab(tmp_path_factory.mktemp("killed"))
    lab.study(study_of("go", metrics=NEVER_WITHHELD))
    command = lab.start("run", "trial", "--profile", "moment")
    wait_for_line(command, "001-")
    command.send_signal(signal.SIGKILL)
    lab.end(command)
    return lab


def test_resume_refuses_what_changed_and_names_it(killed: Lab) -> None:
    killed.study(study_of("go", blocks=2, metrics=NEVER_WITHHELD))
    ended = killed.run("run", "trial", "--profile", "moment", "--resume")
    assert ended.code == 2
    assert "blocks" in ended.stderr
    killed.study(study_of("go", metrics=NEVER_WITHHELD))
    contract = killed.root / "systems" / "mediation" / "contract"
    for changed, named in (
        (contract / "answer_checks.py", "system mediation"),
        (contract / "lib" / "gateway.py", "system mediation"),
        (killed.gateways / "go" / "main.go", "stack go"),
    ):
        text = changed.read_text()
        changed.write_text(f"{text}\n{'#' if changed.suffix == '.py' else '//'} changed\n")
        ended = killed.run("run", "trial", "--profile", "moment", "--resume")
        assert ended.code == 2
        assert named in ended.stderr
        changed.write_text(text)


def test_what_sigkill_leaves_is_removed_by_the_next_start(killed: Lab) -> None:
    resumed = killed.run("run", "trial", "--profile", "moment", "--resume")

    assert resumed.code == 0, resumed.stderr
    assert statuses(killed.results()) == ["completed"] * 2
    assert killed.left_behind() == []
