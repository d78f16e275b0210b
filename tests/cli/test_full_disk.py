"""A disk that takes no more ends the study at once, says where, and keeps what is finished."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab import NEVER_WITHHELD, Lab, study_of, wait_for_line
from servers import Hello, http_server

ROOM_BYTES = 6144
"""Enough for the plan, too little for the histograms of one run."""


def test_the_study_stops_and_names_the_file_and_the_way_on(lab: Lab) -> None:
    shutil.rmtree(lab.root / "systems" / "mediation" / "published")  # longer than histograms
    lab.study(study_of("go", metrics=NEVER_WITHHELD))
    words = ("run", "trial", "--profile", "moment")
    assert lab.run(*words, "--out", "built").code == 0, "there is room to build"
    ended = lab.run(*words, file_bytes=ROOM_BYTES)
    assert ended.code == 2
    error, hint = ended.stderr.splitlines()[-2:]
    assert error.startswith("error: cannot write "), error
    assert re.search(r"/runs/001-[^/]*/\S+: File too large", error), error
    assert "MiB are free there; finished runs are kept" in error
    assert hint.startswith("hint: free disk space there, or lift the limit on file sizes")
    assert hint.endswith("--profile moment --out results --resume")
    assert lab.left_behind() == []
    assert not list((lab.results() / "runs").glob("*/run.json")), "it is not a result of the stack"


def test_a_disk_too_small_for_the_plan_starts_nothing(lab: Lab) -> None:
    lab.study(study_of("go", metrics=NEVER_WITHHELD))
    ended = lab.run("run", "trial", file_bytes=1024)
    assert ended.code == 2
    assert "plan.json: File too large" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("room_bytes", "error"),
    [(0, "error: no temporary folder can be written"), (2048, "error: cannot write ")],
)
def test_a_load_of_a_url_says_the_same(lab: Lab, room_bytes: int, error: str) -> None:
    with http_server(Hello) as url:
        ended = lab.run("bench", url, "--duration", "1s", file_bytes=room_bytes)
    assert ended.code == 2
    assert ended.stderr.startswith(error), ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.fixture
def small_disk(lab: Lab) -> Iterator[Path]:
    """A file system with room for a run or two."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    place = lab.root / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", place],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr}")
    yield place
    subprocess.run(["umount", place], check=True)


@pytest.mark.slow
def test_with_room_again_the_study_goes_on_where_it_stopped(lab: Lab, small_disk: Path) -> None:
    lab.study(study_of("go", metrics=NEVER_WITHHELD))
    words = ("run", "trial", "--profile", "short", "--out", str(small_disk))
    command = lab.start(*words)
    wait_for_line(command, "001-")
    command.send_signal(signal.SIGINT)
    lab.end(command)
    (finished,) = small_disk.glob("*/runs/001-*/run.json")
    before, results = finished.read_bytes(), finished.parents[2]
    filling = small_disk / "filling"
    with pytest.raises(OSError, match="No space left"):
        filling.write_bytes(bytes(1 << 20))

    full = lab.run(*words, "--resume")

    assert full.code == 2
    assert "No space left on device" in full.stderr
    assert "0.0 MiB of 0.3 MiB are free there" in full.stderr
    assert "Traceback" not in full.stderr
    assert finished.read_bytes() == before
    assert lab.run("compare", str(results)).code == 0

    filling.unlink()
    resumed = lab.run(*words, "--resume")
    assert len(list(results.glob("runs/*/run.json"))) == 2, resumed.stderr
    assert finished.read_bytes() == before
