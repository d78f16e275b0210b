"""A stack's framework with its version, by the file of the stack that fixes it.

What fixes none (the library of the language, a ready-made proxy) leaves the name alone: the version of
the runtime tells it then.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from loadstone.study.values.manifest import Stack

_POM_PROPERTY = re.compile(r"<([\w-]+)\.version>([^<$]+)</")
_REQUIREMENT = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)


def framework_text(stack: Stack) -> str:
    """`Express 5.1.0`, `Netty 4.2.20.Final`; `net/http` where no file fixes a version.

    The files are those of the stack's folder: of another state of its repository they tell nothing.
    """
    if stack.checkout is not None:
        return stack.framework
    wanted = stack.framework.lower()
    for name, versions_in in _FILES.items():
        path = stack.directory / name
        if path.is_file():
            try:
                found = dict(versions_in(path))
            except (OSError, ValueError, LookupError, TypeError, AttributeError):
                continue  # a file of a project that is not of this form fixes nothing
            # A family of artifacts has one version: `spring-cloud` is that of Spring Cloud Gateway.
            named = [each for each in found if wanted.startswith(each.replace("-", " ").lower())]
            if named:
                return f"{stack.framework} {found[max(named, key=len)]}"
    return stack.framework


def _npm(path: Path) -> Iterator[tuple[str, str]]:
    for place, package in json.loads(path.read_text())["packages"].items():
        yield place.removeprefix("node_modules/"), package.get("version", "")


def _cargo(path: Path) -> Iterator[tuple[str, str]]:
    for package in tomllib.loads(path.read_text())["package"]:
        yield package["name"], package["version"]


def _maven(path: Path) -> Iterator[tuple[str, str]]:
    yield from _POM_PROPERTY.findall(path.read_text())


def _pip(path: Path) -> Iterator[tuple[str, str]]:
    yield from _REQUIREMENT.findall(path.read_text())


_FILES: dict[str, Callable[[Path], Iterator[tuple[str, str]]]] = {
    "package-lock.json": _npm,
    "Cargo.lock": _cargo,
    "pom.xml": _maven,
    "requirements.txt": _pip,
}
