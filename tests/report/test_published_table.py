import csv
import io
from collections.abc import Sequence

import pytest
from made_up_figures import figure, without_value
from page_reader import PageReader
from published_rows_builder import PLAIN, SECURE, published, ranking, row
from study_builder import ENVIRONMENT, StudyBuilder

from changed_workload import changed as changed_workload
from loadstone.analysis.model import Analysis
from loadstone.analysis.multi_arm_model import Ranking
from loadstone.report.page.html import render_html
from loadstone.report.page.markdown import render_markdown
from loadstone.report.published.published_columns import columns_of, metrics_of
from loadstone.report.published.published_rows import published_rows
from loadstone.report.published.published_table import (
    CAVEAT,
    COUNTS_FAILURES,
    NOT_RECORDED,
    PublishedTable,
    published_table,
)
from loadstone.report.tables.csv_tables import render_published
from loadstone.study.values.arrivals import (
    ConstantThink,
    ExponentialThink,
    Rate,
    Stage,
    Users,
    steady,
)
from loadstone.study.values.model import Operation, Plan, Protocol
from loadstone.study.values.published import Published, RowNote
from loadstone.study.values.service_choice import OwnCommand
from markdown_table import cells

ARMS = {"go": 1.0, "node": 1.42, "rust": 0.9}
COLUMNS = columns_of(metrics_of([row()]))
OF_PLACE = len(COLUMNS) - 1
NO_FAILURES = figure("failures", 0.0)


def builder(failing: str = "") -> StudyBuilder:
    """Three arms; no requests failed but those of one of them."""
    made = StudyBuilder(arms=ARMS)
    for arm in ARMS:
        if arm != failing:
            made.with_figure(arm, NO_FAILURES)
    return made


def table_of(
    made: StudyBuilder, beside: Published, rankings: Sequence[Ranking] = ()
) -> PublishedTable:
    found = published_table(ranked(made, rankings), made.plan(), beside)
    assert found is not None
    return found


def ranked(made: StudyBuilder, rankings: Sequence[Ranking]) -> Analysis:
    return made.analysis().model_copy(update={"rankings": tuple(rankings)})


def cells_of(table: PublishedTable, column: int) -> dict[str, str]:
    """Stack to one of its cells, with the text of its footnote."""
    (scenario,) = table.scenarios
    (load,) = scenario.loads
    return {
        line.stack: line.figures[column].text
        + (f" {table.notes[number - 1]}" if (number := line.figures[column].note) else "")
        for line in load.lines
    }


def facts_of(
    made: StudyBuilder, beside: Published, plan: Plan | None = None
) -> list[dict[str, str]]:
    tables = render_published(made.analysis(), plan or made.plan(), beside)
    return list(csv.DictReader(io.StringIO(tables.get("published.csv", ""))))


def changed(plan: Plan, **changes: object) -> Plan:
    """With another workload."""
    (workload,) = plan.workloads
    return plan.model_copy(update={"workloads": (changed_workload(workload, **changes),)})


def test_published_rows_stand_behind_the_measured_ones_of_their_load() -> None:
    (scenario,) = table_of(builder(), published()).scenarios
    (load,) = scenario.loads
    assert scenario.scenario == "pass-through h1c -> h1c"
    assert (load.users, load.message, load.delay) == ("50", "0 B", "0 ms")
    assert [line.stack for line in load.lines] == ["go@go", "node@node", "rust@rust", "Elsewhere"]
    assert [line.arm for line in load.lines] == ["go", "node", "rust", ""]


def test_figures_are_printed_alike_wherever_they_are_from() -> None:
    table = table_of(builder(), published())
    rows = [cells_of(table, column) for column in range(OF_PLACE)]
    assert [row["go@go"] for row in rows] == [
        "0 %",
        "12.3 k/s",
        "1.31 ms",
        "920 µs",
        "4.83 ms",
        "99.69 %",
        "7.40 MiB",
    ]
    assert [row["Elsewhere"] for row in rows] == [
        "0 %",
        "20.6 k/s",
        "4.82 ms",
        "3.02 ms",
        "13.0 ms",
        "99.44 %",
        "19.9 MiB",
    ]


def test_the_complement_of_a_share_keeps_its_smallest_run_below_its_largest() -> None:
    lines = table_of(builder(), published()).scenarios[0].loads[0].lines
    assert lines[0].figures[COLUMNS.index("GC throughput")].variation == (
        "99.68–99.70",
        "CPU of GC 4.10 %",
    )


def test_a_place_is_the_interval_of_ranks_of_just_these_arms() -> None:
    others = (
        ranking("go", "rust", "node", metric="cpu_per_ok"),
        ranking("node", "go"),
        ranking("node", "go", "rust", "deno"),
    )
    table = table_of(builder(), published(), (*others, ranking("rust", "go", "node")))
    assert cells_of(table, OF_PLACE) == {
        "go@go": "2 to 3",
        "node@node": "2 to 3",
        "rust@rust": "1",
        "Elsewhere": "– no place: published, on another machine",
    }


def test_no_row_with_failures_has_a_place() -> None:
    table = table_of(builder(failing="rust"), published(), [ranking("rust", "go", "node")])
    assert cells_of(table, OF_PLACE)["rust@rust"] == "– no place: a row with failures is not ranked"
    assert cells_of(table, OF_PLACE)["go@go"] == "2 to 3"


@pytest.mark.parametrize("name", ["failures", "throughput"])
@pytest.mark.parametrize("state", ["withheld", "failed", "not measured"])
def test_a_figure_that_is_no_value_shows_its_state_and_gives_no_place(
    name: str, state: str
) -> None:
    made = builder().with_figure("go", without_value(name, state, "memory-unread"))
    table = table_of(made, published(), [ranking("rust", "go", "node")])
    column = ("failures", "throughput").index(name)
    assert cells_of(table, column)["go@go"].endswith(f"{state}: memory-unread")
    assert cells_of(table, OF_PLACE)["go@go"] == f"– no place: {name} {state}"


def test_why_there_is_no_place_is_said() -> None:
    made = builder()
    table = table_of(made, published())
    assert "no ranking by throughput" in cells_of(table, OF_PLACE)["go@go"]
    table = table_of(made, published(), [ranking("rust", "node", unranked=("go",))])
    assert cells_of(table, OF_PLACE)["go@go"] == "– no place: fewer than 3 runs"


def test_a_published_throughput_that_counts_failures_is_not_shown() -> None:
    failing = row(failures_percent=100.0, throughput_per_second=37_465.18, mean_ms=23.27)
    table = table_of(builder(), published(failing))
    cells = [cells_of(table, column)["Elsewhere"] for column in range(OF_PLACE)]
    assert cells[0] == "100 %"
    assert cells[1:5] == [f"– {COUNTS_FAILURES}"] * 4
    assert cells[5:] == ["99.44 %", "19.9 MiB"]
    (facts,) = (each for each in facts_of(builder(), published(failing)) if not each["arm"])
    assert facts["failures_percent"] == "100.0"
    assert facts["throughput_per_second"] == facts["mean_ms"] == facts["p99_ms"] == ""
    assert facts["reason"] == COUNTS_FAILURES


def test_what_is_not_known_of_a_published_row_is_a_dash_with_its_reason() -> None:
    known_in_part = row(mean_ms=None, gc_throughput_percent=None, failures_percent=100.0)
    table = table_of(builder(), published(known_in_part))
    column = COLUMNS.index("GC throughput")
    assert cells_of(table, column)["Elsewhere"] == "– not published, or not known"


def test_the_csv_has_every_digit_in_the_published_units() -> None:
    measured, *_, beside = facts_of(builder(), published())
    assert list(measured)[:5] == [
        "scenario",
        "users",
        "message_bytes",
        "delay_ms",
        "rate_per_second",
    ]
    assert (measured["origin"], measured["stack"], measured["arm"]) == ("measured", "go@go", "go")
    assert float(measured["throughput_per_second"]) == 12_345
    assert float(measured["p99_ms"]) == 4.83
    assert float(measured["gc_throughput_percent"]) == pytest.approx(99.69)
    assert float(measured["memory_after_full_gc_mib"]) == pytest.approx(7.4)
    assert (beside["origin"], beside["source"], beside["arm"]) == ("published", "elsewhere", "")
    assert beside["throughput_per_second"] == "20562.73"
    assert beside["memory_after_full_gc_mib"] == "19.922"


def test_a_withheld_figure_has_its_reason_and_no_number_in_the_csv() -> None:
    hidden = without_value("throughput", "withheld", "unread").model_copy(update={"value": 987.0})
    facts, *_ = facts_of(builder().with_figure("go", hidden), published())
    assert facts["throughput_per_second"] == facts["best_place"] == ""
    assert facts["reason"] == "throughput: withheld: unread; place: throughput withheld"


def test_rows_stand_in_the_order_of_scenarios_then_of_load() -> None:
    made = StudyBuilder(arms=ARMS, workloads=("large", "small"))
    large, small = made.plan().workloads
    secure = {"client": Protocol.H1, "upstream": Protocol.H1}
    arms = tuple(
        arm.model_copy(update={"legs": secure if arm.id == "go" else arm.legs})
        for arm in made.plan().arms
    )
    session = (small.session[0].model_copy(update={"body": "12345"}),)
    plan = made.plan().model_copy(
        update={"arms": arms, "workloads": (changed_workload(large, session=session), small)}
    )
    rows = [
        row(scenario=scenario, message_bytes=size)
        for scenario in (SECURE, PLAIN)
        for size in (5, 0)
    ]
    found = published_rows(made.analysis(), plan, published(*rows))
    assert found is not None
    assert [(load.key.scenario, load.key.message_bytes) for load in found.loads] == [
        (PLAIN.name, 0),
        (PLAIN.name, 5),
        (SECURE.name, 0),
        (SECURE.name, 5),
    ]
    assert [each.cell.arm for each in found.loads[0].measured] == ["node", "rust"]
    assert [each.cell.arm for each in found.loads[3].measured] == ["go"]


def test_arms_of_one_stack_are_told_apart_by_arm() -> None:
    plan = builder().plan()
    services = plan.arms[0].services
    arms = tuple(arm.model_copy(update={"services": services}) for arm in plan.arms[:2])
    own = OwnCommand(service="gateway", label="ours", command="./ours", directory="/srv")
    arms = (*arms, plan.arms[2].model_copy(update={"services": (own,)}))
    plan = plan.model_copy(update={"arms": arms})
    found = published_rows(builder().analysis(), plan, published())
    assert found is not None
    assert [each.name for each in found.loads[0].measured] == [
        "go@go (go)",
        "go@go (node)",
        "ours",
    ]


def test_one_arm_under_two_workloads_of_the_same_load_is_told_apart_by_workload() -> None:
    made = StudyBuilder(arms=ARMS, workloads=("short", "long"))
    found = published_rows(made.analysis(), made.plan(), published())
    assert found is not None
    (load,) = found.loads
    assert [each.name for each in load.measured][:3] == [
        "go@go (go, short)",
        "node@node (node, short)",
        "rust@rust (rust, short)",
    ]


OTHER_LOADS: dict[str, dict[str, object]] = {
    "more users": {"arrivals": Users(stages=steady(51))},
    "users in steps": {
        "arrivals": Users(stages=(Stage(to=10, over_ns=0), Stage(to=50, over_ns=0)))
    },
    "a rate": {"arrivals": Rate(stages=steady(50), connections=50)},
    "arrivals at random": {"arrivals": Rate(stages=steady(50), connections=50, poisson=True)},
    "pauses": {"think": ConstantThink(constant_ns=1)},
    "streams": {"streams": 2},
    "new connections": {"new_connections": True},
    "a footprint": {"kind": "footprint"},
    "another operation": {"session": (Operation(operation="echo", method="POST", path="/"),)},
    "another size": {
        "session": (Operation(operation="pass-through", method="POST", path="/", body="é"),)
    },
    "two operations": {
        "session": tuple(
            Operation(operation=name, method="POST", path="/") for name in ("pass-through", "b")
        )
    },
}


@pytest.mark.parametrize("name", OTHER_LOADS)
def test_another_load_has_no_published_rows(name: str) -> None:
    assert facts_of(builder(), published()) != []
    plan = changed(builder().plan(), **OTHER_LOADS[name])
    assert published_rows(builder().analysis(), plan, published()) is None
    assert facts_of(builder(), published(), plan) == []


def test_the_size_of_a_message_is_in_bytes() -> None:
    plan = changed(builder().plan(), **OTHER_LOADS["another size"])
    assert published_rows(builder().analysis(), plan, published(row(message_bytes=1))) is None
    assert published_rows(builder().analysis(), plan, published(row(message_bytes=2))) is not None


def test_a_ramp_is_the_load_of_its_end() -> None:
    ramp = Users(stages=(Stage(to=50, over_ns=60_000_000_000),))
    plan = changed(builder().plan(), arrivals=ramp)
    assert published_rows(builder().analysis(), plan, published()) is not None


@pytest.mark.parametrize(
    "beside",
    [
        None,
        published(row(delay_ms=30)),
        published(row(scenario=SECURE)),
        published().model_copy(update={"scenarios": (SECURE,)}),
    ],
    ids=["nothing published", "another delay", "another scenario", "no scenario any more"],
)
def test_nothing_is_shown_where_no_row_fits(beside: Published | None) -> None:
    made = builder()
    arguments = (made.analysis(), made.findings, made.plan(), ENVIRONMENT)
    assert published_rows(made.analysis(), made.plan(), beside) is None
    assert render_markdown(*arguments, beside) == render_markdown(*arguments)
    assert render_html(*arguments, beside) == render_html(*arguments)
    assert render_published(made.analysis(), made.plan(), beside) == {}


def test_a_simulated_study_stands_beside_nothing() -> None:
    made = StudyBuilder(simulated=True)
    assert published_rows(made.analysis(), made.plan(), published()) is None


def test_what_is_left_out_of_a_source_is_counted_and_a_source_without_a_row_is_not_named() -> None:
    beside = published(row(), row(users=100), row(users=300))
    (about,) = table_of(builder(), beside).about
    assert about == (
        "Elsewhere: somebody's table. Machine: a larger one. Its throughput counts failures. "
        "2 rows of loads that this study does not measure are left out."
    )
    (only,) = beside.sources
    unused = only.model_copy(update={"source": "other", "stack": "Other", "rows": (row(users=9),)})
    beside = beside.model_copy(update={"sources": (only, unused)})
    assert len(table_of(builder(), beside).about) == 1


def test_the_markdown_table_has_the_published_columns_in_their_order() -> None:
    made = builder()
    beside = published(row(throughput_per_second=10_000.0))
    text = render_markdown(made.analysis(), made.findings, made.plan(), ENVIRONMENT, beside)
    part = text.partition("## Published rows\n")[2].partition("\n## ")[0]
    assert part.startswith(f"\n**{CAVEAT}**")
    heading, _, *rows = [line for line in part.splitlines() if line.startswith("|")]
    assert cells(heading) == [
        "scenario",
        "users",
        "message size",
        "back-end delay",
        "stack",
        *COLUMNS,
    ]
    assert rows[-1].startswith(
        "| pass-through h1c -&gt; h1c | 50 | 0 B | 0 ms | Elsewhere (published) |"
    )
    assert len(rows) == 4
    assert text.index("## Answers") < text.index("## Published rows") < text.index("## Results")


def test_the_page_has_the_caveat_the_rows_and_a_link_to_them() -> None:
    made = builder()
    html = render_html(made.analysis(), made.findings, made.plan(), ENVIRONMENT, published())
    page = PageReader(html)
    assert "#published" in page.values("href")
    assert CAVEAT in html
    assert html.count('<tr class="published">') == 1
    assert html.index('id="questions"') < html.index('id="published"') < html.index('id="results"')


def test_texts_of_strangers_are_only_text() -> None:
    made = builder()
    beside = published(stack="=<script>alert(1)</script>|\u202e\n")
    arguments = (made.analysis(), made.findings, made.plan(), ENVIRONMENT, beside)
    html, markdown = render_html(*arguments), render_markdown(*arguments)
    assert "<script>alert" not in html + markdown
    assert "\u202e" not in html + markdown
    assert r"\|" in markdown.partition("## Published rows")[2].partition("## Results")[0]
    assert facts_of(made, beside)[-1]["stack"].startswith("'=<script>")


EVEN = Rate(stages=steady(1000), connections=100)


def test_a_row_of_a_rate_stands_beside_the_same_even_rate_alone() -> None:
    beside = published(
        row(users=None, rate_per_second=1000, throughput_per_second=None), row(users=1000)
    )
    made = builder()
    plan = changed(made.plan(), arrivals=EVEN)
    table = published_table(made.analysis(), plan, beside)
    assert table is not None
    (load,) = table.scenarios[0].loads
    assert (table.users_column, load.users) == ("users or rate", "1,000/s")
    assert len([line for line in load.lines if not line.arm]) == 1
    *_, facts = facts_of(made, beside, plan)
    assert (facts["users"], facts["rate_per_second"]) == ("", "1000")
    at_random = changed(plan, arrivals=EVEN.model_copy(update={"poisson": True}))
    assert published_rows(made.analysis(), at_random, beside) is None


def test_rows_of_several_stacks_are_called_by_stack_runtime_and_source() -> None:
    own = published(row(stack="spring", runtime="jit"), row(stack="spring", runtime="native"))
    (source,) = own.sources
    beside = own.model_copy(update={"sources": (source.model_copy(update={"stack": None}),)})
    table = table_of(builder(), beside)
    names = [line.stack for line in table.scenarios[0].loads[0].lines if not line.arm]
    assert names == ["spring@jit (elsewhere)", "spring@native (elsewhere)"]
    assert table.about[0].startswith("elsewhere: somebody's table. ")


def test_failures_that_nobody_recorded_are_a_dash_and_hide_nothing() -> None:
    table = table_of(builder(), published(row(failures_percent=None)))
    assert cells_of(table, 0)["Elsewhere"] == f"– {NOT_RECORDED}"
    assert cells_of(table, 1)["Elsewhere"] == "20.6 k/s"


def test_an_arm_whose_setting_is_not_the_published_one_has_no_published_rows() -> None:
    made, beside = builder(), published()
    plan = made.plan()
    for level, count in (("0", 3), ("50", 0)):
        arms = tuple(arm.model_copy(update={"settings": {"delay": level}}) for arm in plan.arms)
        of_level = plan.model_copy(update={"arms": arms})
        with_setting = beside.model_copy(update={"settings": {"delay": "0"}})
        found = published_rows(made.analysis(), of_level, with_setting)
        assert len(found.loads[0].measured if found else ()) == count


PAUSING = {"think": ConstantThink(constant_ns=1_000_000_000)}
NOTES = (
    RowNote(code="C", says="it is too much", withholds=("throughput_per_second",)),
    RowNote(code="O", says="it is older"),
)


def test_a_row_of_users_who_pause_stands_beside_those_who_pause_as_long() -> None:
    made, beside = builder(), published(row(pause_ms=1000), row())
    table = published_table(made.analysis(), changed(made.plan(), **PAUSING), beside)
    assert table is not None
    (load,) = table.scenarios[0].loads
    assert load.users == "50, pause 1.00 s"
    half = changed(made.plan(), think=ConstantThink(constant_ns=500_000_000))
    assert published_rows(made.analysis(), half, beside) is None
    drawn = changed(made.plan(), think=ExponentialThink(exponential_ns=1_000_000_000))
    assert published_rows(made.analysis(), drawn, beside) is None


def test_columns_that_not_every_table_has_are_shown_where_one_has_them() -> None:
    assert "median" not in COLUMNS
    table = table_of(builder(), published(row(median_ms=3.5, max_ms=20), row(users=50, delay_ms=9)))
    labels = [*COLUMNS]
    labels[4:4] = ["median"]
    labels[6:6] = ["largest"]
    assert list(table.columns) == labels
    assert cells_of(table, labels.index("median"))["Elsewhere"] == "3.50 ms"
    assert cells_of(table, labels.index("largest"))["Elsewhere"] == "20.0 ms"
    facts = facts_of(builder(), published(row(median_ms=3.5)))[-1]
    assert (facts["median_ms"], facts["pause_ms"]) == ("3.5", "0")
    assert "max_ms" not in facts


def test_what_a_note_withholds_is_not_shown_and_every_note_is_a_footnote_of_its_row() -> None:
    noted = row(notes=NOTES, throughput_per_second=10_000.0)
    table = table_of(builder(), published(noted))
    assert cells_of(table, COLUMNS.index("throughput"))["Elsewhere"] == "– C: it is too much"
    assert cells_of(table, COLUMNS.index("mean"))["Elsewhere"] == "4.82 ms"
    (load,) = table.scenarios[0].loads
    remarks = [table.notes[number - 1] for number in load.lines[-1].remarks]
    assert remarks == ["C: it is too much", "O: it is older"]
    facts = facts_of(builder(), published(noted))[-1]
    assert facts["throughput_per_second"] == ""
    assert facts["reason"] == "C: it is too much; O: it is older"
    html = render_html(builder().analysis(), (), builder().plan(), ENVIRONMENT, published(noted))
    assert PageReader(html).unbalanced == []
    markdown = render_markdown(
        builder().analysis(), (), builder().plan(), ENVIRONMENT, published(noted)
    )
    assert "Elsewhere (published) (note " in markdown


def test_a_row_that_contradicts_itself_says_so() -> None:
    table = table_of(builder(), published(row(throughput_per_second=20_000.0, mean_ms=5.0)))
    (load,) = table.scenarios[0].loads
    (remark,) = (table.notes[number - 1] for number in load.lines[-1].remarks)
    assert remark == "20000/s x (5 ms) are 100.0 of 50 users: so many there were not"
