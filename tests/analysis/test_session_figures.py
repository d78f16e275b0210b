"""Figures of sessions and of users, against those of the simulated sessions themselves."""

from pathlib import Path

import numpy as np
import pytest

from loadstone.analysis.cells.examine import examine
from loadstone.analysis.figures.run_figures import GROUP_METRICS, group_figures, run_figures
from loadstone.analysis.figures.user_figures import user_figures
from loadstone.metrics.catalogue import SESSION_QUANTILES
from loadstone.results import folder
from loadstone.results.read import read_record
from loadstone.results.users import UserColumns
from loadstone.results.window import WindowedRun, read_windowed_run
from loadstone.simulate.load import SimulatedLoad, simulate_load
from loadstone.simulate.sessions import CUT, FINISHED
from results_builder import Behaviour, build_results
from simulated_load import SECOND_NS, group, grouped, step

WORKLOAD = grouped(
    group("bookers", users=20),
    group("browsers", step("list", think_ms=5), step("show"), users=20),
    seconds=30,
    warm_up=5,
)
FAILING = Behaviour(failing_share=0.002, run_spread=0.0)


def run_of(
    directory: Path, behaviour: Behaviour = FAILING, workload: object = WORKLOAD
) -> WindowedRun:
    results = build_results(
        directory, arms={"go": behaviour}, workloads=(workload,), blocks=1, block_spread=0.0
    )
    (path,) = (results / folder.RUNS).iterdir()
    return read_windowed_run(read_record(path / folder.RECORD), path)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> WindowedRun:
    return run_of(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def load(run: WindowedRun) -> SimulatedLoad:
    return simulate_load(WORKLOAD, FAILING, 1.0, np.random.default_rng(run.record.run.seed))


@pytest.mark.parametrize("name", ["bookers", "browsers"])
def test_figures_of_a_group_are_those_of_its_sessions(
    run: WindowedRun, load: SimulatedLoad, name: str
) -> None:
    sessions = next(each.sessions for each in load.groups if each.group.name == name)
    inside = (sessions.ended_ns >= 5 * SECOND_NS) & (sessions.end != CUT)
    finished = sessions.end[inside] == FINISHED
    durations = (sessions.ended_ns - sessions.first_ns)[inside]
    ranked = np.sort(np.where(finished, durations, np.iinfo(np.int64).max))
    figures = group_figures(run, run.groups[name])
    for metric, quantile in SESSION_QUANTILES.items():
        expected = ranked[max(1, int(np.ceil(quantile * len(ranked)))) - 1]
        if expected == np.iinfo(np.int64).max:
            assert figures[metric].state == "failed"
            assert "sessions were aborted" in figures[metric].reason
        else:
            assert figures[metric].value == pytest.approx(expected, rel=0.002)
    assert figures["session.duration.mean"].value == pytest.approx(
        durations[finished].mean(), rel=0.002
    )
    in_window = sessions.ended_ns < 30 * SECOND_NS
    count = int(
        ((sessions.end == FINISHED) & (sessions.ended_ns >= 5 * SECOND_NS) & in_window).sum()
    )
    assert figures["session.throughput"].value == count / 25
    assert figures["session.failures"].value == pytest.approx(1 - finished.mean())


def test_figures_of_all_groups_are_over_all_their_sessions(run: WindowedRun) -> None:
    together = run_figures(run)
    apart = [group_figures(run, part) for part in run.groups.values()]
    total = sum(each["session.throughput"].value or 0 for each in apart)
    assert together["session.throughput"].value == pytest.approx(total)
    medians = [each["session.duration.median"].value or 0 for each in apart]
    assert min(medians) <= (together["session.duration.median"].value or 0) <= max(medians)
    assert list(apart[0]) == [*GROUP_METRICS]


def test_users_count_once_each(run: WindowedRun, load: SimulatedLoad) -> None:
    bookers = load.groups[0]
    ok = (bookers.requests.outcome == "ok") & (bookers.requests.done_ns >= 5 * SECOND_NS)
    times = bookers.requests.done_ns - bookers.requests.intended_ns
    means = sorted(times[ok & (bookers.steps.place == user)].mean() for user in range(20))
    figures = user_figures(run, run.groups["bookers"])
    assert figures["user.response_time.median"].value == pytest.approx(means[9])
    assert figures["user.response_time.p90"].value == pytest.approx(means[17])
    assert figures["user.response_time.max"].value == pytest.approx(means[19])


def test_a_user_without_an_answer_is_above_all_others(tmp_path: Path) -> None:
    hung = run_of(tmp_path, Behaviour(hung_users=1))
    figures = user_figures(hung, hung.groups["bookers"])
    assert figures["user.response_time.max"].state == "failed"
    assert figures["user.response_time.max"].reason == "1 of 20 users had no ok answer"
    assert figures["user.response_time.median"].state == "value"


def test_an_engine_that_told_service_times_alone_has_no_figure_of_users(run: WindowedRun) -> None:
    told = run.users
    assert told is not None
    older = UserColumns.model_validate({**told.model_dump(), "mean_response_ns": ()})
    changed = type(run)(**{name: getattr(run, name) for name in run.__dataclass_fields__})
    changed.__dict__["users"] = older
    reasons = {each.reason for each in user_figures(changed, None).values()}
    assert reasons == {"the engine told only the service times of users"}


def test_of_a_rate_there_are_no_users(tmp_path: Path) -> None:
    arriving = grouped(group("raters", per_second=50), group("others", per_second=20), seconds=8)
    figures = run_figures(run_of(tmp_path, workload=arriving))
    assert figures["user.response_time.max"].reason == "a rate has no users"
    assert figures["session.throughput"].value == pytest.approx(70, rel=0.03)


def test_a_session_of_one_request_has_the_figures_of_it(tmp_path: Path) -> None:
    single = grouped(
        group("a", step("list"), users=2), group("b", step("list"), users=2), seconds=8
    )
    figures = run_figures(run_of(tmp_path, workload=single))
    assert figures["session.duration.p99"].state == "not measured"
    assert "each session is one request" in figures["session.duration.p99"].reason


def test_a_cell_has_groups_operations_in_them_and_operations_over_them(tmp_path: Path) -> None:
    workload = grouped(
        group("bookers", users=4), group("raters", step("log-in"), step("rate"), users=4), seconds=8
    )
    results = build_results(
        tmp_path, arms={"go": Behaviour(ending_share=0.05)}, workloads=(workload,), blocks=3
    )
    cell = examine(results).cells["go", "grouped"].cell
    assert [each.group for each in cell.groups] == ["bookers", "raters"]
    names = [(each.group, each.operation) for each in cell.operations]
    assert names == [
        ("bookers", "bookers.log-in"),
        ("bookers", "bookers.book"),
        ("bookers", "bookers.book.409"),
        ("raters", "raters.log-in"),
        ("raters", "raters.rate"),
    ]
    assert [each.operation for each in cell.over_groups] == ["log-in"]
    both = sum(
        sum(each.outcomes.values()) for each in cell.operations if "log-in" in each.operation
    )
    assert sum(cell.over_groups[0].outcomes.values()) == both
    assert cell.sessions["begun"] == sum(each.sessions["begun"] for each in cell.groups)
    assert cell.sessions["ended_early"] > 0
    assert cell.by_metric["session.duration.median"].value is not None
    assert set(cell.series[0].users_by_group) == {"bookers", "raters"}


def test_a_further_status_that_no_answer_had_is_left_out_and_has_no_box(tmp_path: Path) -> None:
    workload = grouped(group("bookers", users=4), group("others", users=2), seconds=8)
    for share, is_there in ((0.0, False), (0.1, True)):
        results = build_results(
            tmp_path / f"{share}",
            arms={"go": Behaviour(ending_share=share)},
            workloads=(workload,),
            blocks=1,
        )
        cell = examine(results).cells["go", "grouped"].cell
        names = [each.operation for each in cell.operations]
        assert ("bookers.book.409" in names) is is_there
        assert [each.operation for each in cell.boxes] == [
            "bookers.log-in",
            "bookers.book",
            "others.log-in",
            "others.book",
        ]
