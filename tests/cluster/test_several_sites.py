"""A study at several sites: whole blocks, each at one site, whatever is lost; looks are barriers."""

import json
from pathlib import Path

import pytest
from fake_labs import Study, never_stopping

from loadstone.errors import LoadstoneError
from loadstone.measure.told import RunBegan, RunsLost, SiteLost, Step
from loadstone.results.read import read_assignments, read_environment, read_results

A, B = ("a", 1), ("b", 1)


def test_blocks_are_done_side_by_side_and_every_run_says_where(tmp_path: Path) -> None:
    study = Study(tmp_path, blocks=5)
    labs = study.sit("a", "b")
    assert study.sites_of_blocks() == [{A}, {B}, {A}, {B}, {A}]
    assert [each.site for each in read_assignments(study.results)].count("a") == 3
    assert labs["a"].done == [run.id for run in study.plan.runs if run.block % 2]
    assert [each.record is not None for each in read_results(study.results).runs] == [True] * 10
    assert not list(tmp_path.glob("fetched-1/*/0*"))


def test_the_first_site_builds_and_the_others_get_its_builds(tmp_path: Path) -> None:
    study = Study(tmp_path)
    labs = study.sit("a", "b", "c")
    assert [labs[site].given for site in "abc"] == [[None], ["made at a"], ["made at a"]]
    logs = study.results / "logs"
    assert (logs / "c" / "build-go.log").read_text() == "built at c"
    steps = [told.text for told in study.listener.heard if isinstance(told, Step)]
    assert steps[0] == "removed what a killed lab left: 1 process (node)"
    assert steps[1:] == ["build go"] * 3


def test_the_environment_names_every_machine(tmp_path: Path) -> None:
    study = Study(tmp_path)
    study.sit("a", "b")
    machines = read_environment(study.results / "environment.json").machines
    assert {site: facts.address for site, facts in machines.items()} == {
        "a": "10.0.0.0",
        "b": "10.0.0.1",
    }
    assert machines["b"].service_cpus == (1,)


def test_half_a_block_of_a_lost_site_is_done_again_elsewhere_whole(tmp_path: Path) -> None:
    study = Study(tmp_path, arms=3)
    labs = study.sit("a", "b", b={"runs_until_lost": 4})  # all of block 2, one run of block 4
    assert study.sites_of_blocks() == [{A}, {B}, {A}, {("a", 2)}]
    assert len(labs["a"].done) == 9
    (lost,) = (told for told in study.listener.heard if isinstance(told, SiteLost))
    assert (lost.site, lost.block, lost.reason) == ("b", 4, "its machine is off")
    (runs,) = (told for told in study.listener.heard if isinstance(told, RunsLost))
    assert (runs.site, runs.block, len(runs.runs)) == ("a", 4, 1)
    assert [path.name for path in study.results.glob("lost/b-1/*")] == [*runs.runs]
    assert read_assignments(study.results)[-1].reason == "b was lost: its machine is off"


def test_a_site_that_is_lost_while_it_prepares_is_done_without(tmp_path: Path) -> None:
    study = Study(tmp_path)
    labs = study.sit("a", "b", "c", a={"is_lost_preparing": True})
    assert labs["b"].given == [None]
    assert labs["c"].given == ["made at b"]
    sites = [{site for site, _ in places} for places in study.sites_of_blocks()]
    assert sites[1:3] == [{"b"}, {"c"}]
    assert {"a"} not in sites
    assert read_assignments(study.results)[-1].reason == "a was lost: its raylet died"


def test_without_any_site_left_the_study_ends_and_can_be_resumed(tmp_path: Path) -> None:
    study = Study(tmp_path, arms=3)
    error = study.sit_in_vain("a", "b", a={"runs_until_lost": 2}, b={"runs_until_lost": 4})
    assert error.message.startswith("no site is left; the last one was ")
    assert "resume" in (error.remedy or "")
    before = study.records()
    labs = study.sit("a", "b", resume=True)
    assert study.sites_of_blocks() == [{A}, {B}, {A}, {B}]
    assert not set(before) & {*labs["a"].done, *labs["b"].done}
    assert not (study.results / "lost").exists()


def test_half_a_block_is_resumed_at_its_site_and_elsewhere_from_its_begin(tmp_path: Path) -> None:
    study = Study(tmp_path, arms=3)
    study.sit_in_vain("a", "b", a={"runs_until_lost": 2}, b={"runs_until_lost": 1})
    study.sit("b", "c", resume=True)
    first, second, *_ = study.sites_of_blocks()
    assert second == {B}
    assert {site for site, _ in first} <= {"b", "c"}
    assert {attempt for _, attempt in first} == {2}
    assert len(list(study.results.glob("lost/a-1/*"))) == 2
    reasons = {each.reason for each in read_assignments(study.results) if each.block == 1}
    assert reasons == {None, "a is not there any more"}


def test_a_look_is_a_barrier(tmp_path: Path) -> None:
    study = Study(tmp_path, blocks=6, looks=(3, 6))
    seen = []

    def look(results: Path, block: int) -> object:
        seen.append(len(list(results.glob("runs/*"))))
        return never_stopping(block)

    study.sit("a", "b", take_look=look)  # type: ignore[arg-type]
    assert seen == [6, 12]
    assert study.listener.looks == [3, 6]
    began = [told.run for told in study.listener.heard if isinstance(told, RunBegan)]
    behind = {run.id for run in study.plan.runs if run.block > 3}
    assert not behind & set(began[:6])


def test_a_site_that_refuses_or_is_unlike_the_first_is_named(tmp_path: Path) -> None:
    study = Study(tmp_path)
    error = study.sit_in_vain("a", "b", b={"refuses": "node is not installed"})
    assert (error.message, error.remedy) == ("b: node is not installed", "install it")
    error = study.sit_in_vain("a", "b", "c", c={"kernel": "6.8"})
    assert error.message == (
        "c is unlike a, so their runs cannot be compared:\n  kernel: 6.1, and 6.8 there"
    )
    assert not study.results.exists()


def test_a_study_of_several_machines_is_not_resumed_on_one(tmp_path: Path) -> None:
    study = Study(tmp_path)
    study.sit_in_vain("a", a={"runs_until_lost": 2})
    path = study.results / "environment.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "machines": {}}))
    with pytest.raises(LoadstoneError, match="machines: were this one alone, are several"):
        study.sit("a", resume=True)
