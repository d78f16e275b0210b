"""The maker of large studies, held against the package that reads histogram logs."""

from pathlib import Path

import numpy as np
import pytest
from hdrh.histogram import HdrHistogram

from large_study.write import write_study
from loadstone.analysis.analyse import analyse
from loadstone.metrics.outcomes import Clock
from loadstone.results import folder
from loadstone.results.histogram_log import read_histograms
from loadstone.results.timeline import read_timeline


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("large") / "study"
    return write_study(directory, arms=2, blocks=2, seconds=6, processes=1)


def run_of(study: Path) -> Path:
    return min((study / folder.RUNS).iterdir())


def test_its_histogram_log_is_what_the_hdrhistogram_package_reads(study: Path) -> None:
    path = run_of(study) / folder.HISTOGRAMS
    expected: dict[str, np.ndarray] = {}
    for line in path.read_text().splitlines():
        if line.startswith("Tag="):
            decoded = HdrHistogram.decode(line.rpartition(",")[2])
            tag = line.removeprefix("Tag=").split(",")[0]
            counts = np.frombuffer(decoded.counts, dtype=np.int64)
            expected[tag] = expected.get(tag, 0) + counts
    found = read_histograms(path, lambda _start_ns, _end_ns: True)
    assert len(found) == len(expected) > 15
    for key, histogram in found.items():
        tag = "/".join(filter(None, (key.operation, key.clock, "ok" if key.ok else "failed")))
        assert np.array_equal(np.trim_zeros(expected[tag], "b"), histogram.counts)


def test_its_timeline_tells_of_the_same_requests(study: Path) -> None:
    histograms = read_histograms(run_of(study) / folder.HISTOGRAMS, lambda _, __: True)
    timeline = read_timeline(run_of(study) / folder.TIMELINE)
    assert len(timeline) == 6 + 1
    assert sum(each.ok for each in timeline) == sum(
        histogram.count
        for key, histogram in histograms.items()
        if key.ok and key.clock is Clock.RESPONSE_TIME
    )


def test_nothing_of_it_is_withheld(study: Path) -> None:
    analysis, findings = analyse(study)
    assert [each for each in findings if each.severity == "withhold"] == []
    assert {cell.runs_completed for cell in analysis.cells} == {2}


def test_the_same_seed_makes_the_same_bytes(study: Path, tmp_path: Path) -> None:
    again = write_study(tmp_path / "again", arms=2, blocks=2, seconds=6, processes=1)
    for path in (each for each in study.rglob("*") if each.is_file()):
        if path.name not in (folder.ANALYSIS, folder.FINDINGS):
            assert path.read_bytes() == (again / path.relative_to(study)).read_bytes()
