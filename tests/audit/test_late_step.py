"""What is said of an arm whose run went on behind its window, by the cost of its seconds."""

from collections.abc import Callable

import numpy as np
import pytest
from warming_series import Series, noisy

from loadstone.audit.rules import audit_cell
from loadstone.audit.warmth.late_step import late_look
from loadstone.audit.warmth.loaded_cell import LoadedCell
from loadstone.findings.model import Finding, Severity
from loadstone.results.record import SteadyBy
from loadstone.results.window import WindowedRun
from warming_runs import Load, template, warming_run

WARM_UP, WINDOW, BEHIND = 40, 20, 180
END = WARM_UP + WINDOW
SECONDS = np.arange(END + BEHIND) + 0.5
LEVEL = np.zeros(len(SECONDS))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> WindowedRun:
    return template(tmp_path_factory.mktemp("plain"))


def falling(after: float, share: float) -> Series:
    return np.where(END + after < SECONDS, np.log1p(-share), 0.0)


Cell = Callable[..., LoadedCell]


@pytest.fixture
def cell(plain: WindowedRun) -> Cell:
    """Six runs, of which the first goes on behind its window."""

    def made(
        truth: Series, *, seed: int = 1, by: SteadyBy = "idle", behind: int = BEHIND, **load: object
    ) -> LoadedCell:
        def run(block: int) -> WindowedRun:
            goes_on = behind if block == 1 else 0
            series = noisy(truth, 100 * seed + block)[: END + goes_on]
            told = Load(warm_up=WARM_UP, steady_by=by, behind=goes_on, **load)
            return warming_run(plain, series, told, block)

        return LoadedCell("spring", "closed", [run(block) for block in range(1, 7)])

    return made


def found_in(cell: LoadedCell) -> list[Finding]:
    return [each for each in audit_cell(cell) if each.code == "late-step"]


def text_of(cell: LoadedCell) -> str:
    look = late_look(cell)
    return "" if look is None else look.text


def test_a_level_is_not_accused_and_the_look_is_told(cell: Cell) -> None:
    cells = [cell(LEVEL, seed=seed) for seed in range(40)]
    assert [found_in(each) for each in cells] == [[]] * 40
    assert {text_of(each) for each in cells} == {"no late step in the 180 s behind it"}


def test_a_step_takes_the_claims_of_its_arm_under_its_workload(cell: Cell) -> None:
    (finding,) = found_in(cell(falling(74, 0.18)))
    assert finding.severity is Severity.NO_CLAIM
    assert finding.scope == "arm:spring/closed"
    assert finding.evidence.startswith("spring's CPU per ok fell by 1")
    assert finding.evidence.endswith(
        "% between the window and 180 s after it, first seen 74 s after it (at most 5 %)"
    )
    assert finding.advice == (
        "set a fixed `warm_up` of more than 134s; a higher `at_most` is no help, since it was steady "
        "long before"
    )
    assert {"throughput", "cpu_per_ok"} <= set(finding.metrics)
    assert not {"startup", "rss_peak"} & set(finding.metrics)


def test_of_a_warm_up_at_its_cap_a_higher_one_may_help(cell: Cell) -> None:
    (finding,) = found_in(cell(falling(30, 0.2), by="cap"))
    assert finding.advice.startswith("allow its warm-up a higher `at_most`, or set a fixed")


def test_what_becomes_dearer_is_a_warning(cell: Cell) -> None:
    (finding,) = found_in(cell(-falling(74, 0.18)))
    assert finding.severity is Severity.WARNING
    assert "CPU per ok rose by 2" in finding.evidence


def test_a_cpu_that_becomes_faster_behind_the_window_is_no_step(cell: Cell) -> None:
    """The engine's cost goes along; by the service's alone it would be one."""
    twin = cell(LEVEL)
    first, *others = twin.runs
    late = tuple(
        each.model_copy(update={"cpu_ns": round(0.8 * (each.cpu_ns or 0))}) for each in first.late
    )
    dearer = cell(falling(0, 0.2)).runs[0]
    dearer.__dict__["late"] = late
    assert not found_in(LoadedCell("spring", "closed", [dearer, *others]))
    assert found_in(cell(falling(0, 0.2), engine_tells=False))


def test_what_is_compared_falls_back_as_for_a_warm_up(cell: Cell) -> None:
    assert "median response time fell" in text_of(cell(falling(60, 0.2), has_cpu=False))
    assert "CPU per ok fell" in text_of(cell(falling(60, 0.2), engine_tells=False))


@pytest.mark.parametrize("ok", [150, 60])
def test_of_fewer_answers_a_point_is_of_more_seconds(cell: Cell, ok: int) -> None:
    assert text_of(cell(LEVEL, ok=ok)) == "no late step in the 180 s behind it"
    assert "first seen 60 s after it" in text_of(cell(falling(60, 0.2), ok=ok))


@pytest.mark.parametrize(
    ("load", "reason"),
    [({"ok": 39}, "fewer than 40 ok answers a second"), ({"behind": 59}, "the load was stopped")],
)
def test_what_cannot_be_told_is_said_and_never_found(
    cell: Cell, load: dict[str, int], reason: str
) -> None:
    made = cell(falling(5, 0.4), **load)
    assert found_in(made) == []
    assert "whether a late step came in the " in text_of(made)
    assert reason in text_of(made)


def test_where_no_run_looked_nothing_is_said(cell: Cell) -> None:
    assert late_look(cell(LEVEL, behind=0)) is None
