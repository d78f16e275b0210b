"""Every command in the documentation is run, in a form that ends in seconds, or is in the Makefile."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab import CHECKOUT, Ended, Lab, code_of
from own_gateway import build, running
from own_project import STARTS, OwnProject
from servers import Hello, http_server, node_server

import k6_files
from documented_workloads import write_shown
from repository import Repository
from results_builder import Behaviour, build_results

PAGES = sorted(
    [CHECKOUT / "README.md", CHECKOUT / "CONTRIBUTING.md", *(CHECKOUT / "docs").rglob("*.md")]
)
BLOCK = re.compile(r"^ *```\w*\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
STUDY = re.compile(r"^```yaml\n# ([a-z-]+)\.yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)
WITHHELD = re.compile(r"^  withhold  ", re.MULTILINE)
COMMAND = re.compile(r"^ *(?:\$ )?((?:loadstone|make) [^#\n]*?) *(?:#.*)?$", re.MULTILINE)

CLEARTEXT = "in-cleartext"


def commands() -> list[str]:
    found = []
    for page in PAGES:
        for block in BLOCK.findall(page.read_text()):
            found += [command.strip() for command in COMMAND.findall(block)]
    return found


LOADSTONE = sorted({command for command in commands() if command.startswith("loadstone ")})
MAKE = sorted({command for command in commands() if command.startswith("make ")})


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gateway of one's own."""
    return build(tmp_path_factory.mktemp("mine"))


@pytest.fixture(scope="module")
def served(program: Path) -> Iterator[dict[str, str]]:
    """What a page writes to the real address behind it."""
    with http_server(Hello) as url, node_server("h2") as secure_url, running(program) as gateway:
        yield {
            "http://127.0.0.1:8080": url,
            "https://127.0.0.1:8443": secure_url,
            "http://127.0.0.1:9090": gateway[1],
        }


class Documented(Lab):
    """A root with the committed studies, those of the pages, healthy results, and some of k6's.

    Pages name the same studies in several ways: each is run once.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._ran: dict[str, Ended] = {}
        self._projects = 0

    def run_shortened(self, study: str) -> Ended:
        """Run a study's smoke profile, or return what was said when it was run before."""
        if study not in self._ran:
            out = str(self.root / f"shortened-{study}")
            self._ran[study] = self.run("run", study, "--profile", "smoke", "--out", out)
        return self._ran[study]

    def init(self, *words: str) -> Ended:
        """Describe a project of its own, by each way anew."""
        self._projects += 1
        return own_project(self.root / f"project-{self._projects}").run(*words)


@pytest.fixture(scope="module")
def documented(
    tmp_path_factory: pytest.TempPathFactory, program: Path, served: dict[str, str]
) -> Documented:
    """What the pages take for granted."""
    lab = Documented(tmp_path_factory.mktemp("documented"))
    for path in (CHECKOUT / "studies").glob("*.yaml"):
        lab.study(path.read_text(), path.stem)
    for page in PAGES:
        for name, text in STUDY.findall(page.read_text()):
            lab.study(translated(text, served), name)
    write_shown(CHECKOUT / "docs/guides/user-sessions.md", lab.root / "systems/mediation/workloads")
    for stack in ("go", "node"):  # each pair of legs that a stack speaks takes its time
        lab.add_stack(f"{stack}-{CLEARTEXT}", base=stack)
    (lab.root / "studies" / "mine").symlink_to(program.parent)
    gateways = dict.fromkeys(("go", "node"), Behaviour())
    shutil.copytree(build_results(lab.root / "results", arms=gateways), lab.root / "other")
    own_stack(lab)
    changes = dict.fromkeys(("base", "branch"), Behaviour())
    build_results(lab.root / "gated", arms=changes, name="gate-20260101T120000Z")
    described = own_project(lab.root / "shop")
    assert described.init().code == 0
    (lab.root / "systems" / "shop").symlink_to(described.root / "systems" / "shop")
    lab.study((described.root / "studies" / "again.yaml").read_text(), "again")
    shutil.move(lab.root / "studies" / "machines.yaml", lab.root)
    k6_files.write(lab.root / "results.csv.gz", k6_files.closed_load())
    assert lab.run("import", "k6", "results.csv.gz", "--out", "imported").code == 0
    return lab


def own_project(folder: Path) -> OwnProject:
    """A project whose Procfile says how its service starts."""
    project = OwnProject(folder)
    (folder / "Procfile").write_text(f"web: {STARTS}\n")
    return project


def own_stack(lab: Lab) -> None:
    """Add a stack that lives in somebody's repository, with a base and a change to it."""
    repository = Repository(lab.add_stack("mine", base="go"))
    repository.commit("base")
    repository.git("update-ref", "refs/remotes/origin/base", "HEAD")
    repository.commit("change")


def test_there_are_commands_to_test() -> None:
    assert len(LOADSTONE) >= 8
    assert "make quickstart" in MAKE


@pytest.mark.parametrize("command", MAKE)
def test_a_documented_target_is_in_the_makefile(command: str) -> None:
    for target in command.split()[1:]:
        dry = subprocess.run(
            ["make", "--dry-run", target], cwd=CHECKOUT, capture_output=True, text=True, check=False
        )
        assert dry.returncode == 0, dry.stderr


@pytest.mark.parametrize("command", LOADSTONE)
def test_a_documented_command_works(
    command: str, documented: Documented, served: dict[str, str]
) -> None:
    words = shlex.split(translated(command, served))[1:]
    folders = {"RESULTS": str(documented.results()), "OTHER": "other"}
    words = [
        each
        for word in words
        for each in ([folders.get(word, word)] if "*" not in word else globbed(documented, word))
    ]
    if words[0] == "run":
        words[1] = Path(words[1]).stem.replace("STUDY", "quickstart")
    elif words[0] == "import":
        words[words.index("--out") + 1] = f"imported-{LOADSTONE.index(command)}"
    elif words[0] == "check":
        words[-1] += f"-{CLEARTEXT}"
    elif words[0] == "bench" and not {"--stages", "--workload"} & set(words):
        words += ["--duration", "1s"]
    elif words[0] == "cluster":  # there are no machines, but it is understood
        words += ["--help"]
    if "--machines" in words and words[0] == "run":
        words = [*(word for word in words if word != "--resume"), "--dry-run"]
    if words[0] == "quickstart" or (words[0] == "run" and "--dry-run" not in words):
        study = "quickstart" if words[0] == "quickstart" else words[1]
        ended = documented.run_shortened(study)
        (results,) = (documented.root / f"shortened-{study}").iterdir()
        assert ended.code == code_of(results), ended.stderr
    else:
        ended = documented.init(*words) if words[0] == "init" else documented.run(*words)
        # A busy machine may withhold a figure of a real load.
        withheld = words[0] == "bench" and WITHHELD.search(ended.stdout)
        assert ended.code == (1 if withheld else 0), ended.stderr
    assert ended.stdout
    assert not re.search(r"^\d{3}-.* failed", ended.stderr, re.MULTILINE), ended.stderr


def globbed(lab: Lab, pattern: str) -> list[str]:
    """Return what a shell makes of a pattern in the root."""
    return sorted(str(path.relative_to(lab.root)) for path in lab.root.glob(pattern))


def translated(text: str, served: dict[str, str]) -> str:
    """Return a page's text with the real addresses in it."""
    for written, url in served.items():
        text = text.replace(written, url)
    return text
