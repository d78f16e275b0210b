import shutil
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest

from large_study.write import write_study
from loadstone.errors import InputError
from loadstone.results import cache, folder, histogram_log, window_times_form
from loadstone.results.record import Window
from loadstone.results.window_times import WindowTimes, read_window_times

SECOND_NS = 10**9
LOAD_NS = 6 * SECOND_NS
WINDOW = Window(start_ns=SECOND_NS, end_ns=LOAD_NS, warm_up="fixed")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("times")
    study = write_study(directory / "study", arms=1, blocks=1, seconds=6, processes=1)
    (run,) = (study / folder.RUNS).iterdir()
    return run / folder.HISTOGRAMS


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One number for each time that a log is decoded."""
    calls: list[int] = []
    intervals_of = histogram_log.intervals_of

    def counting(*arguments: object) -> object:
        calls.append(1)
        return intervals_of(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("loadstone.results.window_times.intervals_of", counting)
    return calls


def plain(times: WindowTimes) -> tuple[object, ...]:
    return (
        [
            (key, each.layout, each.counts.dtype, each.counts.tolist())
            for key, each in times.histograms.items()
        ],
        {name: [astuple(each) for each in found] for name, found in times.intervals.items()},
    )


def read(log: Path, window: Window = WINDOW, load_ns: int = LOAD_NS) -> tuple[object, ...]:
    return plain(read_window_times(log, window, load_ns))


def test_cached_times_are_those_of_the_log_bit_for_bit(log: Path, decoded: list[int]) -> None:
    assert read(log) == read(log)
    assert len(decoded) == 1


def test_a_changed_log_is_read_anew(log: Path, decoded: list[int], tmp_path: Path) -> None:
    read(log)
    shorter = tmp_path / folder.HISTOGRAMS
    shorter.write_text("".join(log.read_text().splitlines(keepends=True)[:-1]))
    assert read(shorter) != read(log)
    assert len(decoded) == 2


def test_the_same_log_elsewhere_is_read_from_the_cache(
    log: Path, decoded: list[int], tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copy(log, copy)
    assert read(copy) == read(log)
    assert len(decoded) == 1


@pytest.mark.parametrize(
    ("window", "load_ns"),
    [
        (WINDOW.model_copy(update={"start_ns": 2 * SECOND_NS}), LOAD_NS),
        (WINDOW.model_copy(update={"end_ns": 5 * SECOND_NS}), LOAD_NS),
        (WINDOW.model_copy(update={"end_ns": 3 * SECOND_NS}), LOAD_NS - SECOND_NS),
    ],
)
def test_another_window_of_the_same_log_is_another_entry(
    log: Path, decoded: list[int], window: Window, load_ns: int
) -> None:
    assert read(log) != read(log, window, load_ns)
    assert len(decoded) == 2


def test_a_new_form_does_not_read_what_an_old_one_kept(
    log: Path, decoded: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    read(log)
    monkeypatch.setattr("loadstone.results.window_times.FORM", window_times_form.FORM + 1)
    read(log)
    assert len(decoded) == 2


def test_an_entry_of_another_form_is_read_anew(
    log: Path, decoded: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = read(log)
    monkeypatch.setattr(cache, "fetch", lambda _: {"head": np.zeros(0, np.uint8)})
    assert read(log) == expected
    assert len(decoded) == 2


def test_a_broken_log_is_an_error_each_time(log: Path, tmp_path: Path) -> None:
    broken = tmp_path / folder.HISTOGRAMS
    broken.write_text(log.read_text() + "Tag=x\n" + log.read_text())
    for _ in range(2):
        with pytest.raises(InputError, match="not an interval"):
            read(broken)
