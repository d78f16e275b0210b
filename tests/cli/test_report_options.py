"""The real commands on built results: thresholds that change figures, and metrics that are refused."""

import json
import shutil
from pathlib import Path

import pytest
from lab import Lab

from loadstone.study.values.stop_rules import StopRules
from results_builder import Behaviour, build_results, rate


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    arms = {"go": Behaviour(median_ms=10, spread=0), "node": Behaviour(median_ms=30, spread=0)}
    directory = tmp_path_factory.mktemp("built")
    return build_results(directory, arms=arms, workloads=(rate(100),), blocks=3)


@pytest.fixture
def study(lab: Lab, built: Path) -> Path:
    return Path(shutil.copytree(built, lab.root / "results" / built.name))


def apdex_of(study: Path) -> list[float]:
    analysis = json.loads((study / "analysis.json").read_text())
    return [
        figure["value"]
        for cell in analysis["cells"]
        for figure in cell["figures"]
        if figure["metric"] == "apdex"
    ]


def test_thresholds_of_apdex_change_it_and_are_told(lab: Lab, study: Path) -> None:
    records = {path: path.read_bytes() for path in study.glob("runs/*/*")}
    assert lab.run("report", str(study)).code == 0
    assert not (study / "charts").exists()
    assert apdex_of(study) == [1, 1]
    assert lab.run("report", str(study), "--apdex", "20ms,1s").code == 0
    assert apdex_of(study) == [1, 0.5]
    told = json.loads((study / "analysis.json").read_text())["apdex"]
    assert told == {"satisfied_ns": 20_000_000, "tolerated_ns": 1_000_000_000}
    assert {path: path.read_bytes() for path in study.glob("runs/*/*")} == records


def test_a_comparison_by_apdex_takes_the_thresholds(lab: Lab, study: Path) -> None:
    options = ("compare", str(study), "--metric", "apdex")
    assert "0.500" not in lab.run(*options).stdout
    assert "-0.500" in lab.run(*options, "--apdex", "20ms,1s").stdout


@pytest.mark.parametrize(
    ("typed", "message", "remedy"),
    [
        ("1s", "not two times", "write 1s,10s"),
        ("10s,1s", "what satisfies takes longer", "write 1s,10s"),
        ("1,10", "has no unit of time", "write 10s"),
        ("fast,slow", "is not a duration", "write 10s"),
    ],
)
def test_thresholds_that_are_none_are_refused(
    lab: Lab, study: Path, typed: str, message: str, remedy: str
) -> None:
    ended = lab.run("report", str(study), "--apdex", typed)
    assert ended.code == 2
    assert message in ended.stderr
    assert remedy in ended.stderr


def test_no_arms_are_compared_by_a_metric_that_is_neither_better_nor_worse(
    lab: Lab, study: Path
) -> None:
    ended = lab.run("compare", str(study), "--metric", "load_average")
    assert ended.code == 2
    assert "neither better nor worse" in ended.stderr
    assert "throughput" in ended.stderr


def test_a_build_is_told_and_not_tested(lab: Lab, study: Path) -> None:
    ended = lab.run("compare", str(study), "--metric", "build_time")
    assert ended.code == 0
    assert "CANNOT TELL" in ended.stdout
    assert "share one build" in " ".join(ended.stdout.split())


def test_images_of_every_chart_are_written_when_asked_for(lab: Lab, study: Path) -> None:
    assert lab.run("report", str(study), "--images").code == 0
    names = {path.stem for path in (study / "charts").iterdir()}
    assert {path.suffix for path in (study / "charts").iterdir()} == {".svg", ".png"}
    assert any(name.endswith("-throughput-over-time") for name in names)


def test_a_service_that_lasted_is_compared_with_nothing(lab: Lab) -> None:
    workload = rate(100).model_copy(update={"stop": StopRules(first_timeout=True)})
    study = build_results(
        lab.root / "results",
        arms={"go": Behaviour(), "node": Behaviour()},
        workloads=(workload,),
        blocks=3,
    )
    ended = lab.run("compare", str(study), "--metric", "time_to_failure")
    assert ended.code == 0
    text = " ".join(ended.stdout.split())
    assert "CANNOT TELL" in text
    assert "time_to_failure of go is not reached: 3 of 3 runs did not fail" in text


def test_the_first_seconds_are_compared_like_the_window(lab: Lab, study: Path) -> None:
    ended = lab.run("compare", str(study), "--metric", "first_10s.response_time.median")
    assert ended.code == 0
    assert "SLOWER  node against go" in ended.stdout
    assert "response time median in first 10 s" in " ".join(ended.stdout.split())
    ended = lab.run("compare", str(study), "--metric", "time_to_steady")
    assert "nothing watched when the service was steady" in " ".join(ended.stdout.split())
