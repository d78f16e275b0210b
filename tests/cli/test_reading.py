from io import StringIO

import pytest
from rich.console import Console

from loadstone.cli import reading
from loadstone.cli.reading import reading_study


@pytest.fixture
def console() -> Console:
    return Console(file=StringIO(), force_terminal=False, width=80)


def lines(console: Console) -> list[str]:
    assert isinstance(console.file, StringIO)
    return console.file.getvalue().splitlines()


def test_what_is_soon_read_says_nothing(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "AFTER_SECONDS", 3_600.0)
    with reading_study(console) as progress:
        progress.on_read(1, 2)
        progress.on_read(2, 2)
        with progress.step("making the report"):
            pass
    assert lines(console) == []


def test_a_long_study_says_how_many_runs_are_read_and_each_step_once(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "AFTER_SECONDS", 0.0)
    monkeypatch.setattr(reading, "STEP_SECONDS", 3_600.0)
    with reading_study(console) as progress:
        for read in range(1, 11):
            progress.on_read(10 * read, 100)
        with progress.step("making the report"):
            pass
    assert lines(console) == ["reading runs: 10 of 100", "comparing arms", "making the report"]


def test_a_terminal_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(file=StringIO(), force_terminal=True, width=80, _environ={"TERM": "xterm"})
    with reading_study(console) as progress:
        progress.on_read(1, 2)
    assert isinstance(console.file, StringIO)
    shown = console.file.getvalue()
    assert "reading runs: 1 of 2" in shown
    assert shown.endswith("\x1b[2K")  # the line is cleared
