"""`--resume` goes on with the newest unfinished results of this very study and profile."""

import json
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab import NEVER_WITHHELD, Lab, study_of, wait_for_line

RESUME = ("run", "trial", "--profile", "short", "--resume")
LATER = "29990101T00000{}Z"
"""A time in the name of a results folder that is newer than any other."""


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A study that was stopped in its first load."""
    lab = Lab(tmp_path_factory.mktemp("unfinished"))
    lab.study(study_of("go", metrics=NEVER_WITHHELD))
    command = lab.start("run", "trial", "--profile", "short")
    wait_for_line(command, "001-")
    command.send_signal(signal.SIGINT)
    lab.end(command)
    yield lab
    assert lab.left_behind() == []


@pytest.fixture
def alone(unfinished: Lab, tmp_path: Path) -> Path:
    """A folder with nothing but a copy of its results."""
    results = unfinished.results()
    shutil.copytree(results, tmp_path / results.name)
    return tmp_path / results.name


def beside(results: Path, name: str, **changes: object) -> Path:
    """Copy a results folder, with keys of its plan changed."""
    copy = results.parent / name
    shutil.copytree(results, copy)
    plan = json.loads((copy / "plan.json").read_text())
    (copy / "plan.json").write_text(json.dumps(plan | changes))
    return copy


def finished(results: Path, name: str) -> Path:
    """Copy a results folder, with a record for every run."""
    copy = beside(results, name)
    (record, *_) = copy.glob("runs/001-*/run.json")
    done = json.loads(record.read_text())
    for planned in json.loads((copy / "plan.json").read_text())["runs"]:
        its = copy / "runs" / planned["id"] / "run.json"
        its.parent.mkdir(exist_ok=True)
        its.write_text(json.dumps(done | {"status": "completed"}))
    return copy


def test_neither_another_study_nor_another_profile_nor_what_is_finished_is_taken(
    unfinished: Lab, alone: Path
) -> None:
    others = (
        beside(alone, f"trial-tls-{LATER.format(1)}", study="trial-tls"),
        beside(alone, f"trial-{LATER.format(2)}", profile="long"),
        finished(alone, f"trial-{LATER.format(3)}"),
    )
    before = [sorted(each.rglob("*")) for each in others]

    ended = unfinished.run(*RESUME, "--out", str(alone.parent))

    assert ended.code == 0, ended.stderr
    assert f"records: {alone}" in ended.stderr
    records = [json.loads(path.read_text()) for path in alone.glob("runs/*/run.json")]
    assert [record["status"] for record in records] == ["completed"] * 2
    assert [sorted(each.rglob("*")) for each in others] == before


def test_the_newest_of_several_is_taken(unfinished: Lab, alone: Path) -> None:
    newest = beside(alone, f"trial-{LATER.format(1)}")
    ended = unfinished.run(*RESUME, "--out", str(alone.parent))
    assert f"records: {newest}" in ended.stderr


def test_where_all_are_finished_or_of_another_profile_it_says_which(
    unfinished: Lab, alone: Path
) -> None:
    done = finished(alone, f"trial-{LATER.format(1)}")
    long = beside(alone, f"trial-{LATER.format(2)}", profile="long")
    whole = beside(alone, f"trial-{LATER.format(3)}", profile=None)
    shutil.rmtree(alone)
    ended = unfinished.run(*RESUME, "--out", str(alone.parent), columns=1000)
    assert ended.code == 2
    assert ended.stderr == (
        f"error: there is nothing to resume: {alone.parent} has no unfinished results of trial with "
        f"the profile short: 1 folder of it, all finished, the newest {done}; without a profile, "
        f"{whole} is unfinished; with the profile long, {long} is unfinished\n"
        "hint: run it without --resume; or first remove the folder of each run that is to be done "
        "again; or resume without --profile; or resume with --profile long\n"
    )


def test_where_there_are_no_results_it_says_so(unfinished: Lab, tmp_path: Path) -> None:
    broken = tmp_path / f"trial-{LATER.format(1)}"
    broken.mkdir()
    (broken / "plan.json").write_text("{")
    ended = unfinished.run(*RESUME, "--out", str(tmp_path), columns=1000)
    assert ended.code == 2
    assert f"there is nothing to resume: {tmp_path} has no results of trial; " in ended.stderr
    assert f"1 folder cannot be read: {broken / 'plan.json'}: not JSON" in ended.stderr
    assert "run it without --resume" in ended.stderr
