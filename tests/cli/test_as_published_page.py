"""The page of published tables beside their procedure and ours: from results of studies to its rows."""

from pathlib import Path

import pytest
from lab import SIMULATE, Lab, study_of

from loadstone.errors import InputError
from loadstone.generate import as_published_page, committed_files
from loadstone.generate.as_published import KeptCell, KeptStudy, KeptSystem, KeptSystems
from loadstone.generate.as_published_page import KEPT, PAGE
from loadstone.generate.as_published_rows import NONE, Row, rows_of
from loadstone.study.values.manifest import Scenario
from loadstone.study.values.model import Protocol
from loadstone.study.values.published import (
    Published,
    PublishedKey,
    PublishedRow,
    PublishedSource,
    PublishedStart,
)
from markdown_table import cells

LIST = Scenario(operation="list", legs={"client": Protocol.H1C})
USERS = PublishedKey(LIST.name, 100, 0, 0)
RATE = PublishedKey(LIST.name, 0, 0, 0, rate_per_second=1000)
TABLES = tuple(
    PublishedSource(
        source=name,
        stack=None,
        origin="somebody",
        machine="a larger one",
        validity=("One run.",),
        rows=(
            PublishedRow(
                stack="spring",
                runtime="jit",
                scenario=LIST,
                users=100,
                message_bytes=0,
                delay_ms=0,
                throughput_per_second=throughput,
            ),
            PublishedRow(
                stack="spring",
                runtime="jit",
                scenario=LIST,
                rate_per_second=1000,
                message_bytes=0,
                delay_ms=0,
                p99_ms=18.96,
            ),
        ),
        starts=(
            PublishedStart(
                stack="spring", runtime="jit", startup_ms=startup, rss_after_five_mib=300
            ),
            PublishedStart(stack="ballerina", runtime="native", startup_ms=186),
        ),
    )
    for name, throughput, startup in (("mac", 1493.65, 2358), ("ubuntu", 4838.77, 3418))
)
PUBLISHED = Published(scenarios=(LIST,), sources=TABLES)
SECOND_NS, MIB = 1e9, 2.0**20


def cell(kind: str, stack: str = "spring", **changes: object) -> KeptCell:
    values = {"stack": stack, "runtime": "openjdk-17", "kind": kind, "figures": {}}
    return KeptCell.model_validate({**values, **changes})


def study(*kept: KeptCell, name: str = "trial") -> KeptStudy:
    return KeptStudy(
        study=name, measured_on="2026-11-26", cpu_model="a CPU", cpus=2, limits="none", cells=kept
    )


THEIRS = study(
    cell(
        "startup",
        figures={
            "startup_claimed": [2 * SECOND_NS, 4 * SECOND_NS],
            "startup": [4 * SECOND_NS, 4 * SECOND_NS],
        },
    ),
    cell(
        "footprint",
        figures={
            "rss.after_five_requests": [200 * MIB, 250 * MIB, None],
            "rss.after_ten_requests": [260 * MIB],
        },
    ),
    cell(
        "load",
        load="users",
        scenarios=[LIST.name],
        key=USERS,
        figures={"throughput": [1000.0], "first_10s.throughput": [250.0], "failures": [0.02]},
    ),
    cell(
        "load",
        load="rate",
        scenarios=[LIST.name],
        key=RATE,
        figures={"response_time.p99": [20e6], "first_10s.response_time.p99": [900e6]},
    ),
    cell("startup", "go", runtime="go", figures={"startup": [0.01 * SECOND_NS]}),
)
OURS = study(
    cell("startup", figures={"startup": [5 * SECOND_NS, 5 * SECOND_NS]}),
    cell("startup", runtime="openjdk-25", figures={"startup": [3 * SECOND_NS]}),
    cell("footprint", figures={"rss_peak": [500 * MIB, 500 * MIB]}),
    cell("load", load="users", scenarios=[LIST.name], figures={"throughput": [1500.0, 1600.0]}),
    cell("load", load="users", scenarios=["insert h1c"], figures={"throughput": [9.0]}),
    cell("load", load="rate", scenarios=[LIST.name], figures={"response_time.p99": [4e6]}),
    cell("startup", "go", runtime="go", figures={"startup": [0.01 * SECOND_NS]}),
)
SYSTEM = KeptSystem(system="conference", theirs=THEIRS, ours=(OURS,))


def found() -> dict[tuple[str, str], Row]:
    return {(row.quantity, row.stack): row for row in rows_of(SYSTEM, PUBLISHED)}


def test_a_start_up_stands_as_claimed_beside_the_first_correct_answer() -> None:
    row = found()["start-up", "spring"]
    assert row.published == "jit 2.36 s (mac), 3.42 s (ubuntu)"
    assert row.theirs == "openjdk-17 3.00 s"  # the mean, as they take it
    assert row.ours == ("openjdk-17 5.00 s (2 runs, 5.00 s to 5.00 s); openjdk-25 3.00 s (1 run)")
    assert row.hidden == (
        "of the same starts the first correct answer came after 4.00 s, 1.41 times the claim: a log "
        "begins late and ends early"
    )


def test_memory_is_their_highest_run_beside_ours_under_load() -> None:
    row = found()["memory after five requests", "spring"]
    assert row.published == "jit 300 MiB (mac), 300 MiB (ubuntu)"
    assert row.theirs == "openjdk-17 250 MiB"
    assert row.ours == "openjdk-17 500 MiB (2 runs, 500 MiB to 500 MiB)"
    assert "2.00 times as much at its peak" in row.hidden
    assert found()["memory after ten requests", "spring"].published == NONE


def test_a_load_is_remarked_on_by_the_very_run_that_follows_their_method() -> None:
    row = found()["throughput, list h1c, 100 users", "spring"]
    assert row.published == "jit 1.49 k/s (mac), 4.84 k/s (ubuntu)"
    assert row.theirs == "openjdk-17 1.00 k/s"
    assert row.ours.startswith("openjdk-17 1.55 k/s (2 runs")
    assert row.hidden == (
        "how it varies: it is one run; in its first 10 s, which are in it, it was 25 % of that; 2.00 % "
        "of the answers failed"
    )
    p99 = found()["p99, list h1c, 1,000/s", "spring"]
    assert (p99.theirs, p99.ours) == ("openjdk-17 20.0 ms", "openjdk-17 4.00 ms (1 run)")
    assert "had a p99 of 900 ms" in p99.hidden


def test_a_stack_that_is_only_published_or_only_measured_has_a_row_all_the_same() -> None:
    rows = found()
    assert rows["start-up", "ballerina"][2:] == (
        "native 186 ms (mac), 186 ms (ubuntu)",
        NONE,
        NONE,
        NONE,
    )
    go = rows["start-up", "go"]
    assert (go.published, go.theirs, go.hidden) == (NONE, NONE, NONE)  # its log claims nothing
    assert go.ours == "go 10.0 ms (1 run)"


def test_what_is_kept_of_a_system_is_replaced_alone() -> None:
    other = SYSTEM.model_copy(update={"system": "other"})
    kept = KeptSystems().replaced(other).replaced(SYSTEM)
    again = kept.replaced(SYSTEM.model_copy(update={"ours": ()}))
    assert [(each.system, len(each.ours)) for each in again.systems] == [
        ("conference", 0),
        ("other", 1),
    ]


def test_a_study_of_ours_is_added_in_the_place_of_one_of_its_name() -> None:
    kept = KeptSystems().replaced(SYSTEM)
    again = study(OURS.cells[0], name=OURS.study)
    other = study(name="other")
    (system,) = kept.beside("conference", (again, other)).systems
    assert system.theirs == THEIRS
    assert [(each.study, len(each.cells)) for each in system.ours] == [
        (OURS.study, 1),
        ("other", 0),
    ]
    with pytest.raises(InputError, match="no study that follows"):
        KeptSystems().beside("conference", (again,))


def test_the_committed_page_is_what_the_kept_figures_say() -> None:
    assert as_published_page.main(["--check"]) == 0


FOOTPRINT = """
workload: functional
kind: footprint
rest: 1s
first: [{operation: look, get: /look}, {operation: look, get: /look}, {operation: look, get: /look},
  {operation: look, get: /look}, {operation: look, get: /look}]
group: callers
users: 1
duration: 2s
warm_up: 0s
session: [{operation: passthrough, post: /passthrough}]
"""
STUDY = """
study: trial
goal: see what a published procedure shows
system: mediation
arms: {gateway: [go, node], client: [h1c], upstream: [h1c]}
workloads: [starts, functional, passthrough-50b-100]
blocks: 1
seed: 7
questions:
  - {question: "Which answers more?", compare: gateway, metrics: [throughput], margin: 3%,
     workloads: [passthrough-50b-100]}
profiles:
  short: {starts: 2, duration: 2s, warm_up: 0s}
"""


@pytest.fixture
def checkout(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The lab's root as the checkout that the page is written into."""
    (lab.root / PAGE).parent.mkdir(parents=True)
    (lab.root / KEPT).write_text('{"systems": []}')
    for module in (committed_files, as_published_page):
        monkeypatch.setattr(module, "CHECKOUT", lab.root)
    (lab.root / "systems/mediation/workloads/functional.yaml").write_text(FOOTPRINT)
    return lab.root


def table(page: str) -> list[dict[str, str]]:
    lines = [cells(line) for line in page.splitlines() if line.startswith("| ")]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def test_the_page_is_made_of_results_and_says_that_they_are_simulated(
    lab: Lab, checkout: Path
) -> None:
    lab.behave("default: {claimed: 30ms, startup: 60ms}\nnode: {startup: 90ms, rss: 96M}\n")
    lab.study(STUDY)
    assert lab.run("run", "trial", "--profile", "short", *SIMULATE).code == 0
    results = lab.results()
    lab.study(study_of("go", "node", blocks=3))
    assert lab.run("run", "trial", "--profile", "short", *SIMULATE).code == 0
    (ours,) = (each for each in (lab.root / "results").iterdir() if each != results)
    arguments = ["--system", "mediation", "--theirs", str(results), "--ours", str(ours)]
    assert as_published_page.main(arguments) == 0
    page = (checkout / PAGE).read_text("utf-8")
    assert page.count(as_published_page.SIMULATED) == 2
    rows = {(row["quantity"], row["stack"]): row for row in table(page)}
    start = rows["start-up", "go"]
    assert start["by their method, here"].startswith(("go 29", "go 30"))
    assert "times the claim" in start["what their method hides"]
    assert rows["memory after five requests", "go"]["by their method, here"].endswith("MiB")
    load = "throughput, passthrough h1c -&gt; h1c, 100 users, 50 B"
    load = load.replace("-&gt;", "->")
    assert rows[load, "Ballerina"]["as published"] == "20.6 k/s (ballerina)"
    assert rows[load, "go"]["by their method, here"].startswith("go ")
    assert "3 runs" in rows[load, "go"]["by ours"]
    assert as_published_page.main(["--check"]) == 0
    (checkout / PAGE).write_text("old")
    assert as_published_page.main(["--system", "mediation", "--ours", str(ours)]) == 0
    assert (checkout / PAGE).read_text("utf-8") == page  # the same study in its own place
    (checkout / PAGE).write_text("old")
    assert as_published_page.main(["--check"]) == 1


def test_a_system_of_which_nothing_is_published_is_refused(
    lab: Lab, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (checkout / "systems/mediation/published").iterdir():
        path.unlink()
    arguments = ["--system", "mediation", "--theirs", str(lab.root / "results")]
    assert as_published_page.main(arguments) == 2
    assert "nothing is published of mediation" in capsys.readouterr().err
