"""What shells are offered behind a TAB: asked as each shell asks, and by the shells that are here."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from lab import COMMAND, Lab, study_of

from results_builder import Behaviour, build_results, rate


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    found = Lab(tmp_path_factory.mktemp("completed"))
    found.study(study_of("go", "node"), "trial")
    found.study(study_of("go", "node"), "truth")
    arms = {"go": Behaviour(), "go-again": Behaviour()}
    workload = rate(50, seconds=2, warm_up=0)
    build_results(found.root / "results", arms=arms, workloads=(workload,), blocks=1)
    (found.root / "results" / "notes").mkdir()
    return found


def environment(lab: Lab, **more: str) -> dict[str, str]:
    return {
        **os.environ,
        "LOADSTONE_ROOT": str(lab.root),
        "PATH": f"{COMMAND.parent}:{os.environ['PATH']}",
        **more,
    }


def offered(lab: Lab, line: str) -> list[str]:
    """Ask as Bash does, with the cursor at the end of the line."""
    words = line.split(" ")
    asked = subprocess.run(
        [COMMAND],
        cwd=lab.root,
        env=environment(
            lab,
            _LOADSTONE_COMPLETE="complete_bash",
            COMP_WORDS=line,
            COMP_CWORD=str(len(words) - 1),
        ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.stderr == ""
    return asked.stdout.split()


RESULTS = "results/gateways-20260101T120000Z"
CASES = {
    "loadstone expl": ["explain"],
    "loadstone explain litt": ["littles-law"],
    "loadstone explain cannot-": ["cannot-tell"],
    "loadstone run tr": ["trial", "truth"],
    "loadstone run studies/tr": [],
    "loadstone systems med": ["mediation"],
    "loadstone check boo": ["booking"],
    "loadstone check mediation --stack hap": ["haproxy"],
    "loadstone check conference --stack country/": ["country/rust"],
    "loadstone check nowhere --stack g": [],
    "loadstone report ": [RESULTS],
    "loadstone report results/": [RESULTS],
    "loadstone report nowhere/": [],
    f"loadstone compare {RESULTS} --baseline ": ["go", "go-again"],
    f"loadstone compare {RESULTS} --baseline go-": ["go-again"],
    "loadstone compare nowhere --baseline g": [],
    f"loadstone compare {RESULTS} res": [RESULTS],
    "loadstone audit results/gate": [RESULTS],
    f"loadstone audit {RESULTS}/runs/001": None,
}
"""What is typed to what is offered; none: the run of that number."""


@pytest.mark.parametrize("line", CASES)
def test_names_are_offered(line: str, lab: Lab) -> None:
    found = offered(lab, line)
    wanted = CASES[line]
    if wanted is None:
        (run,) = (lab.root / RESULTS / "runs").glob("001-*")
        wanted = [f"{RESULTS}/runs/{run.name}"]
    assert sorted(found) == wanted


def test_where_there_is_no_root_nothing_is_offered_and_nothing_said(
    lab: Lab, tmp_path: Path
) -> None:
    asked = subprocess.run(
        [COMMAND],
        cwd=tmp_path,
        env=environment(
            lab,
            LOADSTONE_ROOT=str(tmp_path),
            _LOADSTONE_COMPLETE="complete_bash",
            COMP_WORDS="loadstone run tr",
            COMP_CWORD="2",
        ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (asked.stdout.strip(), asked.stderr) == ("", "")


SCRIPTS = {
    "bash": """
        eval "$(_LOADSTONE_COMPLETE=source_bash loadstone)"
        complete -p loadstone > /dev/null
        COMP_WORDS=(loadstone explain litt) COMP_CWORD=2
        _loadstone_completion loadstone
        printf '%s\\n' "${COMPREPLY[@]}"
    """,
    "zsh": """
        autoload -Uz compinit
        compinit -u -D
        eval "$(_LOADSTONE_COMPLETE=source_zsh loadstone)"
        _arguments() { print -r -- "$@" }
        words=(loadstone explain litt) CURRENT=3
        _loadstone_completion
    """,
    "fish": """
        env _LOADSTONE_COMPLETE=source_fish loadstone | source
        complete -C 'loadstone explain litt'
    """,
}
OPTIONS = {"bash": ["--norc", "--noprofile"], "zsh": ["-f"], "fish": ["--no-config"]}
HERE = [
    pytest.param(
        shell,
        marks=pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed"),
    )
    for shell in SCRIPTS
]


@pytest.mark.parametrize("shell", HERE)
def test_a_shell_completes_a_code(shell: str, lab: Lab, tmp_path: Path) -> None:
    told = subprocess.run(
        [shell, *OPTIONS[shell], "-c", SCRIPTS[shell]],
        cwd=lab.root,
        env=environment(lab, HOME=str(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "littles-law" in told.stdout, told.stderr
    assert told.returncode == 0, told.stderr
