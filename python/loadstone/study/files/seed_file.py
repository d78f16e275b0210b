"""The constants of a system's seed: what workloads need to know of the data that a run begins with.

`seed/<size>/seed.yaml` of a system names them; a system may have several sizes.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from loadstone.study.files.yaml_file import YamlFile, read_yaml
from loadstone.text.quoted import shown, suggestion

FILE = "seed.yaml"
FOLDER = "seed"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Seed:
    """One size of a system's seed."""

    size: str
    directory: Path
    constants: Mapping[str, int | str]


def sizes_of(workloads: Path) -> tuple[str, ...]:
    """Sizes of the seed of the system whose workloads are in this folder, sorted."""
    found = (workloads.resolve().parent / FOLDER).glob(f"*/{FILE}")
    return tuple(sorted(path.parent.name for path in found))


def seed_of(source: YamlFile, typed: str | None) -> Seed | None:
    """The seed of a workload's system, of the size that was typed or the only one; none of several.

    Raises InputError.
    """
    sizes = sizes_of(source.path.parent)
    if typed is None:
        return read_seed(source.path.parent, sizes[0]) if len(sizes) == 1 else None
    if typed not in sizes:
        raise source.error(("seed",), f"{typed} is no size of the seed", suggestion(typed, sizes))
    return read_seed(source.path.parent, typed)


def read_seed(workloads: Path, size: str) -> Seed:
    """Read the constants of a seed. Raises InputError."""
    path = workloads.resolve().parent / FOLDER / size / FILE
    source = read_yaml(path)
    for name, value in source.tree.items():
        if not _NAME.fullmatch(name):
            raise source.error((name,), "is no name", "write letters, digits and '_'")
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise source.error(
                (name,),
                f"must be a whole number or text, not {shown(value)}",
                "write 1000, or a text",
            )
    return Seed(size, path.parent, source.tree)


def found_file(source: YamlFile, seed: Seed | None, name: str) -> Path | None:
    """A file beside the workload, or made by the seed; none where there is neither."""
    folders = [source.path.parent, *([seed.directory] if seed else [])]
    return next((path for folder in folders if (path := folder / name).is_file()), None)
