"""A runtime's file: how this machine shows that it is there. Asking it is `availability.py`."""

from pathlib import Path

from loadstone.study.manifest import Runtime
from loadstone.study.raw import Name, Raw, Text, parse
from loadstone.study.yaml_source import read_yaml


class RawRuntime(Raw):
    """What executes a stack."""

    runtime: Name
    """Its name: the file's name without `.yaml`."""
    title: Text
    """Its name for people."""
    detect: Text
    """A command, without a shell, whose first line of output is the version; it fails where the
    runtime is not here."""
    install: Text
    """One sentence: how to get it."""


def read_runtime(path: Path) -> Runtime:
    """Read a runtime. Raises InputError."""
    source = read_yaml(path)
    raw = parse(source, RawRuntime)
    if raw.runtime != path.stem:
        raise source.error(
            ("runtime",),
            f"is {raw.runtime}, and the file is {path.name}",
            "give file and runtime one name",
        )
    return Runtime(
        runtime=raw.runtime,
        title=raw.title,
        detect=raw.detect,
        install=" ".join(raw.install.split()),
    )
