"""The files of a description, by their paths below `loadstone/`: each is commented, and read by the lab
as it stands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loadstone.describe.checks_text import checks_text
from loadstone.describe.dependencies import NAME, FoundDriver
from loadstone.describe.model import Description
from loadstone.describe.stack_text import stack_text
from loadstone.describe.starts.model import Toolchain, Way
from loadstone.describe.study_text import study_text
from loadstone.describe.system_text import system_text
from loadstone.describe.workload_text import workload_text
from loadstone.study.files.checks_file import FILE as CHECKS
from loadstone.study.files.root_file import FORMAT
from loadstone.study.systems.roots import MARKER
from loadstone.study.values.dependency import DependencyKind
from loadstone.study.values.manifest import SEED, WORKLOADS

SERVICE = "api"
"""The name of the only service."""
_SUFFIXES = (".json", ".yaml", ".yml")

_ROOT = f"""\
# The root of this project's lab: its systems and studies are beside this file.
format: {FORMAT}
"""
_IGNORED = """\
# What the lab makes here: builds, and the records of runs.
.loadstone/
results/
"""
_SEED = (
    "-- The tables and rows that each run begins with: plain SQL, run as the user of the service.\n"
)


@dataclass(frozen=True)
class Project:
    """What the files say of a project beside its API."""

    name: str
    """Of the system and of its stack."""
    toolchain: Toolchain
    way: Way
    told_by: str
    """The file that tells the way, or the option."""
    branch: str | None
    """The branch to compare with; none where there is none."""
    database: DependencyKind | None = None
    """What the lab starts for each run; none: nothing."""
    driver: FoundDriver | None = None
    """Of a database, where none is started."""
    notes: Sequence[str] = ()
    """What is to be told of it on the terminal."""

    @property
    def study(self) -> str:
        """The name of its study."""
        return "again" if self.branch is None else "branch"

    @property
    def system(self) -> str:
        """The folder of its system."""
        return f"systems/{self.name}"

    @property
    def stack(self) -> str:
        """The folder of its stack."""
        return f"{self.system}/{SERVICE}/{self.name}"


def files_of(description: Description, project: Project) -> Mapping[str, str | bytes]:
    """Every file, by its path."""
    name, system = project.name, project.system
    document = None
    if description.document is not None:
        suffix = description.document.suffix
        document = f"openapi{suffix if suffix in _SUFFIXES else '.yaml'}"
    found: dict[str, str | bytes] = {
        MARKER: _ROOT,
        ".gitignore": _IGNORED,
        f"{system}/system.yaml": system_text(
            description, name, SERVICE, project.toolchain, project.database, project.driver
        ),
        f"{project.stack}/stack.yaml": stack_text(
            name, project.toolchain, project.way, project.told_by
        ),
        f"studies/{project.study}.yaml": study_text(
            description, name, SERVICE, project.study, project.branch
        ),
        **{
            f"{system}/{WORKLOADS}/{each.name}.yaml": workload_text(each)
            for each in description.workloads
        },
    }
    if description.document is not None:
        found[f"{system}/{document}"] = description.document.read_bytes()
    if description.checks or document is not None:
        found[f"{system}/{CHECKS}"] = checks_text(description, document)
    if project.database is not None:
        found[f"{system}/{SEED}/{NAME}/schema.sql"] = _SEED
    return found
