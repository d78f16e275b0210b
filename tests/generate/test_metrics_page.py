from pathlib import Path

import pytest

from loadstone.generate import metrics_page
from loadstone.metrics.catalogue import METRICS


def test_the_committed_page_is_what_the_catalogue_says() -> None:
    assert metrics_page.main(["--check"]) == 0


def test_every_metric_has_a_row_with_its_unit() -> None:
    rows = [line for line in metrics_page.page().splitlines() if line.startswith("| `")]
    assert [row.split(" | ")[:2] for row in rows] == [
        [f"| `{info.name}`", info.unit] for info in METRICS
    ]


def test_a_stale_page_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(metrics_page, "PAGE", tmp_path / "metrics.md")
    assert metrics_page.main(["--check"]) == 1
    assert "stale: run `make generate`" in capsys.readouterr().err
    assert metrics_page.main([]) == 0
    assert metrics_page.main(["--check"]) == 0
