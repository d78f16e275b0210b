"""Questions about a group or an operation are answered by the figures of it."""

from pathlib import Path

import pytest

from loadstone.analysis.analyse import analyse
from loadstone.analysis.cells.narrowed import narrowed
from loadstone.analysis.compare.one_folder import compare_results
from loadstone.analysis.model import Analysis, Cell, Comparison
from loadstone.report.tables.result_table import withheld_reason
from loadstone.results import folder
from loadstone.study.values.model import Plan
from results_builder import Behaviour, build_results
from simulated_load import closed, group, grouped, step

WORKLOAD = grouped(
    group("bookers", users=3),
    group("browsers", step("list", think_ms=40), step("log-in"), users=3),
    seconds=8,
    warm_up=2,
)
METRIC = "response_time.median"


def asked(results: Path, **about: str) -> Path:
    """The same results with a question about a part."""
    path = results / folder.PLAN
    plan = Plan.model_validate_json(path.read_text())
    (question,) = plan.questions
    changed = question.model_copy(update={"metrics": (METRIC, "cpu_per_ok"), **about})
    path.write_text(plan.model_copy(update={"questions": (changed,)}).model_dump_json())
    return results


@pytest.fixture
def results(tmp_path: Path) -> Path:
    arms = {"go": Behaviour(), "node": Behaviour(median_ms=30)}
    return build_results(tmp_path, arms=arms, workloads=(WORKLOAD,), blocks=3)


def ratio(cells: dict[str, Cell], kind: str, name: str) -> float:
    """Of the two arms' figures of a group or an operation."""
    found = []
    for arm in ("go", "node"):
        parts = getattr(cells[arm], kind)
        key = "group" if kind == "groups" else "operation"
        (part,) = (each for each in parts if getattr(each, key) == name)
        found.append(part.by_metric[METRIC].value)
    return float(found[1] / found[0])


def primary(analysis: Analysis) -> Comparison:
    return next(each for each in analysis.comparisons if each.metric == METRIC)


@pytest.mark.parametrize(
    ("about", "kind", "name"),
    [
        ({"group": "browsers"}, "groups", "browsers"),
        ({"operation": "log-in"}, "over_groups", "log-in"),
        ({"operation": "book"}, "operations", "bookers.book"),
        ({"operation": "log-in", "group": "browsers"}, "operations", "browsers.log-in"),
    ],
)
def test_the_comparison_is_of_the_part_that_is_asked_about(
    results: Path, about: dict[str, str], kind: str, name: str
) -> None:
    analysis, _ = analyse(asked(results, **about))
    cells = {cell.arm: cell for cell in analysis.cells}
    found = primary(analysis)
    assert found.estimate == pytest.approx(ratio(cells, kind, name), rel=1e-6)
    assert (found.group, found.operation) == (about.get("group"), about.get("operation"))
    (compared,) = (each for each in compare_results(results).comparisons if each.metric == METRIC)
    assert compared.estimate == found.estimate
    cost = next(each for each in analysis.comparisons if each.metric == "cpu_per_ok")
    whole = [cells[arm].by_metric["cpu_per_ok"].value or 1.0 for arm in ("go", "node")]
    assert cost.estimate == pytest.approx(whole[1] / whole[0])


def test_of_a_workload_with_one_operation_it_is_all_there_is(tmp_path: Path) -> None:
    arms = {"go": Behaviour(), "node": Behaviour(median_ms=30)}
    results = build_results(tmp_path, arms=arms, workloads=(closed(),), blocks=3)
    over_all = primary(analyse(asked(results))[0])
    own = primary(analyse(asked(results, operation="echo"))[0])
    assert own.estimate == over_all.estimate


def test_a_figure_of_the_part_that_is_withheld_leaves_no_number(results: Path) -> None:
    analysis, _ = analyse(asked(results, group="browsers"))
    written = analysis.model_dump()
    (node,) = (each for each in written["cells"] if each["arm"] == "node")
    (browsers,) = (each for each in node["groups"] if each["group"] == "browsers")
    for figure in browsers["figures"]:
        figure |= {"state": "withheld", "reason": "some-rule"}
    told = Analysis.model_validate(written)
    assert withheld_reason(told, primary(told)) == "node: some-rule"


def test_what_a_cell_does_not_have_leaves_it_as_it_is(results: Path) -> None:
    cell = analyse(results)[0].cells[0]
    assert narrowed(cell, "nobody", None) is cell
    assert narrowed(cell, "bookers", "list") is cell
    own = narrowed(cell, "browsers", "list")
    assert own.by_metric[METRIC] != cell.by_metric[METRIC]
    assert own.by_metric["rss_peak"] == cell.by_metric["rss_peak"]
