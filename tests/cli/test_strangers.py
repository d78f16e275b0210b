"""A service that does not hold the whole contract: refused, or measured with what it leaves out beside
its figures.
"""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import jsonschema
import own_gateway
import pytest
from lab import CHECKOUT, NEVER_WITHHELD, SIMULATE, Ended, Lab, study_of
from servers import Hello, http_server

GONE = 'http.Error(w, "gone", http.StatusGone)'
KNOWN = "deviations: [{clause: [PT-16, PT-19], reason: it says that it is gone}]"
ECHOES = "deviations: [{clause: PT-*, reason: it only echoes}]"


@dataclass(frozen=True)
class Strangers:
    """A study of services that hold less than the contract, and what it left."""

    lab: Lab
    ended: Ended

    def record(self, arm: str) -> dict[str, Any]:
        (path,) = (self.lab.results() / "runs").glob(f"*-{arm}-saturation-50b/run.json")
        record: dict[str, Any] = json.loads(path.read_text())
        schema = json.loads((CHECKOUT / "schemas" / "run-record.schema.json").read_text())
        jsonschema.validate(record, schema)
        return record

    def findings(self, code: str) -> dict[str, dict[str, Any]]:
        """Of that code, by arm."""
        found = json.loads((self.lab.results() / "findings.json").read_text())
        return {each["subject"]["arm"]: each for each in found if each["code"] == code}

    @property
    def shown(self) -> str:
        return " ".join(self.ended.stdout.split())


@pytest.fixture(scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Strangers]:
    program = own_gateway.build(tmp_path_factory.mktemp("stranger"), missing=GONE)
    lab = Lab(tmp_path_factory.mktemp("strangers"))
    own = f"command: ./gateway, dir: {program.parent}"
    with http_server(Hello) as url:
        lab.study(
            study_of(
                "go",
                f"{{label: strict, {own}}}",
                f"{{label: known, {own}, {KNOWN}}}",
                f"{{label: unheld, {own}, contract: samples}}",
                f"{{label: echo, url: '{url}', operations: [passthrough], {ECHOES}}}",
                f"{{label: wrong, url: '{url}', contract: samples}}",
                metrics=NEVER_WITHHELD,
            )
        )
        ended = lab.run("run", "trial", "--profile", "short")
    yield Strangers(lab, ended)
    assert lab.left_behind() == []


def test_what_fails_the_contract_is_refused_with_every_clause(strangers: Strangers) -> None:
    failure = strangers.record("strict")["failure"]
    assert failure["step"] == "check"
    assert "All of them: PT-16, PT-19; what it need not hold can be named" in failure["reason"]
    assert strangers.record("strict")["outcomes"] == {}
    assert strangers.ended.code == 1


def test_what_is_declared_is_held_counted_and_recorded(strangers: Strangers) -> None:
    record = strangers.record("known")
    assert record["status"] == "completed", record["failure"]
    checks = {each["when"]: each for each in record["checks"]}
    assert checks.keys() == {"before", "after", "samples"}
    assert all(each["failed"] == [] for each in checks.values())
    assert checks["before"]["deviated"] == checks["after"]["deviated"] == 2
    assert checks["samples"]["deviated"] == 0
    assert record["not_held"]["gateway"]["by"] == "contract"
    clauses = [each["clause"] for each in record["not_held"]["gateway"]["deviations"]]
    assert clauses == ["PT-16", "PT-19"]
    assert strangers.record("go")["not_held"] == {}


def test_where_the_contract_is_not_run_sampled_answers_are_held(strangers: Strangers) -> None:
    record = strangers.record("unheld")
    assert record["status"] == "completed", record["failure"]
    (samples,) = record["checks"]
    assert samples["when"] == "samples"
    assert samples["checked"] > 0
    assert samples["failed"] == []
    assert "unheld is held by samples alone" in strangers.ended.stderr


def test_a_wrong_answer_withholds_figures_also_where_only_samples_are_held(
    strangers: Strangers,
) -> None:
    assert strangers.findings("contract").keys() == {"wrong"}
    assert "PT-8" in strangers.findings("contract")["wrong"]["evidence"]


def test_a_running_service_may_leave_out_operations_and_clauses(strangers: Strangers) -> None:
    record = strangers.record("echo")
    assert record["status"] == "completed", record["failure"]
    assert record["not_held"]["gateway"]["by"] == "quick checks"
    assert record["not_held"]["gateway"]["operations"] == ["transform"]
    samples = record["checks"][-1]
    assert samples["deviated"] == samples["checked"], "none has a content type"


def test_what_is_not_held_is_found_and_stands_beside_the_figures(strangers: Strangers) -> None:
    found = strangers.findings("not-held")
    assert found.keys() == {"known", "unheld", "echo", "wrong"}
    assert {each["severity"] for each in found.values()} == {"warning"}
    assert "PT-16 and PT-19 (it says that it is gone), seen 4 times" in found["known"]["evidence"]
    for arm, text in (
        ("Known", "it deviates from PT-16 and PT-19"),
        ("Unheld and wrong", "only sampled answers of it are"),
    ):
        assert f"{arm} {'are' if ' and ' in arm else 'is'} not held to all of" in strangers.shown
        assert text in strangers.shown
    with (strangers.lab.results() / "tables" / "figures.csv").open() as file:
        told = {row["arm"]: row["not_held"] for row in csv.DictReader(file)}
    assert told["go"] == ""
    assert told["known"] == "it deviates from PT-16 and PT-19"
    assert told["echo"].startswith("only its quick checks are; it deviates from PT-*; it does not")


def test_the_dry_run_says_what_will_not_be_held(strangers: Strangers) -> None:
    ended = strangers.lab.run("run", "trial", "--dry-run")
    assert "Known is not held to all of its contract: it deviates from PT-16" in ended.stdout
    assert "Unheld and wrong are not held to all of their contract: only" in ended.stdout


def test_a_clause_that_the_contract_does_not_have_is_refused(lab: Lab) -> None:
    path = lab.study(
        study_of("go", "{label: own, command: sh, deviations: [{clause: PT-91, reason: so}]}")
    )
    ended = lab.run("run", "trial", "--profile", "short")
    assert ended.code == 2
    error, hint = ended.stderr.splitlines()
    assert error == (
        f"error: {path}: arms.gateway: own deviates from PT-91, which no check of the contract names"
    )
    assert hint.startswith("hint: did you mean PT-9")
    assert not (lab.root / "results").exists()


def test_a_stack_that_is_held_by_its_samples_is_skipped_by_check(lab: Lab) -> None:
    manifest = lab.add_stack("unheld", base="go") / "stack.yaml"
    manifest.write_text(manifest.read_text() + "contract: samples\n")
    ended = lab.run("check", "mediation", "--stack", "unheld")
    assert ended.code == 0
    assert "skipped  unheld@go h1c -> h1c: held by samples alone" in ended.stdout


def test_a_simulated_study_has_it_as_well(lab: Lab) -> None:
    lab.behave("default: {}\n")
    lab.study(study_of("go", "{label: own, command: sh, contract: samples}", blocks=1))
    ended = lab.run("run", "trial", "--profile", "short", *SIMULATE)
    assert ended.code == 0, ended.stderr
    simulated = Strangers(lab, ended)
    assert [each["when"] for each in simulated.record("own")["checks"]] == ["samples"]
    assert [each["when"] for each in simulated.record("go")["checks"]] != ["samples"]
    assert simulated.findings("not-held").keys() == {"own"}
    assert "only sampled answers of it are" in simulated.shown
