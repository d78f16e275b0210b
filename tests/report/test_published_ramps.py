"""Published ramps beside measured ones."""

import csv
import io

import pytest
from made_up_figures import figure, without_value
from page_reader import PageReader
from published_rows_builder import PLAIN, published
from study_builder import ENVIRONMENT, StudyBuilder

from changed_workload import changed as changed_workload
from loadstone.report.page.html import render_html
from loadstone.report.page.markdown import render_markdown
from loadstone.report.published.published_ramps import COLUMNS, RampsTable, ramps_table
from loadstone.report.published.published_table import CAVEAT
from loadstone.report.tables.csv_tables import render_published
from loadstone.study.values.arrivals import Rate, Stage, Users, steady
from loadstone.study.values.model import Plan
from loadstone.study.values.published import Published, PublishedRamp, RowNote
from loadstone.study.values.stop_rules import FailuresRule, StopRules

SECOND_NS = 10**9
GROWING = Users(stages=(Stage(to=5000, over_ns=25 * SECOND_NS), Stage(to=5000, over_ns=SECOND_NS)))
FIRST = StopRules(first_failure=True)
RAMP = PublishedRamp(
    stacks={"gateway": "spring@native"},
    scenario=PLAIN,
    users_per_second=200,
    stop="first_failure",
    message_bytes=0,
    users_before_failure=9579,
    run_seconds=49.0,
    completed=75_856,
    failed=1,
    max_ms=233,
    notes=(
        RowNote(code="E", says="33 % of what was due was done"),
        RowNote(code="M", says="its largest is of another run", withholds=("max_ms",)),
    ),
)


def beside(*ramps: PublishedRamp) -> Published:
    (source,) = published().sources
    ramped = source.model_copy(
        update={"stack": None, "rows": (), "ramps": ramps or (RAMP,), "source": "dissertation"}
    )
    return published().model_copy(update={"sources": (ramped,)})


def builder() -> StudyBuilder:
    return StudyBuilder(arms={"go": 1.0}).with_figure("go", figure("users_before_failure", 2.0))


def plan(**changes: object) -> Plan:
    made = builder().plan()
    (workload,) = made.workloads
    changed = changed_workload(workload, **{"arrivals": GROWING, "stop": FIRST, **changes})
    return made.model_copy(update={"workloads": (changed,)})


def table(**changes: object) -> RampsTable | None:
    return ramps_table(builder().analysis(), plan(**changes), beside())


def texts(found: RampsTable) -> dict[str, list[str]]:
    (ramp,) = found.ramps
    return {
        line.stack: [
            each.text + (f" {found.notes[each.note - 1]}" if each.note else "")
            for each in line.figures
        ]
        for line in ramp.lines
    }


def test_a_ramp_stands_beside_the_same_ramp() -> None:
    found = table()
    assert found is not None
    assert found.columns == COLUMNS
    (ramp,) = found.ramps
    assert ramp.ramp == ("pass-through h1c -> h1c, 200 users more a second until the first failure")
    lines = texts(found)
    assert list(lines) == ["go@go", "spring@native (dissertation)"]
    assert lines["spring@native (dissertation)"] == [
        "9,579",
        "49.0 s",
        "– not published, or not known",
        "– M: its largest is of another run",
        "75,856, 1 failed",
    ]
    remarks = [found.notes[number - 1] for number in ramp.lines[-1].remarks]
    assert remarks == ["E: 33 % of what was due was done", "M: its largest is of another run"]


OTHERS: dict[str, dict[str, object]] = {
    "another growth": {"arrivals": Users(stages=(Stage(to=5000, over_ns=50 * SECOND_NS),))},
    "no growth": {"arrivals": Users(stages=steady(200))},
    "a further rise": {
        "arrivals": Users(
            stages=(Stage(to=200, over_ns=SECOND_NS), Stage(to=300, over_ns=SECOND_NS))
        )
    },
    "a rate": {"arrivals": Rate(stages=(Stage(to=200, over_ns=SECOND_NS),), connections=9)},
    "another rule": {"stop": StopRules(first_timeout=True)},
    "no rule": {"stop": StopRules()},
    "a further rule": {
        "stop": StopRules(
            first_failure=True, failures=FailuresRule(above_share=0.5, for_ns=SECOND_NS)
        )
    },
}


@pytest.mark.parametrize("changes", OTHERS.values(), ids=OTHERS)
def test_another_load_has_none(changes: dict[str, object]) -> None:
    assert table(**changes) is None


def test_a_figure_that_is_no_value_says_why() -> None:
    without = without_value("users_before_failure", "not reached", "no rule fired")
    made = StudyBuilder(arms={"go": 1.0}).with_figure("go", without)
    found = ramps_table(made.analysis(), plan(), beside())
    assert found is not None
    assert "no rule fired" in texts(found)["go@go"][0]


def test_a_simulated_study_stands_beside_nothing() -> None:
    made = StudyBuilder(arms={"go": 1.0}, simulated=True)
    assert ramps_table(made.analysis(), plan(), beside()) is None


def test_the_csv_has_published_units_and_no_withheld_figure() -> None:
    text = render_published(builder().analysis(), plan(), beside())["published-ramps.csv"]
    measured, other = csv.DictReader(io.StringIO(text))
    assert (measured["origin"], measured["arm"], measured["users_per_second"]) == (
        "measured",
        "go",
        "200",
    )
    assert (other["source"], other["users_before_failure"], other["run_seconds"]) == (
        "dissertation",
        "9579",
        "49.0",
    )
    assert (other["max_ms"], other["completed"]) == ("", "75856")
    assert other["reason"].startswith("E: 33 % of what was due was done; M: ")


def test_page_and_markdown_show_the_table_with_its_caveat() -> None:
    arguments = (builder().analysis(), (), plan(), ENVIRONMENT, beside())
    html, markdown = render_html(*arguments), render_markdown(*arguments)
    page = PageReader(html)
    assert "#published-ramps" in page.values("href")
    assert page.unbalanced == []
    assert html.count('<tr class="published">') == 1
    part = markdown.partition("## Published ramps\n")[2].partition("\n## ")[0]
    assert part.startswith(f"\n**{CAVEAT}**")
