"""The jobs of the guide: their shell steps, as they stand there, in a clone as a runner makes it."""

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from lab import CHECKOUT, COMMAND, Lab
from test_docs import STUDY

from repository import Repository
from results_builder import Behaviour, build_results

GUIDES = CHECKOUT / "docs" / "guides"
NAME = "gate-20260101T120000Z"
HEALTHY, SLOWER = Behaviour(), Behaviour(median_ms=26)
FOLDER = "services/gateway"

LOADSTONE = f"""#!/bin/sh
# `run` as the test wants it, everything else as it is.
if [ "$1" = run ] && [ -n "$RESULTS" ]; then
    mkdir -p gated && cp -r "$RESULTS" gated/
    exit "$RUN_CODE"
fi
if [ "$1" = run ]; then
    exec {COMMAND} "$@" --profile smoke
fi
exec {COMMAND} "$@"
"""
GH = """#!/bin/sh
echo "gh $*" >> "$CALLS"
case "$*" in *--edit-last*) exit 1 ;; esac  # there is no comment yet
cat comment.md > "$POSTED"
"""
CURL = """#!/bin/sh
echo "curl $*" >> "$CALLS"
cat comment.md > "$POSTED"
"""


@dataclass(frozen=True)
class Step:
    """One call of a shell."""

    script: str
    always: bool = False
    """Whether it runs behind a step that failed, too."""
    needs_comment: bool = False


def github_steps() -> Iterator[Step]:
    job = loaded("github-actions.yaml")["jobs"]["gate"]
    for step in job["steps"]:
        if "run" in step:
            condition = step.get("if", "")
            yield Step(step["run"], "always()" in condition, "hashFiles('comment.md')" in condition)


def gitlab_steps() -> Iterator[Step]:
    job = loaded("gitlab-ci.yaml")["gate"]
    yield Step("\n".join(job["script"]))
    yield Step("\n".join(job["after_script"]), always=True)


def loaded(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((GUIDES / "gate" / name).read_text())
    return found


JOBS = {"GitHub Actions": github_steps, "GitLab CI": gitlab_steps}


class Runner:
    """A clone of somebody's repository at a change, and a shell in it."""

    def __init__(self, lab: Lab, folder: Path) -> None:
        self.lab, self.work = lab, folder / "work"
        repository = Repository(folder / "origin")
        stack = lab.add_stack("mine", base="go")
        (repository.root / FOLDER).parent.mkdir()
        stack.rename(repository.root / FOLDER)
        ((_, study),) = [
            each
            for each in STUDY.findall((GUIDES / "gate-a-change.md").read_text())
            if each[0] == "gate"
        ]
        repository.write("gate.yaml", study)
        self.commits = {"base": repository.commit("base")}
        repository.git("switch", "--quiet", "--create", "change")
        source = repository.root / FOLDER / "gateway.go"
        source.write_text(f"{source.read_text()}\n// faster\n")
        self.commits["branch"] = repository.commit("change")
        url = f"file://{repository.root}"
        repository.git(*("clone", "--quiet", "--depth=1", "--branch=change", url, str(self.work)))
        stack.symlink_to(self.work / FOLDER)
        programs = folder / "bin"
        programs.mkdir()
        for name, text in {"loadstone": LOADSTONE, "gh": GH, "curl": CURL}.items():
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        self.calls, self.posted, self.summary = (
            folder / name for name in ("calls", "posted", "summary")
        )
        self._environment = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "LOADSTONE_ROOT": str(lab.root),
            "TMPDIR": str(lab.temporary),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "BASE": "main",
            "PULL": "7",
            "NOTES": "https://gitlab.example/api/v4/projects/1/merge_requests/7/notes",
            "GATE_TOKEN": "a-token",
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "CALLS": str(self.calls),
            "POSTED": str(self.posted),
            "RESULTS": "",
            "RUN_CODE": "0",
        }

    def run(self, steps: Iterator[Step], **variables: str) -> tuple[int, str]:
        """Run the steps as a runner does; return the first exit code but 0, and what was said."""
        code, said = 0, ""
        for step in steps:
            assert "${{" not in step.script, "a runner fills in only variables here"
            if (code and not step.always) or (
                step.needs_comment and not (self.work / "comment.md").exists()
            ):
                continue
            ended = subprocess.run(
                ["bash", "-e", "-o", "pipefail", "-c", step.script],
                cwd=self.work,
                env={**self._environment, **variables},
                capture_output=True,
                text=True,
                check=False,
            )
            code, said = code or ended.returncode, said + ended.stdout + ended.stderr
        return code, said


@pytest.fixture
def runner(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(lab, tmp_path_factory.mktemp("runner"))


def results(folder: Path, branch: Behaviour) -> str:
    metrics = ("response_time.median",)
    arms = {"base": HEALTHY, "branch": branch}
    return str(build_results(folder / "made", arms=arms, metrics=metrics, name=NAME))


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize("run_code", ["0", "1"])
def test_a_change_that_is_not_worse_passes_and_the_table_is_posted(
    runner: Runner, tmp_path: Path, job: str, run_code: str
) -> None:
    made = results(tmp_path, HEALTHY)
    code, said = runner.run(JOBS[job](), RESULTS=made, RUN_CODE=run_code)
    assert code == 0, said
    posted = runner.posted.read_text()
    assert posted.startswith("### Loadstone: holds\n")
    assert "| branch against base |" in posted
    assert "7" in runner.calls.read_text()


@pytest.mark.parametrize("job", JOBS)
def test_a_change_that_is_worse_fails_and_the_table_says_by_what(
    runner: Runner, tmp_path: Path, job: str
) -> None:
    code, said = runner.run(JOBS[job](), RESULTS=results(tmp_path, SLOWER))
    assert code == 1, said
    posted = runner.posted.read_text()
    assert posted.startswith("### Loadstone: does not hold\n")
    assert "Worse than the baseline: branch (response" in posted
    assert "| SLOWER | response time median |" in posted


@pytest.mark.parametrize("job", JOBS)
def test_a_study_that_could_not_run_fails_and_posts_nothing(runner: Runner, job: str) -> None:
    code, _ = runner.run(JOBS[job](), BASE="no-such-branch")
    assert code not in (0, 1)
    assert not runner.posted.exists()


def test_on_github_the_last_comment_is_edited_and_the_summary_has_it(
    runner: Runner, tmp_path: Path
) -> None:
    code, said = runner.run(github_steps(), RESULTS=results(tmp_path, HEALTHY))
    assert code == 0, said
    assert runner.calls.read_text().splitlines() == [
        "gh pr comment 7 --body-file comment.md --edit-last",
        "gh pr comment 7 --body-file comment.md",
    ]
    assert runner.summary.read_text() == runner.posted.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("job", JOBS)
def test_the_study_of_the_guide_measures_the_base_and_the_change_of_a_shallow_clone(
    runner: Runner, job: str
) -> None:
    code, said = runner.run(JOBS[job]())
    assert code in (0, 1), said  # a busy machine may withhold a figure
    found = {}
    for path in runner.work.glob("gated/gate-*/runs/*/run.json"):
        record = json.loads(path.read_text())
        assert record["status"] == "completed", record["failure"]
        (service,) = (each for each in record["processes"] if each["role"] == "service")
        found[record["run"]["arm"]] = service["build"]["revision"]["commit"]
    assert found == runner.commits
    assert "| branch against base |" in runner.posted.read_text()
