"""What there is to measure: the systems, stacks, workloads, runtimes and studies of the roots.

Files are read when they are asked for, so that one broken stack does not hinder a study of others.
Whether something can run on this machine is `availability.py`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from loadstone.errors import InputError
from loadstone.study.files.published_file import read_published
from loadstone.study.files.runtime_file import read_runtime
from loadstone.study.files.stack_file import built_folder, read_stack, stack_of
from loadstone.study.files.system_file import read_system
from loadstone.study.files.workload_file import read_workload
from loadstone.study.files.yaml_file import decoded, read_yaml, yaml_of
from loadstone.study.systems.checkout import file_at, find_checkout
from loadstone.study.systems.roots import builds_of, own_root, shipped_root
from loadstone.study.values.checkout import WORKING_TREE, shown
from loadstone.study.values.manifest import Runtime, Stack, System
from loadstone.study.values.model import AnyWorkload
from loadstone.study.values.published import Published
from loadstone.text.quoted import shortened, suggestion

_FILES = {
    "system": "systems/*/system.yaml",
    "runtime": "runtimes/*.yaml",
    "study": "studies/*.yaml",
}
"""What a root has by name, and the file that says so."""


class Catalogue:
    """What the roots have, by name. Where two have the same name, that of the first root stands.

    A system, a runtime or a study is of one root as a whole: what two roots have of a system is not
    mixed.
    """

    def __init__(self, *roots: Path, own: Path | None = None) -> None:
        self.roots = roots
        """Where names are looked for, in this order."""
        self.own = own
        """The user's, which results go to; none where there is none."""

    @property
    def places(self) -> str:
        """The roots in words: where was looked."""
        return " and ".join(map(str, self.roots))

    def overriding(self) -> tuple[tuple[str, str], ...]:
        """Kind and name of what stands in the place of something of a later root."""
        counted = Counter(
            (kind, name) for root in self.roots for kind in _FILES for name in _names(root, kind)
        )
        return tuple(each for each, number in counted.items() if number > 1)

    def root_of(self, kind: str, name: str) -> Path:
        """Return the root that a `system`, a `runtime` or a `study` is of. Raises InputError."""
        files = self._files(kind)
        if name not in files:
            raise InputError(
                f"unknown {kind} {shortened(name)!r}; looked in {self.places}",
                remedy=suggestion(name, tuple(files)),
            )
        return files[name]

    def builds_of(self, system: System) -> Path:
        """Return where the stacks of a system are built and kept, by digest. Raises Unavailable."""
        return builds_of(self.root_of("system", system.system))

    def systems(self) -> tuple[str, ...]:
        """Names of the systems, sorted."""
        return tuple(self._files("system"))

    def system(self, name: str) -> System:
        """Read a system. Raises InputError where there is none of that name, or it is wrong."""
        return read_system(self._folder_of(name) / "system.yaml")

    def published(self, system: System) -> Published | None:
        """Read what is published of a system; none where nothing is. Raises InputError."""
        return read_published(system)

    def workloads(self, system: str) -> tuple[str, ...]:
        """Names of a system's workloads, sorted. Raises InputError for an unknown system."""
        return _sorted((self._folder_of(system) / "workloads").glob("*.yaml"))

    def workload(self, system: str, name: str) -> AnyWorkload:
        """Read a workload of a system. Raises InputError."""
        _refuse_unknown("workload", name, self.workloads(system))
        return read_workload(self._folder_of(system) / "workloads" / f"{name}.yaml")

    def stack_names(self, system: str, service: str) -> tuple[str, ...]:
        """Names of the stacks of a service, sorted. Raises InputError for an unknown system."""
        folder = self._folder_of(system) / service
        return _sorted(path.parent for path in folder.glob("*/stack.yaml"))

    def stack(self, system: System, service: str, name: str) -> Stack:
        """Read one stack of a service. Raises InputError."""
        _refuse_unknown("stack", name, self.stack_names(system.system, service))
        path = system.directory / service / name / "stack.yaml"
        return read_stack(
            path, system.service(service), self.runtimes(), self.places, system.operations
        )

    def stack_at(self, system: System, service: str, name: str, revision: str) -> Stack:
        """Read one stack as a revision of its repository has it, which is what will be built.

        The repository is that of what is built: of the manifest's folder, or of the project that it
        names. A revision without the manifest takes that of the folder, and says so. Raises InputError,
        WrongValueError where there is no such revision, Unavailable without git.
        """
        _refuse_unknown("stack", name, self.stack_names(system.system, service))
        path = system.directory / service / name / "stack.yaml"
        source = read_yaml(path)
        folder = built_folder(source)
        checkout = find_checkout(folder, revision)
        if revision != WORKING_TREE:
            content = file_at(checkout, path)
            if content is None:
                note = f"it has no {path.name} of the stack: that of the working tree is taken"
                checkout = checkout.model_copy(update={"notes": (*checkout.notes, note)})
            else:
                there = path.with_name(f"{path.name}@{shown(checkout.commit)}")
                source = yaml_of(there, decoded(content, there, "YAML"))
        stack = stack_of(
            source, system.service(service), self.runtimes(), self.places, system.operations
        )
        if stack.directory != folder:  # the revision's manifest names another project
            checkout = find_checkout(stack.directory, revision)
        return stack.model_copy(update={"checkout": checkout})

    def stacks(self, system: System, service: str) -> tuple[Stack, ...]:
        """Read every stack of a service, sorted by name. Raises InputError."""
        names = self.stack_names(system.system, service)
        return tuple(self.stack(system, service, name) for name in names)

    def runtimes(self) -> tuple[str, ...]:
        """Names of the runtimes, sorted."""
        return tuple(self._files("runtime"))

    def runtime(self, name: str) -> Runtime:
        """Read a runtime. Raises InputError."""
        return read_runtime(self.root_of("runtime", name) / "runtimes" / f"{name}.yaml")

    def studies(self) -> tuple[str, ...]:
        """Names of the studies, sorted."""
        return tuple(self._files("study"))

    def study(self, name: str) -> Path:
        """Return the file of a study. Raises InputError where there is none of that name."""
        return self.root_of("study", name) / "studies" / f"{name}.yaml"

    def files(self) -> dict[str, Path]:
        """Return the folder of each system and the file of each runtime and study, by where they are in
        a root.
        """
        names = {kind: self._files(kind) for kind in _FILES}
        found = {f"systems/{name}": root for name, root in names["system"].items()}
        found |= {f"runtimes/{name}.yaml": root for name, root in names["runtime"].items()}
        found |= {f"studies/{name}.yaml": root for name, root in names["study"].items()}
        return {where: root / where for where, root in found.items()}

    def _files(self, kind: str) -> Mapping[str, Path]:
        """Names of a kind, sorted, each with the root that it is of."""
        found = {name: root for root in reversed(self.roots) for name in _names(root, kind)}
        return dict(sorted(found.items()))

    def _folder_of(self, system: str) -> Path:
        return self.root_of("system", system) / "systems" / system


def open_catalogue(
    start: Path | None = None,
    environment: Mapping[str, str] | None = None,
    *,
    named: Path | None = None,
) -> Catalogue:
    """Look in the user's root, as it is named or found from `start` upwards, then in the shipped one.

    Raises InputError for a root that is no root, Unavailable where the shipped one is missing.
    """
    own, shipped = own_root(start or Path.cwd(), named, environment), shipped_root()
    roots = (shipped,) if own is None else tuple(dict.fromkeys((own, shipped)))
    return Catalogue(*roots, own=own)


def _names(root: Path, kind: str) -> tuple[str, ...]:
    paths = root.glob(_FILES[kind])
    return _sorted(path.parent if kind == "system" else path for path in paths)


def _sorted(paths: Iterable[Path]) -> tuple[str, ...]:
    return tuple(sorted(path.name.removesuffix(".yaml") for path in paths))


def _refuse_unknown(what: str, name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise InputError(f"unknown {what} {shortened(name)!r}", remedy=suggestion(name, known))
