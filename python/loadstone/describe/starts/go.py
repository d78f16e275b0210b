"""Go: `go.mod`, with a program at the top or in folders of `cmd/`."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from loadstone.describe.starts.model import Toolchain, Way
from loadstone.describe.starts.project_files import entries_of, first_named, text_of

_FRAMEWORKS = {
    "github.com/gin-gonic/gin": "Gin",
    "github.com/labstack/echo": "Echo",
    "github.com/gofiber/fiber": "Fiber",
    "github.com/go-chi/chi": "chi",
    "github.com/gorilla/mux": "gorilla/mux",
}
_MODULE = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)
_VERSION = re.compile(r"v[0-9]+|")
_IS_PROGRAM = re.compile(r"^package main\b", re.MULTILINE)
_IS_IGNORED = re.compile(r"^//(go:build| \+build) ignore\b", re.MULTILINE)
"""Of a program that makes sources, and is run by itself alone."""
_MOST_FILES = 200
"""Of a folder that are looked into."""


def go(project: Path) -> Toolchain | None:
    """What go.mod tells; none where there is none."""
    module = text_of(project / "go.mod")
    if module is None:
        return None
    framework = first_named(_FRAMEWORKS, module)
    ways = tuple(_ways(project, module))
    named = (each.name if each.name == "." else f"./{each.name}" for each in ways)
    programs = " ".join(map(shlex.quote, named))
    return Toolchain(
        manifest="go.mod",
        language="Go",
        framework=framework if framework in _FRAMEWORKS.values() else "net/http",
        build=f"mkdir -p bin && go build -trimpath -o bin/ {programs or './...'}",
        runtimes=("go",),
        ways=ways,
    )


def _ways(project: Path, module: str) -> Iterator[Way]:
    if _is_program(project):
        named = _MODULE.search(module)
        # A version is no part of a program's name: that of example.com/shop/v2 is shop.
        path = named[1] if named else ""
        parts = [each for each in path.split("/") if not _VERSION.fullmatch(each)]
        yield Way(".", f"./bin/{parts[-1] if parts else project.name}")
    for each in entries_of(project / "cmd"):
        if _is_program(each):
            yield Way(f"cmd/{each.name}", f"./bin/{each.name}")


def _is_program(folder: Path) -> bool:
    files = [each for each in entries_of(folder) if each.suffix == ".go"][:_MOST_FILES]
    return any(
        _IS_PROGRAM.search(text := text_of(file) or "") and not _IS_IGNORED.search(text)
        for file in files
        if not file.name.endswith("_test.go")
    )
