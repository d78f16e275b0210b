"""The real commands: results of k6 become runs, and any results are doubted where they must be."""

import json
from pathlib import Path

import jsonschema
import pytest
from lab import CHECKOUT, Ended, Lab

import k6_files
from loadstone.results import folder
from results_builder import Behaviour, build_results


@pytest.fixture
def imported(lab: Lab) -> Path:
    """A load that stands, and one whose users hang, in one folder."""
    for name, hung in (("good", 0), ("hung", 4)):
        k6_files.write(
            lab.root / f"{name}.csv.gz", k6_files.closed_load(hung=hung, seconds=70, spread=0.0)
        )
    ended = lab.run("import", "k6", "good.csv.gz", "hung.csv.gz", "--out", "imported")
    assert (ended.code, ended.told) == (0, "")
    return lab.root / "imported"


def test_each_file_becomes_one_run(lab: Lab, imported: Path) -> None:
    assert sorted(each.name for each in imported.iterdir()) == ["good", "hung"]
    schema = json.loads((CHECKOUT / "schemas" / "run-record.schema.json").read_text())
    for run in imported.iterdir():
        assert {each.name for each in run.iterdir()} == {
            folder.RECORD,
            folder.TIMELINE,
            folder.HISTOGRAMS,
        }
        record = json.loads((run / folder.RECORD).read_text())
        jsonschema.validate(record, schema)
        identity = record["run"]
        assert (identity["study"], identity["arm"], identity["workload"]) == (
            *("imported", run.name),
            "k6",
        )
        assert identity["factors"] == {}


def test_what_was_imported_is_said_in_a_line(lab: Lab) -> None:
    k6_files.write(lab.root / "a.csv", k6_files.closed_load(seconds=10, spread=0.0))
    ended = lab.run("import", "k6", "a.csv", "--out", "runs", "--warm-up", "3s")
    assert ended.stdout == "runs/a: 100 requests of 1 operation in 10.0 s, by 10 users\n"
    record = json.loads((lab.root / "runs" / "a" / folder.RECORD).read_text())
    assert record["window"]["start_ns"] == 3_000_000_000


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (("jtl", "good.csv"), "unknown format 'jtl'", "one of: k6"),
        (("k6", "missing.csv"), "missing.csv: there is no such file", "give the file of results"),
        (("k6", "foreign.csv"), "foreign.csv:1: metric_name: not a CSV of k6", "k6 run --out csv"),
        (("k6", "good.csv", "--warm-up", "1h"), "over before the warm-up", "shorter --warm-up"),
        (("k6", "good.csv", "--warm-up", "soon"), "--warm-up", "hint"),
    ],
)
def test_what_cannot_be_imported_is_exit_code_2_and_leaves_nothing(
    lab: Lab, words: tuple[str, ...], message: str, hint: str
) -> None:
    k6_files.write(lab.root / "good.csv", k6_files.closed_load(seconds=5))
    (lab.root / "foreign.csv").write_text("a,b\n1,2\n")
    ended = lab.run("import", *words, "--out", "runs")
    assert (ended.code, ended.stdout) == (2, "")
    assert message in ended.stderr
    assert hint in ended.stderr
    assert not list(lab.root.glob("runs/*"))


def test_a_run_that_is_there_is_never_written_over(lab: Lab, imported: Path) -> None:
    before = (imported / "good" / folder.RECORD).read_bytes()
    ended = lab.run("import", "k6", "good.csv.gz", "--out", "imported")
    assert ended.code == 2
    assert "its run is there already: imported/good" in ended.stderr
    assert (imported / "good" / folder.RECORD).read_bytes() == before


def test_a_file_that_takes_long_shows_how_far_it_is(lab: Lab) -> None:
    k6_files.write(lab.root / "a.csv", k6_files.closed_load(seconds=10, spread=0.0))
    at_once = (
        "from loadstone.cli import reading; reading.AFTER_SECONDS = 0.0; "
        "from loadstone.importers import source_file; source_file.PROGRESS_LINES = 100"
    )
    ended = lab.end(lab.start("import", "k6", "a.csv", "--out", "runs", changed=at_once))
    assert ended.code == 0
    assert ended.stderr.startswith("reading a.csv: ")


def test_hung_users_withhold_their_figures_and_nobody_elses(lab: Lab, imported: Path) -> None:
    ended = lab.run("audit", "imported")
    assert (ended.code, ended.told) == (1, "")
    good, hung = ended.stdout.split("run hung\n")
    assert good.startswith("run good\nimported from k6 · good.csv.gz · SHA-256 ")
    assert "users         10 at most · 700 iterations" in good
    assert "throughput    10.0 /s" in good
    assert "pinned-throughput" in good
    assert "no figure is withheld" in good
    assert "generator: k6's CSV does not tell what k6 itself cost" in good
    assert "throughput    withheld: littles-law" in hung
    assert "10 users, but X (R + Z) = 6.00/s x" in hung
    assert "52 figures withheld" in hung
    assert audited(lab.run("audit", "imported/good", "--json"), 0)[0]["name"] == "good"


def audited(ended: Ended, code: int) -> list[dict[str, object]]:
    assert ended.code == code, ended.stderr
    return json.loads(ended.stdout)


def test_findings_are_data_too(lab: Lab, imported: Path) -> None:
    schema = json.loads((CHECKOUT / "schemas" / "finding.schema.json").read_text())
    good, hung = audited(lab.run("audit", "imported", "--json"), 1)
    assert (good["path"], good["name"], good["withheld"]) == ("imported/good", "good", [])
    assert "throughput" in hung["withheld"]
    for finding in (*good["findings"], *hung["findings"]):
        jsonschema.validate(finding, schema)
    assert [each["code"] for each in hung["findings"]] == ["littles-law", "pinned-throughput"]


def test_studies_and_single_runs_of_our_own_are_audited(lab: Lab) -> None:
    arms = {"go": Behaviour(), "node": Behaviour(median_ms=40)}
    study = build_results(lab.root / "results", arms=arms, blocks=3)
    ended = lab.run("audit", str(study))
    assert (ended.code, ended.told) == (0, "")
    assert ended.stdout.startswith("study gateways\n")
    assert "too-few-runs" in ended.stdout
    run = next((study / folder.RUNS).iterdir())
    ended = lab.run("audit", str(run), str(study / folder.RUNS))
    assert ended.code == 0
    assert ended.stdout.count("\nrun 0") == 6
    assert "generator" in ended.stdout


def test_a_run_that_failed_has_no_figures_and_says_so(lab: Lab) -> None:
    arms = {"go": Behaviour(failing_blocks=(1,))}
    study = build_results(lab.root / "results", arms=arms, blocks=2)
    ended = lab.run("audit", str(next((study / folder.RUNS).glob("001-*"))))
    assert ended.code == 0
    assert "failed in start-up: it exited with 3" in ended.stdout
    assert "the run is failed and has no figures" in ended.stdout


def test_a_run_that_only_started_a_service_shows_its_start(lab: Lab) -> None:
    study = build_results(lab.root / "results", arms={"go": Behaviour()}, blocks=1)
    (run,) = (study / folder.RUNS).iterdir()
    record = json.loads((run / folder.RECORD).read_text())
    started = {**record, "kind": "startup", "load": None, "window": None}
    (run / folder.RECORD).write_text(json.dumps(started))
    ended = lab.run("audit", str(run))
    assert ended.code == 0
    assert "\nstart-up  5" in ended.stdout


def test_a_study_with_a_figure_that_is_withheld_is_exit_code_1(lab: Lab) -> None:
    arms = {"go": Behaviour(failing_share=0.2)}
    study = build_results(lab.root / "results", arms=arms, blocks=3)
    (found,) = audited(lab.run("audit", str(study), "--json"), 1)
    assert found["name"] == "gateways"
    assert "go/closed/throughput" in found["withheld"]


@pytest.mark.parametrize("path", ["missing", "empty", "studies"])
def test_what_is_no_results_is_exit_code_2(lab: Lab, path: str) -> None:
    (lab.root / "empty").mkdir()
    ended = lab.run("audit", path)
    assert (ended.code, ended.stdout) == (2, "")
    assert f"error: {path}: " in ended.stderr
    assert "hint: give a" in ended.stderr
