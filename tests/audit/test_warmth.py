"""Whether an arm was warm, by what its runs recorded: known answers, and what they are called."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from warming_series import CENTRES, SECONDS, Series, approach, noisy, step

from loadstone.audit.rules import audit_cell
from loadstone.audit.warmth.loaded_cell import LoadedCell
from loadstone.findings.model import Finding, Severity
from loadstone.results.cost_series import CellCost, cell_cost
from loadstone.results.record import SteadyBy, WarmedFacts
from loadstone.results.window import WindowedRun
from loadstone.study.values.arrivals import Stage, Users
from simulated_load import SECOND_NS
from warming_runs import Load, template, warming_run

LEVEL = np.zeros(SECONDS)
SLOWER_FROM_20 = np.where(CENTRES > 20, np.log(1.2), 0.0)
END = 30
SEEDS = 40


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> WindowedRun:
    return template(tmp_path_factory.mktemp("plain"))


LoadOf = Callable[[int], Load]


def one_load(load: Load) -> LoadOf:
    return lambda _: load


def cell(
    plain: WindowedRun,
    truth: Series,
    *,
    seed: int = 1,
    runs: int = 6,
    end: int = END,
    load_of: LoadOf | None = None,
    variation: float = 0.02,
) -> LoadedCell:
    made = [
        warming_run(
            plain,
            noisy(truth, 1000 * seed + block, variation)[:end],
            load_of(block) if load_of else Load(),
            block,
        )
        for block in range(1, runs + 1)
    ]
    return LoadedCell("spring", "closed", made)


def only(found: tuple[Finding, ...], code: str) -> Finding:
    (finding,) = [each for each in found if each.code == code]
    return finding


def codes(found: tuple[Finding, ...]) -> set[str]:
    return {each.code for each in found}


@pytest.mark.parametrize(
    "truth",
    [
        pytest.param(LEVEL, id="level"),
        pytest.param(step(5, 2), id="half as dear from 5 s on"),
        pytest.param(SLOWER_FROM_20, id="slower from 20 s on"),
    ],
)
def test_a_window_from_10_to_30_s_that_is_level_is_not_accused(
    plain: WindowedRun, truth: Series
) -> None:
    judged = [cell(plain, truth, seed=seed).judgement.warmth for seed in range(SEEDS)]
    assert judged == ["level"] * SEEDS


@pytest.mark.parametrize("time_constant", [10, 40])
def test_one_in_mid_approach_is_found_out(plain: WindowedRun, time_constant: int) -> None:
    truth = approach(time_constant)
    judged = [cell(plain, truth, seed=seed).judgement.warmth for seed in range(SEEDS)]
    assert judged == ["still warming"] * SEEDS


def test_it_is_told_with_its_numbers_and_what_to_do(plain: WindowedRun) -> None:
    finding = only(audit_cell(cell(plain, approach(10))), "still-warming")
    assert finding.severity is Severity.NO_CLAIM
    assert finding.scope == "arm:spring/closed"
    assert finding.evidence.startswith(
        "spring was still warming up (6 of 6 runs): its CPU per ok is at least "
    )
    assert "above what it was heading for (at most 3 %)" in finding.evidence
    assert finding.advice == "write `warm_up: steady`, or a longer one"
    assert "throughput" in finding.metrics
    assert not {"startup", "rss_peak"} & set(finding.metrics)


def test_a_cpu_that_becomes_faster_is_no_warm_up(plain: WindowedRun) -> None:
    """Service and engine share it: what an answer costs of the one falls as that of the other."""
    cells = cell(plain, LEVEL, load_of=lambda block: Load(slower=1 + 0.05 * block))
    assert cells.judgement.warmth == "level"
    noted = only(audit_cell(cells), "slower-cpu")
    assert noted.severity is Severity.NOTE
    assert "the CPU was slower in blocks 4, 5, 6" in noted.evidence


def test_without_the_engines_cpu_time_the_services_tells(plain: WindowedRun) -> None:
    cells = cell(plain, approach(10), load_of=one_load(Load(engine_tells=False)))
    assert cells.judgement.kind == "cpu_per_ok"
    assert cells.judgement.warmth == "still warming"


def test_without_any_the_median_response_time_tells(plain: WindowedRun) -> None:
    cells = cell(plain, approach(10), load_of=one_load(Load(has_cpu=False)))
    assert cells.judgement.kind == "response_time.median"
    assert (
        "its median response time is at least" in only(audit_cell(cells), "still-warming").evidence
    )


@pytest.mark.parametrize(("ok", "end"), [(150, 60), (60, 90)])
def test_of_fewer_answers_a_point_is_of_more_seconds(
    plain: WindowedRun, ok: float, end: int
) -> None:
    load = one_load(Load(ok=ok))
    assert cell(plain, approach(40), end=end, load_of=load).judgement.warmth == "still warming"
    assert cell(plain, LEVEL, end=end, load_of=load).judgement.warmth == "level"


@pytest.mark.parametrize(
    ("load", "end", "reason"),
    [
        (Load(ok=39), 60, "fewer than 40 ok answers a second"),
        (Load(warm_up=2), 8, "the load is too short (fewer than 8 points of 1 s)"),
        (Load(warm_up=28), 30, "the window is too short (fewer than 3 points of 1 s)"),
        (Load(ok=60), 60, "level"),
    ],
    ids=["too few answers", "too few seconds", "a window of too few", "just enough"],
)
def test_too_little_is_not_judged(plain: WindowedRun, load: Load, end: int, reason: str) -> None:
    judgement = cell(plain, approach(5), end=end, load_of=one_load(load)).judgement
    if reason == "level":
        assert judgement.warmth != "not judged"
    else:
        assert (judgement.warmth, judgement.reason) == ("not judged", reason)


def changing(run: WindowedRun, *stages: Stage) -> WindowedRun:
    record = run.record.model_copy(update={"arrivals": Users(stages=stages)})
    run.__dict__["record"] = record
    return run


def test_a_ramp_is_no_part_of_the_series_and_one_in_the_window_is_not_judged(
    plain: WindowedRun,
) -> None:
    def ramped(over: int) -> LoadedCell:
        made = cell(
            plain,
            np.where(CENTRES < 10, np.log(3), 0.0),
            load_of=one_load(Load(warm_up=20)),
            end=60,
        )
        for run in made.runs:
            changing(run, Stage(to=8, over_ns=over * SECOND_NS))
        return made

    assert ramped(10).judgement.warmth == "level"
    assert ramped(40).judgement.reason == "users or rate change in the window"


@pytest.mark.parametrize(
    ("by", "counted"), [("idle", 10), ("level", 20), ("no-sign", 20), ("cap", 33), (None, 33)]
)
@pytest.mark.parametrize("ok", [1000, 150])
def test_only_the_seconds_that_tell_of_the_window_count(
    plain: WindowedRun, by: SteadyBy | None, counted: int, ok: float
) -> None:
    """So many before a window from 60 to 80 s, in points of one or two."""
    made = cell(plain, LEVEL, end=80, load_of=one_load(Load(warm_up=60, steady_by=by, ok=ok)))
    cost = cell_cost(made.runs)
    assert isinstance(cost, CellCost)
    seconds = 1 if ok == 1000 else 2
    assert {len(run.values) for run in cost.runs} == {(20 + counted) // seconds}
    assert {run.window_points for run in cost.runs} == {20 // seconds}
    assert {run.warm_up_points for run in cost.runs} == {60 // seconds}


@pytest.mark.parametrize(
    ("by", "counted"), [("idle", 3), ("level", 3), ("no-sign", 3), ("cap", 0), (None, 0)]
)
def test_seconds_before_the_cpus_of_the_window_do_not_count(
    plain: WindowedRun, by: SteadyBy | None, counted: int
) -> None:
    load = one_load(Load(warm_up=60, steady_by=by, cpus_change=True))
    cost = cell_cost(cell(plain, LEVEL, end=80, load_of=load).runs)
    assert isinstance(cost, CellCost)
    assert {(len(run.values), run.window_points) for run in cost.runs} == {(20 + counted, 20)}


@pytest.mark.parametrize(("cpus_change", "expected"), [(True, set()), (False, {"still-warming"})])
def test_a_cost_that_falls_with_the_cpus_is_not_taken_for_a_warm_up(
    plain: WindowedRun, cpus_change: bool, expected: set[str]
) -> None:
    """The engine needs more for each answer where fewer come, so the cost relative to it falls."""
    truth = np.where(CENTRES > 57, -0.25, 0.0)
    load = one_load(Load(warm_up=60, steady_by="no-sign", cpus_change=cpus_change))
    assert codes(audit_cell(cell(plain, truth, end=70, load_of=load))) == expected


def test_a_window_that_begins_with_the_load_is_judged_by_those_of_its_seconds_that_count(
    plain: WindowedRun,
) -> None:
    load = one_load(Load(warm_up=0))
    for seed in range(SEEDS):
        found = cell(plain, LEVEL, seed=seed, runs=1, end=90, load_of=load).judgement.found
        assert found is not None
        assert abs(found.off[0]) < np.log(1.2)
    cost = cell_cost(cell(plain, LEVEL, seed=0, runs=1, end=90, load_of=load).runs)
    assert not isinstance(cost, str)
    assert {(len(run.values), run.window_points) for run in cost.runs} == {(60, 60)}


def test_a_capped_warm_up_is_a_note_unless_the_arm_is_marked(plain: WindowedRun) -> None:
    load = one_load(Load(warm_up=60, steady_by="cap"))
    noted = audit_cell(cell(plain, LEVEL, end=80, load_of=load))
    assert codes(noted) == {"warm-up-capped"}
    assert only(noted, "warm-up-capped").severity is Severity.NOTE
    assert "was not seen to be level within 60.0 s (6 of 6 runs), nor to be moving" in (
        noted[0].evidence
    )
    marked = audit_cell(cell(plain, approach(60), end=80, load_of=load))
    assert codes(marked) == {"still-warming"}
    assert "higher `at_most`" in marked[0].advice


@pytest.mark.parametrize(("by", "is_told"), [("cap", True), ("idle", False)])
def test_a_load_before_the_load_that_was_cut_off_is_a_note(
    plain: WindowedRun, by: SteadyBy, is_told: bool
) -> None:
    made = cell(plain, LEVEL)
    warmed = WarmedFacts(steady_by=by, length_ns=45 * 10**9, ok=9000)
    runs = [
        replace(run, record=run.record.model_copy(update={"warmed": warmed})) for run in made.runs
    ]
    found = audit_cell(LoadedCell("spring", "closed", runs))
    assert codes(found) == ({"warm-up-capped"} if is_told else set())
    if is_told:
        assert "was not seen to be level within 45.0 s (6 of 6 runs)" in found[0].evidence
        assert found[0].advice.startswith("allow `warmed` a higher `at_most`")


@pytest.mark.parametrize(
    ("by", "cause"),
    [
        ("idle", "no compiler was at work when its window began, so something else warmed up"),
        ("level", "its level held for a while and then moved on"),
        ("no-sign", "its cost varies too much for a slow warm-up to be seen while it goes on"),
    ],
)
def test_a_window_that_was_watched_and_began_too_early_is_told_why(
    plain: WindowedRun, by: SteadyBy, cause: str
) -> None:
    load = one_load(Load(warm_up=60, steady_by=by))
    found = only(audit_cell(cell(plain, approach(60), end=80, load_of=load)), "still-warming")
    assert found.advice.startswith(cause)
    assert found.advice.endswith(
        ": set a fixed `warm_up` to a time that is longer than the warm-up that was seen"
    )


def test_what_was_capped_and_cannot_be_judged_is_not_called_still(plain: WindowedRun) -> None:
    load = one_load(Load(warm_up=60, steady_by="cap", ok=20))
    (noted,) = audit_cell(cell(plain, LEVEL, end=80, load_of=load))
    assert "could not be judged: fewer than 40 ok answers a second" in noted.evidence


def test_a_window_that_began_long_before_the_others_is_told(plain: WindowedRun) -> None:
    def began(at: int) -> LoadOf:
        return lambda block: Load(warm_up=at if block == 3 else 61, steady_by="level")

    found = only(audit_cell(cell(plain, LEVEL, end=81, load_of=began(22))), "warm-up-differs")
    assert found.severity is Severity.WARNING
    assert "block 3 after 22.0 s of warm-up, the median of the runs after 61.0 s" in found.evidence
    just = audit_cell(
        cell(
            plain,
            LEVEL,
            end=81,
            load_of=lambda block: Load(warm_up=31 if block == 3 else 61, steady_by="level"),
        )
    )
    assert codes(just) == set()


@pytest.mark.parametrize(
    ("demands", "severity"),
    [
        ((0.09,) * 6, None),
        ((0.11,) * 6, Severity.WARNING),
        ((0.26, 0.26, 0.0, 0.0, 0.0, 0.0), Severity.WARNING),
        ((0.26, 0.26, 0.26, 0.0, 0.0, 0.0), Severity.NO_CLAIM),
        ((None,) * 6, None),
    ],
)
def test_compilers_that_want_the_cpu_are_told_however_flat_the_series(
    plain: WindowedRun, demands: tuple[float | None, ...], severity: Severity | None
) -> None:
    made = cell(plain, LEVEL, load_of=lambda block: Load(compile_demand=demands[block - 1]))
    told = [each.severity for each in audit_cell(made) if each.code == "compiling"]
    assert told == ([] if severity is None else [severity])


def test_the_share_of_the_window_or_the_cpus_are_told(plain: WindowedRun) -> None:
    def evidence(demand: float) -> str:
        made = cell(plain, LEVEL, load_of=one_load(Load(compile_demand=demand)))
        return only(audit_cell(made), "compiling").evidence

    assert evidence(0.98).startswith(
        "compilers of spring wanted the CPU for 98 % of the window (6 of 6 runs"
    )
    assert evidence(2.3).startswith("compilers of spring wanted 2.3 CPUs all through the window")
