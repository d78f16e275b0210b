"""A root of one's own beside what is shipped: found, named, told, and what goes where."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab import CHECKOUT, COMMAND, SIMULATE, TIMEOUT_SECONDS, Ended, Lab, study_of

AS_INSTALLED = """
import os, pathlib
from loadstone.study.systems import roots
roots.INSTALLED = pathlib.Path(os.environ.pop("LOADSTONE_ROOT"))
os.chdir({elsewhere!r})
"""
"""The lab's root is what a wheel has installed, and the user is elsewhere."""

STOPPED = """
from loadstone.errors import Interrupted
from loadstone.simulate import site
def stopped(*_):
    raise Interrupted("stopped by SIGINT")
site.simulate_run = stopped
"""


class Own:
    """A folder with a study of the shipped system `mediation`, marked as a root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "loadstone.yaml").write_text("format: 1\n")
        (root / "studies").mkdir()
        (root / "studies" / "trial.yaml").write_text(study_of("go", "node", blocks=3))
        (root / SIMULATE[1]).write_text("default: {}\n")

    def run(self, *words: str, inside: str = ".", **variables: str) -> Ended:
        """Run a command in a folder of the root."""
        ended = subprocess.run(
            [COMMAND, *words],
            cwd=self.root / inside,
            env={**os.environ, "COLUMNS": "200", **variables},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    def simulate(self, *words: str, inside: str = ".", **variables: str) -> Ended:
        """Run the study `trial` without a measurement."""
        behaviours = str(self.root / SIMULATE[1])
        words = ("trial", "--profile", "short", "--simulate", behaviours, *words)
        return self.run("run", *words, inside=inside, **variables)


@pytest.fixture
def own(tmp_path: Path) -> Own:
    return Own(tmp_path)


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of no root, in which nothing may be left."""
    folder = tmp_path_factory.mktemp("elsewhere")
    yield folder
    assert list(folder.iterdir()) == []


def test_a_study_of_ones_own_runs_on_shipped_stacks_and_its_results_go_to_its_root(
    own: Own,
) -> None:
    ended = own.simulate(inside="studies")
    assert ended.code == 0, ended.stderr
    (results,) = (own.root / "results").iterdir()
    assert f"records: {results}" in ended.stderr
    assert (results / "report.html").is_file()
    assert sorted(path.name for path in (own.root / "studies").iterdir()) == ["trial.yaml"]
    assert "in place of" not in ended.stderr


@pytest.mark.parametrize("by", ["--root", "LOADSTONE_ROOT"])
def test_a_root_can_be_named_from_elsewhere(own: Own, elsewhere: Path, by: str) -> None:
    words = ("--root", str(own.root)) if by == "--root" else ()
    variables = {by: str(own.root)} if by == "LOADSTONE_ROOT" else {}
    ended = own.simulate(*words, inside=str(elsewhere), **variables)
    assert ended.code == 0, ended.stderr
    assert len(list((own.root / "results").iterdir())) == 1


def test_a_study_that_is_given_by_its_file_brings_its_root(own: Own, elsewhere: Path) -> None:
    study = str(own.root / "studies" / "trial.yaml")
    behaviours = str(own.root / SIMULATE[1])
    words = ("run", study, "--profile", "short", "--simulate", behaviours)
    assert own.run(*words, inside=str(elsewhere)).code == 0
    assert list((own.root / "results").iterdir())


def test_results_go_where_they_are_told_to(own: Own) -> None:
    assert own.simulate("--out", "mine", inside="studies").code == 0
    assert len(list((own.root / "studies" / "mine").iterdir())) == 1
    assert not (own.root / "results").exists()


def test_a_name_that_stands_in_the_place_of_a_shipped_one_is_told_once(own: Own) -> None:
    (own.root / "runtimes").mkdir()
    for name in ("go", "node"):
        shutil.copy(CHECKOUT / "runtimes" / f"{name}.yaml", own.root / "runtimes")
    shutil.copy(CHECKOUT / "studies" / "quickstart.yaml", own.root / "studies")
    ended = own.simulate()
    assert ended.code == 0, ended.stderr
    told = f"{own.root} (yours): yours in place of shipped: runtimes go, node; study quickstart"
    assert ended.stderr.count(told) == 1
    assert "in place of" not in ended.stdout


def test_systems_shows_where_each_comes_from(own: Own) -> None:
    listed = own.run("systems", "mediation")
    assert listed.code == 0, listed.stderr
    assert f"roots: {own.root} (yours), then {CHECKOUT} (shipped)\n" in listed.stdout
    assert f"\nfrom: {CHECKOUT} (shipped)\n" in listed.stdout
    shutil.copytree(
        CHECKOUT / "systems" / "mediation",
        own.root / "systems" / "mediation",
        ignore=shutil.ignore_patterns("node_modules", "target", ".venv"),
    )
    listed = own.run("systems", "mediation")
    assert f"\nfrom: {own.root} (yours), in place of the shipped one\n" in listed.stdout


def test_what_is_not_there_is_told_with_every_root_that_was_looked_through(own: Own) -> None:
    looked = f"{own.root} and {CHECKOUT}"
    for words in (("run", "absent"), ("systems", "absent"), ("check", "absent")):
        ended = own.run(*words)
        assert ended.code == 2
        assert looked in ended.stderr, words
    study = own.root / "studies" / "trial.yaml"
    study.write_text(study.read_text().replace("system: mediation", "system: absent"))
    ended = own.run("run", "trial")
    assert ended.code == 2
    assert f"{study}:4: system: absent is not a known system; looked in {looked}" in ended.stderr


def test_a_folder_that_is_no_root_is_refused(own: Own, elsewhere: Path) -> None:
    for command in (("systems",), ("run", "quickstart"), ("check", "mediation"), ("doctor",)):
        ended = own.run(*command, "--root", str(elsewhere))
        assert ended.code == 2
        assert f"{elsewhere}: --root names it, and there is no loadstone.yaml in it" in ended.stderr
        assert "`format: 1`" in ended.stderr


def test_a_study_that_was_stopped_says_how_to_go_on_with_the_same_root(lab: Lab) -> None:
    lab.behave("default: {}\n")
    lab.study(study_of("go", "node", blocks=3))
    words = ("run", "trial", "--profile", "short", "--root", str(lab.root), *SIMULATE)
    ended = lab.run(*words, changed=STOPPED)
    assert ended.code == 2
    assert f" --root {lab.root} --simulate behaviours.yaml --out " in ended.stderr


def test_what_is_installed_stays_as_it_is_and_is_built_in_the_users_cache(
    lab: Lab, elsewhere: Path
) -> None:
    lab.add_stack("go-alone", base="go")
    (lab.root / ".loadstone").unlink()
    before = {path.name for path in lab.root.iterdir()}
    changed = AS_INSTALLED.format(elsewhere=str(elsewhere))
    ended = lab.end(lab.start("check", "mediation", "--stack", "go-alone", changed=changed))
    assert ended.code == 0, ended.stdout + ended.stderr
    builds = Path(os.environ["XDG_CACHE_HOME"]) / "loadstone" / "builds"
    assert [path.name.rpartition("-")[0] for path in builds.glob("go-alone-*")] == ["go-alone"]
    assert {path.name for path in lab.root.iterdir()} == before
    assert not list(lab.gateways.glob("go-alone/bin"))
