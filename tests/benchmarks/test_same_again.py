"""One arm against itself: groups of blocks are judged as studies, and all of them are told."""

import json
from pathlib import Path

import pytest

from benchmarks.lab.__main__ import FIGURES, main
from benchmarks.lab.same_again import groups_of, is_different
from loadstone.errors import ExitCode
from results_builder import Behaviour, build_results, closed

SHORT = closed(4, seconds=3, warm_up=1)


def built(directory: Path, second: Behaviour, blocks: int = 12) -> Path:
    return build_results(
        directory,
        arms={"go": Behaviour(), "go-again": second},
        workloads=(SHORT,),
        blocks=blocks,
        seed=3,
        metrics=("throughput",),
    )


def test_equal_arms_are_judged_in_disjoint_groups(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = built(tmp_path, Behaviour())
    assert main(["--of", str(results)]) == ExitCode.OK
    assert "0 of 2 different (at most 12.5%): holds; 0 groups left out" in capsys.readouterr().out
    kept = json.loads((results / FIGURES).read_text())
    assert [group["first_block"] for group in kept["groups"]] == [1, 7]


def test_arms_that_differ_are_found_in_every_group(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = built(tmp_path, Behaviour(median_ms=30))
    assert main(["--of", str(results)]) == ExitCode.DOES_NOT_HOLD
    assert "2 of 2 different" in capsys.readouterr().out


def test_a_group_with_a_run_that_failed_is_left_out_and_said(tmp_path: Path) -> None:
    groups, left_out = groups_of(built(tmp_path, Behaviour(failing_blocks=(3,))))
    assert ([group.first_block for group in groups], left_out) == ([7], 1)
    assert not any(map(is_different, groups))


def test_what_is_left_of_the_blocks_is_no_group(tmp_path: Path) -> None:
    groups, left_out = groups_of(built(tmp_path, Behaviour(), blocks=8))
    assert (len(groups), left_out) == (1, 0)


def test_results_of_another_shape_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = build_results(tmp_path, arms={"go": Behaviour()}, workloads=(SHORT,), blocks=1)
    assert main(["--of", str(other)]) == ExitCode.COULD_NOT_RUN
    assert "not two arms under one workload" in capsys.readouterr().err
