import json
import re
import shutil
from pathlib import Path

import pytest

from loadstone.errors import InputError
from loadstone.report.tables.environment_table import fact_tables
from loadstone.results import folder
from loadstone.results.environment import Environment
from loadstone.results.read import read_record, read_results
from results_builder import Behaviour, build_results, closed


@pytest.fixture
def results(tmp_path: Path) -> Path:
    arms = {"go": Behaviour(), "node": Behaviour(failing_blocks=(1,), missing_blocks=(2,))}
    return build_results(
        tmp_path, arms=arms, workloads=(closed(2, seconds=3, warm_up=1),), blocks=2
    )


def change(path: Path, **keys: object) -> None:
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, **keys}))


def test_every_planned_run_is_there_with_what_became_of_it(results: Path) -> None:
    read = read_results(results)
    assert read.plan.study == "gateways"
    assert read.environment.recorded() == {"machine": {"cpus": 2}}
    assert sorted((run.planned.arm, run.planned.block, run.problem) for run in read.runs) == [
        ("go", 1, ""),
        ("go", 2, ""),
        ("node", 1, "start-up: it exited with 3"),
        ("node", 2, "run: not done"),
    ]


def test_an_interrupted_run_says_so(results: Path) -> None:
    path = next(results.glob("runs/*-go-closed")) / folder.RECORD
    change(path, status="interrupted")
    assert "run: interrupted" in [run.problem for run in read_results(results).runs]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder") as error:
        read_results(tmp_path / "nothing")
    assert error.value.remedy


def test_a_folder_without_a_plan_is_not_a_results_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"plan\.json: the file is missing"):
        read_results(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "no record_version"),
        ("{}", "no record_version"),
        ('{"record_version": 1}', "record_version is 1, and this Loadstone reads 3 and 4"),
        ('{"record_version": 3}', "run: Field required"),
    ],
)
def test_a_foreign_record_is_refused_with_its_path(results: Path, text: str, message: str) -> None:
    path = next(results.glob("runs/*-go-closed")) / folder.RECORD
    path.write_text(text)
    with pytest.raises(InputError, match=message) as error:
        read_record(path)
    assert str(path) in error.value.message
    assert error.value.remedy


def test_an_unknown_key_in_a_record_is_refused_by_name(results: Path) -> None:
    path = next(results.glob("runs/*-go-closed")) / folder.RECORD
    change(path, colour="blue")
    with pytest.raises(InputError, match="colour"):
        read_record(path)


def test_the_record_of_another_run_is_refused(results: Path) -> None:
    go, other = sorted(results.glob("runs/*-go-closed"))
    shutil.copy(go / folder.RECORD, other / folder.RECORD)
    with pytest.raises(InputError, match="not of the planned run"):
        read_results(results)


def test_results_of_another_version_are_refused(results: Path) -> None:
    change(results / folder.PLAN, plan_version=99)
    with pytest.raises(InputError, match="plan_version is 99"):
        read_results(results)


def test_results_without_an_environment_can_be_read(results: Path) -> None:
    (results / folder.ENVIRONMENT).unlink()
    assert read_results(results).environment == Environment()


def test_a_fact_that_a_later_lab_records_is_kept(results: Path) -> None:
    written = {"machine": {"cpus": 2, "sockets": 1}, "versions": {"go": "1.22"}, "moon": "full"}
    (results / folder.ENVIRONMENT).write_text(json.dumps(written))
    environment = read_results(results).environment
    assert environment.recorded() == written
    assert [(table.title, table.facts) for table in fact_tables(environment)] == [
        ("machine", (("CPUs", "2"), ("sockets", "1"))),
        ("versions", (("go", "1.22"),)),
        ("study", (("moon", "full"),)),
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [("[]", "Input should be"), ('{"versions": "1.0"}', "versions: "), ("{", "not JSON")],
)
def test_an_environment_that_is_none_is_refused_with_its_path(
    results: Path, content: str, told: str
) -> None:
    path = results / folder.ENVIRONMENT
    path.write_text(content)
    with pytest.raises(InputError, match=re.escape(told)) as refused:
        read_results(results)
    assert refused.value.path == path
    assert refused.value.remedy
