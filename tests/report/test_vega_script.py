"""The drawing library of a page is put together once, and the same ever after."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import vl_convert

from loadstone.report.charts import vega_script as charts
from loadstone.report.charts.vega_script import vega_script


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield tmp_path / "cache"
    vega_script.cache_clear()


def script_of_another_command() -> str:
    vega_script.cache_clear()
    return vega_script()


def test_what_was_kept_is_what_the_package_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    made = script_of_another_command()
    assert "window.vegaEmbed" in made
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda _: "made again")
    assert script_of_another_command() == made


def test_another_version_of_the_package_gives_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    before = script_of_another_command()
    monkeypatch.setattr(charts, "version", lambda _: "another")
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda _: "another script")
    assert script_of_another_command() == "another script" != before


def test_without_a_cache_it_is_made_each_time(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.touch()  # no folder can be made there
    made = script_of_another_command()
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda _: "made again")
    assert made != script_of_another_command() == "made again"
