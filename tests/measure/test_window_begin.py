"""When the window of a watched load begins, and what happens to the service's CPUs before."""

import pytest

from loadstone.measure.loading import window_begin
from loadstone.measure.loading.window_begin import WindowBegin
from loadstone.results.service_facts import SETTLE_NS


class Load:
    """A load, a service beside it, and a clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, changes: bool) -> None:
        self.now, self.told = 100.0, list[str]()
        self._changes = changes
        monkeypatch.setattr(window_begin.time, "monotonic", lambda: self.now)
        self.window = WindowBegin(self, self._end_warm_up)

    def begin_window(self) -> None:
        self.told.append("window")

    def _end_warm_up(self) -> bool:
        self.told.append("quota")
        return self._changes

    def after(self, seconds: float) -> list[str]:
        self.now += seconds
        self.window.look()
        return self.told


def test_it_begins_at_once_where_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    load = Load(monkeypatch, changes=False)
    assert load.after(60) == []
    load.window.end_warm_up()
    assert load.after(0) == ["quota", "window"]
    load.window.has_begun()
    assert load.after(60) == ["quota", "window"]


def test_a_service_with_fewer_cpus_settles_first(monkeypatch: pytest.MonkeyPatch) -> None:
    load = Load(monkeypatch, changes=True)
    load.window.end_warm_up()
    assert load.after(SETTLE_NS / 1e9 - 0.1) == ["quota"]
    assert load.after(0.2) == ["quota", "window"]


def test_the_longest_warm_up_ends_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    load = Load(monkeypatch, changes=True)
    load.window.has_begun()
    assert load.after(60) == ["quota"]


def test_a_window_that_begins_while_it_settles_is_not_begun_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    load = Load(monkeypatch, changes=True)
    load.window.end_warm_up()
    load.window.has_begun()
    assert load.after(60) == ["quota"]
