"""What a watched warm-up cost: figures where it was seen to end, bounds where it was not."""

import dataclasses
from pathlib import Path

import polars as pl
import pytest

from loads import course, ticks
from loadstone.analysis.figures.arm_figures import arm_figure
from loadstone.analysis.figures.run_figures import run_figures
from loadstone.analysis.figures.warm_up_figures import steady_from_ns
from loadstone.analysis.model import RunFigure
from loadstone.metrics.catalogue import metric
from loadstone.results.record import SteadyBy, Window
from loadstone.results.window import WindowedRun
from loadstone.study.values.arrivals import Stage
from observed import observed
from results_builder import STARTED_UNIX_NS, closed, rate
from simulated_load import SECOND_NS

COLD, WARM = 100, 400
WATCHED = ("time_to_steady", "requests_until_steady", "warm_up_loss")


def warmed(run: WindowedRun, by: SteadyBy = "idle", cold: int = 15, start: int = 30) -> WindowedRun:
    """A load that is cold for a while, with a window of 20 s."""
    load = course(run, [COLD] * cold + [WARM] * (start + 20 - cold))
    window = Window(
        start_ns=start * SECOND_NS,
        end_ns=(start + 20) * SECOND_NS,
        warm_up="steady",
        steady_by=by,
    )
    return dataclasses.replace(load, window=window)


def with_ticks(run: WindowedRun, table: pl.DataFrame) -> WindowedRun:
    changed = dataclasses.replace(run)
    changed.__dict__["ticks"] = table  # in place of the file's
    return changed


def test_an_idle_compiler_was_idle_for_ten_seconds_before(tmp_path: Path) -> None:
    found = run_figures(warmed(observed(tmp_path)))
    assert found["time_to_steady"] == RunFigure(value=20e9, state="value")
    assert found["requests_until_steady"].value == 15 * COLD + 5 * WARM
    assert found["warm_up_loss"].value == pytest.approx(15e9 * (1 - COLD / WARM))


@pytest.mark.parametrize(
    ("by", "start", "changes", "expected"),
    [
        ("idle", 12, 0, 2),
        ("idle", 6, 0, 0),
        ("idle", 30, 25, 25),
        ("level", 45, 0, 25),
        ("level", 90, 0, 60),
        ("level", 100, 10, 70),
        ("no-sign", 15, 0, 0),
    ],
)
def test_it_is_steady_from_where_the_decision_began_to_look(
    by: SteadyBy, start: int, changes: int, expected: int
) -> None:
    window = Window(
        start_ns=start * SECOND_NS, end_ns=200 * SECOND_NS, warm_up="steady", steady_by=by
    )
    assert steady_from_ns(window, changes * SECOND_NS) == expected * SECOND_NS


def test_a_warm_up_at_its_cap_has_bounds_and_so_has_its_arm(tmp_path: Path) -> None:
    capped = run_figures(warmed(observed(tmp_path), "cap", cold=24))
    assert {capped[name].state for name in WATCHED} == {"not reached"}
    assert {capped[name].reason for name in WATCHED} == {"not seen to be steady within 30 s"}
    assert capped["time_to_steady"].at_least == 10e9
    assert capped["requests_until_steady"].at_least == 10 * COLD
    assert capped["warm_up_loss"].at_least == pytest.approx(24e9 * (1 - COLD / WARM))
    runs = [RunFigure(value=20e9, state="value"), capped["time_to_steady"]]
    arm = arm_figure(metric("time_to_steady"), runs, 2, None)
    assert (arm.state, arm.reason) == ("not reached", "1 of 2 runs were not seen to be steady")


@pytest.mark.parametrize(
    ("warm_up", "reason"),
    [
        ("fixed", "the warm-up was set, and nothing watched when the service was steady"),
        ("none", "the load has no warm-up"),
        ("detected", "the warm-up was detected after the load, and not watched"),
        ("not found", "the load never came to a level"),
    ],
)
def test_another_warm_up_does_not_tell(tmp_path: Path, warm_up: str, reason: str) -> None:
    run = observed(tmp_path)
    window = run.window.model_copy(update={"warm_up": warm_up})
    found = run_figures(dataclasses.replace(run, window=window))
    assert {(found[name].state, found[name].reason) for name in WATCHED} == {
        ("not measured", reason)
    }


def test_a_rate_loses_no_work(tmp_path: Path) -> None:
    found = run_figures(warmed(observed(tmp_path, workload=rate(100))))
    assert found["time_to_steady"].value == 20e9
    assert found["warm_up_loss"].reason == (
        "the load is a rate, which asks for no more of a warm service"
    )


def test_while_users_come_nothing_is_steady(tmp_path: Path) -> None:
    ramp = (Stage(to=20, over_ns=25 * SECOND_NS),)
    run = observed(tmp_path, workload=closed(seconds=50, ramp=ramp))
    assert run_figures(warmed(run))["time_to_steady"].value == 25e9


def test_compilers_count_from_the_load_to_the_windows_end(tmp_path: Path) -> None:
    run = warmed(observed(tmp_path))
    seconds = range(-10, 61)
    table = ticks([0.0] * len(seconds), STARTED_UNIX_NS - 10 * SECOND_NS).with_columns(
        compile_run_ns=pl.Series([1_000 * SECOND_NS + 2 * second for second in seconds]),
    )
    assert run_figures(with_ticks(run, table))["compile_cpu"].value == 2 * 50
    without = table.with_columns(compile_run_ns=pl.lit(None, pl.Int64))
    assert run_figures(with_ticks(run, without))["compile_cpu"] == RunFigure(
        value=None,
        state="not measured",
        reason="the service has no compile threads, or they are not known",
    )
    (service,) = run.services
    others = [each for each in run.record.processes if each is not service]
    never = service.model_copy(update={"compiles": False})
    run.__dict__["record"] = run.record.model_copy(update={"processes": (*others, never)})
    assert run_figures(with_ticks(run, table))["compile_cpu"].reason == (
        "no runtime of the service compiles while it runs"
    )
