"""Published rows through the front door: a run keeps them, and every later report reads those."""

import csv
import json
import shutil
from pathlib import Path

import jsonschema
import pytest
from lab import CHECKOUT, SIMULATE, Ended, Lab, study_of

from changed_workload import changed as changed_workload
from loadstone.results import folder
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.values.model import Operation, Plan, Protocol, Question
from loadstone.study.values.payload import payload
from results_builder import Behaviour, build_results, closed

USERS, SIZE = 100, 50
OPERATIONS = {"passthrough-50b-100": "passthrough", "transform-50b-100": "transform"}
GATEWAYS = {
    "go": Behaviour(median_ms=200),
    "node": Behaviour(median_ms=300),
    "python": Behaviour(median_ms=210, failing_share=0.004),
    "rust": Behaviour(median_ms=200),
}


def published_study(directory: Path) -> Path:
    """Two scenarios, each with two legs in cleartext; beside it what is published of mediation."""
    study = build_results(
        directory,
        arms=GATEWAYS,
        workloads=tuple(closed(USERS, seconds=6, name=name) for name in OPERATIONS),
        metrics=("throughput",),
    )
    path = study / folder.PLAN
    plan = Plan.model_validate_json(path.read_text())
    legs = {"client": Protocol.H1C, "upstream": Protocol.H1C}
    changed = plan.model_copy(
        update={
            "arms": tuple(arm.model_copy(update={"legs": legs}) for arm in plan.arms),
            "workloads": tuple(
                changed_workload(each, session=(_operation(OPERATIONS[each.workload]),))
                for each in plan.workloads
            ),
            "questions": tuple(
                Question(
                    question=f"Which gateway does most of {name}?",
                    compare="gateway",
                    metrics=("throughput",),
                    margin=0.03,
                    workloads=(name,),
                )
                for name in OPERATIONS
            ),
        }
    )
    path.write_text(changed.model_dump_json(indent=1))
    catalogue = Catalogue(CHECKOUT)
    published = catalogue.published(catalogue.system("mediation"))
    assert published is not None
    (study / folder.PUBLISHED).write_text(published.model_dump_json(indent=1))
    return study


def _operation(name: str) -> Operation:
    return Operation(operation=name, method="POST", path=f"/{name}", body=payload("array", SIZE))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return published_study(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory, built: Path) -> tuple[Path, Ended]:
    """The results with their report, which no test changes."""
    lab = Lab(tmp_path_factory.mktemp("reported"))
    study = copied(built, lab)
    return study, lab.run("report", str(study))


@pytest.fixture
def study(lab: Lab, built: Path) -> Path:
    """The results, the test's own."""
    return copied(built, lab)


def copied(results: Path, lab: Lab) -> Path:
    return Path(shutil.copytree(results, lab.root / "results" / results.name))


def rows_of(study: Path) -> list[dict[str, str]]:
    with (study / "tables" / "published.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def reports_of(study: Path) -> dict[str, bytes]:
    paths = (*study.glob("report.*"), *study.glob("tables/*"))
    return {path.name: path.read_bytes() for path in paths}


def test_every_load_has_its_measured_rows_and_the_published_ones_beside(
    reported: tuple[Path, Ended],
) -> None:
    study, ended = reported
    assert ended.code == 0, ended.stderr
    found = [(row["scenario"], row["source"], row["stack"]) for row in rows_of(study)]
    measured = [("", f"{name}@{name}") for name in GATEWAYS]
    others = [
        ("ballerina", "Ballerina"),
        ("ballerina-jdk11", "Ballerina (Java 11)"),
        ("ballerina-jdk8", "Ballerina (another table)"),
    ]
    assert found == [
        *(("passthrough h1c -> h1c", *row) for row in (*measured, others[0])),
        *(("transform h1c -> h1c", *row) for row in (*measured, *others)),
    ]
    assert {(row["users"], row["message_bytes"], row["delay_ms"]) for row in rows_of(study)} == {
        ("100", "50", "0")
    }
    beside = {row["scenario"]: row for row in rows_of(study) if row["source"] == "ballerina"}
    assert beside["passthrough h1c -> h1c"]["throughput_per_second"] == "20562.73"
    failed = beside["transform h1c -> h1c"]
    assert (failed["failures_percent"], failed["throughput_per_second"]) == ("100.0", "")
    markdown = (study / "report.md").read_text()
    assert "## Published rows" in markdown
    assert "246" not in markdown.partition("## Published rows")[2].partition("## Results")[0]
    assert 'id="published"' in (study / "report.html").read_text()


def test_places_are_the_intervals_of_the_study_and_failures_have_none(
    reported: tuple[Path, Ended],
) -> None:
    study, _ = reported
    analysis = json.loads((study / "analysis.json").read_text())
    known = {
        (ranking["workload"], arm["arm"]): (str(arm["low"]), str(arm["high"]))
        for ranking in analysis["rankings"]
        for arm in ranking["arms"]
    }
    assert {arm for _, arm in known} == set(GATEWAYS)
    assert len(set(known.values())) > 1
    for row in rows_of(study):
        place = (row["best_place"], row["worst_place"])
        if row["arm"] in ("go", "node", "rust"):
            assert place == known[row["workload"], row["arm"]]
        else:
            assert place == ("", "")
    (failing,) = {row["reason"] for row in rows_of(study) if row["arm"] == "python"}
    assert "place: a row with failures is not ranked" in failing


def test_a_report_made_again_is_the_same_without_the_system_that_it_was_of(
    lab: Lab, reported: tuple[Path, Ended]
) -> None:
    study = copied(reported[0], lab)
    first = reports_of(study)
    shutil.rmtree(lab.root / "systems" / "mediation")
    assert lab.run("report", str(study)).code == 0
    assert reports_of(study) == first


def test_results_without_published_rows_have_a_report_without_them(lab: Lab, study: Path) -> None:
    (study / folder.PUBLISHED).unlink()
    assert lab.run("report", str(study)).code == 0
    assert not (study / "tables" / "published.csv").exists()
    assert "Published rows" not in (study / "report.md").read_text()
    assert 'id="published"' not in (study / "report.html").read_text()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "published.json: not JSON"),
        ('{"published_version": 4}', "published.json: published_version is 4"),
        ('{"published_version": 1, "scenarios": 5, "sources": []}', "published.json: scenarios: "),
    ],
)
def test_a_broken_copy_is_refused_with_what_to_do(
    lab: Lab, study: Path, content: str, said: str
) -> None:
    (study / folder.PUBLISHED).write_text(content)
    ended = lab.run("report", str(study))
    assert ended.code == 2
    assert said in ended.stderr
    assert not (study / "report.html").exists()


def test_a_run_keeps_what_was_published_and_names_no_row_that_it_did_not_measure(lab: Lab) -> None:
    lab.study(study_of("node"))
    lab.behave("default: {}")
    ended = lab.run("run", "trial", "--profile", "moment", *SIMULATE)
    assert ended.code == 0, ended.stderr
    kept = json.loads((lab.results() / folder.PUBLISHED).read_text())
    schema = json.loads((CHECKOUT / "schemas" / "published.schema.json").read_text())
    jsonschema.validate(kept, schema)
    assert [len(source["rows"]) for source in kept["sources"]] == [48, 12, 12]
    assert not (lab.results() / "tables" / "published.csv").exists()


def test_wrong_published_rows_end_a_run_before_anything_is_started(lab: Lab) -> None:
    path = lab.root / "systems" / "mediation" / "published" / "ballerina.csv"
    path.write_text(path.read_text().replace("20562.73", "fast"))
    lab.study(study_of("node"))
    ended = lab.run("run", "trial", "--profile", "moment")
    assert ended.code == 2
    assert "ballerina.csv:2: throughput_per_second: must be a number, not 'fast'" in ended.stderr
    assert not (lab.root / "results").exists()
