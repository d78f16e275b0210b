"""What there is to measure: the systems, stacks, workloads and runtimes below one root folder.

Files are read when they are asked for, so that one broken stack does not hinder a study of others.
Whether something can run on this machine is `availability.py`.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from loadstone.errors import InputError, Unavailable
from loadstone.study.files.published_file import read_published
from loadstone.study.files.runtime_file import read_runtime
from loadstone.study.files.stack_file import read_stack, stack_of
from loadstone.study.files.system_file import read_system
from loadstone.study.files.workload_file import read_workload
from loadstone.study.files.yaml_file import decoded, read_yaml, yaml_of
from loadstone.study.systems.checkout import find_checkout, manifest_at
from loadstone.study.values.checkout import WORKING_TREE, shown
from loadstone.study.values.manifest import Runtime, Stack, System
from loadstone.study.values.model import AnyWorkload
from loadstone.study.values.published import Published
from loadstone.text.quoted import shortened, suggestion

_FOLDERS = ("systems", "runtimes", "studies")
ROOT_VARIABLE = "LOADSTONE_ROOT"


class Catalogue:
    """The systems and runtimes below `root`, by name."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def builds(self) -> Path:
        """Where built stacks are kept, by digest."""
        return self.root / ".loadstone" / "builds"

    def systems(self) -> tuple[str, ...]:
        """Names of the systems, sorted."""
        return _names(path.parent for path in (self.root / "systems").glob("*/system.yaml"))

    def system(self, name: str) -> System:
        """Read a system. Raises InputError where there is none of that name, or it is wrong."""
        _refuse_unknown("system", name, self.systems())
        return read_system(self.root / "systems" / name / "system.yaml")

    def published(self, system: System) -> Published | None:
        """Read what is published of a system; none where nothing is. Raises InputError."""
        return read_published(system)

    def workloads(self, system: str) -> tuple[str, ...]:
        """Names of a system's workloads, sorted."""
        return _names((self.root / "systems" / system / "workloads").glob("*.yaml"))

    def workload(self, system: str, name: str) -> AnyWorkload:
        """Read a workload of a system. Raises InputError."""
        _refuse_unknown("workload", name, self.workloads(system))
        return read_workload(self.root / "systems" / system / "workloads" / f"{name}.yaml")

    def stack_names(self, system: str, service: str) -> tuple[str, ...]:
        """Names of the stacks of a service, sorted."""
        folder = self.root / "systems" / system / service
        return _names(path.parent for path in folder.glob("*/stack.yaml"))

    def stack(self, system: System, service: str, name: str) -> Stack:
        """Read one stack of a service. Raises InputError."""
        _refuse_unknown("stack", name, self.stack_names(system.system, service))
        path = system.directory / service / name / "stack.yaml"
        return read_stack(path, system.service(service), self.runtimes(), system.operations)

    def stack_at(self, system: System, service: str, name: str, revision: str) -> Stack:
        """Read one stack as a revision of its repository has it, which is what will be built.

        A revision without the manifest takes that of the folder, and says so. Raises InputError,
        WrongValueError where there is no such revision, Unavailable without git.
        """
        _refuse_unknown("stack", name, self.stack_names(system.system, service))
        path = system.directory / service / name / "stack.yaml"
        checkout = find_checkout(path.parent, revision)
        content = None if revision == WORKING_TREE else manifest_at(checkout, path.name)
        if content is not None:
            there = path.with_name(f"{path.name}@{shown(checkout.commit)}")
            source = yaml_of(there, decoded(content, there, "YAML"))
        else:
            source = read_yaml(path)
            if revision != WORKING_TREE:
                note = f"it has no {path.name} of the stack: that of the working tree is taken"
                checkout = checkout.model_copy(update={"notes": (*checkout.notes, note)})
        stack = stack_of(source, system.service(service), self.runtimes(), system.operations)
        return stack.model_copy(update={"checkout": checkout})

    def stacks(self, system: System, service: str) -> tuple[Stack, ...]:
        """Read every stack of a service, sorted by name. Raises InputError."""
        names = self.stack_names(system.system, service)
        return tuple(self.stack(system, service, name) for name in names)

    def runtimes(self) -> tuple[str, ...]:
        """Names of the runtimes, sorted."""
        return _names((self.root / "runtimes").glob("*.yaml"))

    def runtime(self, name: str) -> Runtime:
        """Read a runtime. Raises InputError."""
        _refuse_unknown("runtime", name, self.runtimes())
        return read_runtime(self.root / "runtimes" / f"{name}.yaml")


def open_catalogue(
    start: Path | None = None, environment: Mapping[str, str] | None = None
) -> Catalogue:
    """Use $LOADSTONE_ROOT, else the nearest root above `start`, else this package's checkout.

    Raises InputError for a wrong LOADSTONE_ROOT, Unavailable where there is no root.
    """
    environment = os.environ if environment is None else environment
    if override := environment.get(ROOT_VARIABLE):
        root = Path(override)
        if not _is_root(root):
            raise InputError(
                f"{ROOT_VARIABLE} names it, and it does not hold {', '.join(_FOLDERS)}",
                path=root,
                remedy=f"set {ROOT_VARIABLE} to a checkout of Loadstone, or unset it",
            )
        return Catalogue(root.resolve())
    start = (start or Path.cwd()).resolve()
    checkout = Path(__file__).resolve().parents[4]
    for root in (start, *start.parents, checkout):
        if _is_root(root):
            return Catalogue(root)
    raise Unavailable(
        f"no folder above {start} holds {', '.join(_FOLDERS)}",
        f"go to a checkout of Loadstone, or set {ROOT_VARIABLE} to one",
    )


def _is_root(path: Path) -> bool:
    return all((path / folder).is_dir() for folder in _FOLDERS)


def _names(paths: Iterable[Path]) -> tuple[str, ...]:
    return tuple(sorted(path.name.removesuffix(".yaml") for path in paths))


def _refuse_unknown(what: str, name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise InputError(f"unknown {what} {shortened(name)!r}", remedy=suggestion(name, known))
