"""A dependency that keeps data is seeded, reset and removed in time, however a run ends."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from lab import Lab, study_of, undo_last_run

KEEPER = Path(__file__).with_name("keeper.py")
SEED = ("1-tables.sql", "2-rows.sql")


class Journal:
    """What was done to the dependency."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def entries(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path.read_text().splitlines()]

    def events(self) -> list[str]:
        return [entry["event"] for entry in self.entries()]

    def data_directories(self) -> list[Path]:
        return [Path(entry["data"]) for entry in self.entries() if entry["event"] == "start"]


@pytest.fixture
def journal(lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Journal:
    """The lab's command is the keeper's from now on, and there is something to seed it with."""
    path = tmp_path / "journal"
    monkeypatch.setenv("KEEPER_JOURNAL", str(path))
    lab.command = [sys.executable, KEEPER]
    seed = lab.root / "systems" / "mediation" / "seed" / "backend"
    seed.mkdir(parents=True)
    for name in SEED:
        (seed / name).write_text("select 1;\n")
    lab.study(study_of("go"))
    return Journal(path)


def first_run(lab: Lab) -> dict[str, Any]:
    (path,) = (lab.results() / "runs").glob("001-*/run.json")
    found: dict[str, Any] = json.loads(path.read_text())
    return found


@pytest.mark.slow
def test_it_is_seeded_before_any_request_and_reset_between_check_and_load(
    lab: Lab, journal: Journal
) -> None:
    ended = lab.run("run", "trial", "--profile", "short")
    record = first_run(lab)
    assert record["status"] == "completed", (record["failure"], ended.stderr)
    assert journal.events() == ["start", "seed", "reset", "stop"] * 2
    _, seeded, reset, _ = journal.entries()[:4]
    assert seeded["files"] == list(SEED)
    assert seeded["answered"] == 0, "no service was there yet"
    assert reset["kept"] == list(SEED)
    assert 0 < reset["answered"] < 100, "the start-up clock and the checks, and not the load"
    assert record["phases_ns"]["reset"] > 0
    assert not any(path.exists() for path in journal.data_directories())


@pytest.mark.slow
def test_all_of_its_processes_are_in_the_record_with_its_settings(
    lab: Lab, journal: Journal
) -> None:
    lab.run("run", "trial", "--profile", "short")
    record = first_run(lab)
    parts = [each for each in record["processes"] if each["role"] == "dependency"]
    assert [each["name"] for each in parts] == ["backend", "backend-helper"]
    for part in parts:
        assert part["settings"] == {"durability": "none"}
        assert record["resources"][part["name"]]["rss_peak_bytes"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "reason", "tail", "events"),
    [
        ("deploy", "backend exited with code 1 before it said", "no room", ["start"]),
        ("seed", "backend does not take 1-tables.sql", "near line 1", ["start", "seed", "stop"]),
        ("reset", "backend cannot be reset", "", ["start", "seed", "reset", "stop"]),
        (
            "load",
            "backend exited with code 7 in mid-load",
            "the keeper had enough",
            ["start", "seed", "reset", "stop"],
        ),
    ],
)
def test_where_it_fails_the_run_says_so_and_nothing_of_it_is_left(
    lab: Lab,
    journal: Journal,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    reason: str,
    tail: str,
    events: list[str],
) -> None:
    monkeypatch.setenv("KEEPER_FAILS", step)
    ended = lab.run("run", "trial", "--profile", "short")
    assert ended.code == 1
    failure = first_run(lab)["failure"]
    assert failure["step"] == step, failure
    assert reason in failure["reason"]
    assert tail in failure["log_tail"]
    assert reason in ended.stderr
    assert journal.events() == events * 2
    assert lab.left_behind() == []
    assert not any(path.exists() for path in journal.data_directories())


def test_an_echo_that_is_to_be_seeded_is_refused(lab: Lab, journal: Journal) -> None:
    lab.command = Lab(lab.root / "other").command
    ended = lab.run("run", "trial", "--profile", "short")
    assert ended.code == 1
    failure = first_run(lab)["failure"]
    assert failure["step"] == "seed"
    assert "backend is an echo backend, which keeps no data" in failure["reason"]
    assert "seed/backend" in failure["reason"]


@pytest.mark.slow
def test_a_changed_seed_is_another_study(lab: Lab, journal: Journal) -> None:
    assert lab.run("run", "trial", "--profile", "short").code == 0
    undo_last_run(lab.results())
    seed = lab.root / "systems" / "mediation" / "seed" / "backend" / SEED[1]
    seed.write_text("select 2;\n")
    ended = lab.run("run", "trial", "--profile", "short", "--resume")
    assert ended.code == 2
    assert "system mediation" in ended.stderr


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_lab_that_is_ended_in_mid_load_leaves_no_data_and_no_process_for_long(
    lab: Lab,
    journal: Journal,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: signal.Signals,
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # no other lab of this machine sweeps there
    command = lab.start("run", "trial", "--profile", "short")
    wait_for_load(command, lab)
    (data,) = journal.data_directories()
    assert sorted(path.name for path in data.iterdir()) == list(SEED)
    command.send_signal(number)
    lab.end(command)
    if number is signal.SIGKILL:
        assert data.is_dir(), "nobody was there to remove it"
        ended = lab.run("run", "trial", "--profile", "short", "--resume")
        assert "1 temporary folder" in ended.stderr, "it says what it removed"
    assert lab.left_behind() == []
    assert not data.parent.exists()


def wait_for_load(command: "subprocess.Popen[str]", lab: Lab) -> None:
    """Wait until the engine of the first run writes."""
    while command.poll() is None:
        if any(lab.root.glob("results/*/runs/*/timeline.ndjson")):
            return
        time.sleep(0.02)
    raise AssertionError(f"it ended first: {lab.end(command).stderr}")
