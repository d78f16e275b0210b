"""What is advised where a window began too early: what can be typed there, and would have helped."""

import dataclasses

import pytest

from loadstone.audit.warm_up_advice import longer_warm_up
from loadstone.results.record import SteadyBy, Window
from loadstone.results.window import WindowedRun
from loadstone.study.values.arrivals import Stage, Users
from warming_runs import template

SET = "a time that is longer than the warm-up that was seen"
UNWATCHED = "write `warm_up: steady`, or a longer one"


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> WindowedRun:
    return template(tmp_path_factory.mktemp("plain"))


def began(plain: WindowedRun, by: SteadyBy | None, **facts: object) -> WindowedRun:
    window = Window(start_ns=1, end_ns=2, warm_up="steady" if by else "fixed", steady_by=by)
    record = plain.record.model_copy(update={**facts, "window": window})
    return dataclasses.replace(plain, record=record, window=window)


@pytest.mark.parametrize(
    ("by", "study", "bench"),
    [
        (None, UNWATCHED, "give `--warm-up steady`, or a longer one"),
        ("idle", f"set a fixed `warm_up` to {SET}", f"set `--warm-up` to {SET}"),
        ("level", f"set a fixed `warm_up` to {SET}", f"set `--warm-up` to {SET}"),
        ("no-sign", f"set a fixed `warm_up` to {SET}", f"set `--warm-up` to {SET}"),
        (
            "cap",
            "allow its warm-up a higher `at_most`",
            "set `--warm-up` to a time that is longer than what was seen",
        ),
    ],
)
def test_it_fits_how_the_window_began_and_where_that_is_typed(
    plain: WindowedRun, by: SteadyBy | None, study: str, bench: str
) -> None:
    no_study = plain.record.run.model_copy(update={"factors": {}})
    assert longer_warm_up([began(plain, by)]) == study
    assert longer_warm_up([began(plain, by, run=no_study)]) == bench


def test_one_window_at_the_cap_is_enough_for_a_higher_one(plain: WindowedRun) -> None:
    runs = [began(plain, "idle"), began(plain, "cap"), began(plain, "idle")]
    assert longer_warm_up(runs) == "allow its warm-up a higher `at_most`"


def test_bench_watches_no_load_that_changes(plain: WindowedRun) -> None:
    no_study = plain.record.run.model_copy(update={"factors": {}})
    ramp = Users(stages=(Stage(to=8, over_ns=plain.window.end_ns),))
    assert longer_warm_up([began(plain, None, run=no_study, arrivals=ramp)]) == (
        "give a longer `--warm-up`"
    )
