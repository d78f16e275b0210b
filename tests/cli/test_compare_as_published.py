"""The real `compare --as-published`: results folders, runs and files of k6; what it refuses."""

import json
from pathlib import Path

import jsonschema
import pytest
from lab import CHECKOUT, Ended, Lab

import k6_files
from results_builder import Behaviour, build_results, closed

SHORT = closed(seconds=5, warm_up=1)
SLOWER = Behaviour(median_ms=30)


def built(lab: Lab, name: str, seed: int = 1, blocks: int = 3, **arms: Behaviour) -> Path:
    return build_results(
        lab.root / "results", arms=arms, workloads=(SHORT,), name=name, seed=seed, blocks=blocks
    )


def files(lab: Lab, **seeds: int) -> None:
    for name, seed in seeds.items():
        events = k6_files.closed_load(seconds=70, spread=0.1, seed=seed)
        k6_files.write(lab.root / f"{name}.csv.gz", events, "unix_milli")


def compared(lab: Lab, *words: str) -> Ended:
    return lab.run("compare", "--as-published", *words)


def test_a_results_folder_shows_both_answers_and_ends_with_0(lab: Lab) -> None:
    built(lab, "main", go=Behaviour(), node=SLOWER)
    ended = compared(lab, "results/main")
    assert ended.code == 0
    assert "node against go under closed" in ended.stdout
    assert "as published  slower: Wilcoxon rank-sum, W " in ended.stdout
    assert "slower in 3 of 3 blocks" in ended.stdout
    assert "by runs       slower: service time median 1." in ended.stdout
    assert ended.stderr.splitlines()[-1] == "exit code 0: no compared figure is withheld"


def test_two_results_folders_are_compared_arm_by_arm(lab: Lab) -> None:
    built(lab, "main", go=Behaviour())
    built(lab, "branch", seed=2, go=SLOWER)
    ended = compared(lab, "results/main", "results/branch")
    assert ended.code == 0
    assert "go of branch against go of main under closed" in ended.stdout
    assert "warning: different days are not blocks" in ended.stderr


def test_two_files_of_k6_have_no_answer_by_runs(lab: Lab) -> None:
    files(lab, one=1, other=2)
    ended = compared(lab, "one.csv.gz", "other.csv.gz")
    assert ended.code == 0
    assert "other.csv.gz against one.csv.gz" in ended.stdout
    text = " ".join(ended.stdout.split())
    assert "by runs cannot tell: one run a side, so nothing tells how runs vary" in text
    assert sorted(path.name for path in lab.root.glob("*.csv.gz")) == ["one.csv.gz", "other.csv.gz"]
    assert not list(lab.temporary.iterdir())


def test_a_figure_that_is_withheld_ends_with_1(lab: Lab) -> None:
    files(lab, good=1)
    hung = k6_files.closed_load(hung=4, seconds=70, spread=0.0)
    k6_files.write(lab.root / "hung.csv.gz", hung)
    ended = compared(lab, "good.csv.gz", "hung.csv.gz")
    assert ended.code == 1
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("exit code 1: withheld: service_time.median of hung.csv.gz: ")
    assert "littles-law" in last
    assert "as published" in ended.stdout


def test_the_json_is_what_its_schema_says(lab: Lab) -> None:
    built(lab, "main", go=Behaviour(), node=SLOWER)
    files(lab, one=1, other=2)
    schema = json.loads((CHECKOUT / "schemas" / "as-published.schema.json").read_text())
    for words in (("results/main",), ("one.csv.gz", "other.csv.gz")):
        found = json.loads(compared(lab, *words, "--json").stdout)
        jsonschema.validate(found, schema)
        assert len(found["comparisons"]) == 1


def test_a_study_that_asks_for_it_has_it_in_its_report(lab: Lab) -> None:
    results = built(lab, "main", go=Behaviour(), node=SLOWER)
    plan = json.loads((results / "plan.json").read_text())
    (results / "plan.json").write_text(json.dumps(plan | {"analysis": "per-request"}))
    ended = lab.run("report", "results/main")
    assert ended.code == 0
    assert "Single requests, as published" in ended.stdout
    assert "Single requests, as published" in (results / "report.html").read_text()
    assert (results / "tables" / "per_request.csv").is_file()
    assert json.loads((results / "analysis.json").read_text())["per_request"]


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (("one.csv.gz",), "is no results folder", "give a second run"),
        (("results/main", "one.csv.gz"), "has many runs, and the other is one", "in its runs/"),
        (("one.csv.gz", "results/main"), "has many runs, and the other is one", "in its runs/"),
        (("one.csv.gz", "missing.csv"), "is neither a folder", "give a results folder"),
        (("one.csv.gz", "foreign.csv"), "foreign.csv:1: metric_name: not a CSV of k6", "k6 run"),
        (("results/main", "--baseline", "go"), "--baseline has no meaning", "leave out"),
        (("results/main", "--metric", "throughput"), "--metric has no meaning", "leave out"),
        (("results/main", "--apdex", "1s,2s"), "--apdex has no meaning", "leave out"),
    ],
)
def test_what_cannot_be_compared_is_exit_code_2(
    lab: Lab, words: tuple[str, ...], message: str, hint: str
) -> None:
    built(lab, "main", blocks=1, go=Behaviour(), node=Behaviour())
    files(lab, one=1)
    (lab.root / "foreign.csv").write_text("a,b\n1,2\n")
    ended = compared(lab, *words)
    assert (ended.code, ended.stdout) == (2, "")
    assert message in ended.told
    assert hint in ended.told
