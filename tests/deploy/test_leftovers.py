"""What killed labs left is told in one line."""

from pathlib import Path

import pytest

from loadstone.deploy import leftovers
from loadstone.deploy.confinement import lab_groups
from loadstone.machine import ownership
from loadstone.machine.ownership import Leftover


@pytest.mark.parametrize(
    ("commands", "groups", "folders", "said"),
    [
        ([], 0, 0, None),
        (["/opt/bin/engine run"], 0, 0, "1 process (engine)"),
        (["./a", "./b", "./b x"], 2, 1, "3 processes (a, b), 2 control groups, 1 temporary folder"),
        (["a", "b", "c", "d"], 1, 0, "4 processes (a, b, c, ...), 1 control group"),
    ],
)
def test_each_kind_is_counted_and_processes_are_named(
    monkeypatch: pytest.MonkeyPatch,
    commands: list[str],
    groups: int,
    folders: int,
    said: str | None,
) -> None:
    killed = tuple(Leftover(pid, command) for pid, command in enumerate(commands))
    monkeypatch.setattr(ownership, "sweep", lambda: killed)
    monkeypatch.setattr(lab_groups, "sweep", lambda: (Path("/group"),) * groups)
    monkeypatch.setattr(ownership, "sweep_scratch", lambda: (Path("/folder"),) * folders)
    assert leftovers.sweep() == said
