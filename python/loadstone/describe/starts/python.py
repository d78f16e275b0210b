"""Python: `pyproject.toml` or `requirements.txt`, with an application of a framework that is known.

The environment of a build is moved when it is whole, and programs of packages name the place where it
was: so they are called as modules.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from loadstone.describe.starts.model import Toolchain, Way
from loadstone.describe.starts.project_files import (
    below,
    entries_of,
    first_named,
    is_file,
    mapping_below,
    text_of,
    toml_of,
)

INTERPRETER = ".venv/bin/python"
_FRAMEWORKS = {
    "fastapi": "FastAPI",
    "starlette": "Starlette",
    "litestar": "Litestar",
    "django": "Django",
    "flask": "Flask",
    "quart": "Quart",
    "aiohttp": "aiohttp",
    "sanic": "Sanic",
    "tornado": "Tornado",
}
_SERVERS = {
    "fastapi": "fastapi",
    "flask": "flask",
    "granian": "granian",
    "gunicorn": "gunicorn",
    "hypercorn": "hypercorn",
    "uvicorn": "uvicorn",
    "waitress-serve": "waitress",
}
"""Program of a package to its module."""
_APPLICATION = re.compile(
    r"^(?P<name>\w+)[ \t]*(?::[ \t]*\w+[ \t]*)?=[ \t]*"
    r"(?P<kind>FastAPI|Starlette|Litestar|Quart|Flask)\(",
    re.MULTILINE,
)
_PLACES = ("main", "app", "server", "wsgi", "asgi", "api", "application", "__init__")
"""Modules in which an application is usually made."""
_REQUIREMENT = re.compile(r"^[ \t]*([A-Za-z0-9][A-Za-z0-9._-]*)", re.MULTILINE)


def python(project: Path) -> Toolchain | None:
    """What the manifests tell; none where there is none."""
    requirements = text_of(project / "requirements.txt")
    pyproject = toml_of(project / "pyproject.toml")
    if requirements is None and not pyproject:
        return None
    manifest = "pyproject.toml" if requirements is None else "requirements.txt"
    install = "." if requirements is None else "--requirement requirements.txt"
    packages = set(_packages(requirements or "", pyproject))
    return Toolchain(
        manifest=manifest,
        language="Python",
        framework=first_named(_FRAMEWORKS, packages),
        build=f"python3 -m venv .venv && {INTERPRETER} -m pip install --quiet {install}",
        runtimes=("cpython",),
        ways=tuple(_ways(project, packages)),
    )


def as_module(command: str) -> str:
    """A command with the interpreter of the build in place of programs that it knows."""
    program, _, rest = command.strip().partition(" ")
    if program in ("python", "python3"):
        return f"{INTERPRETER} {rest}".strip()
    if program in _SERVERS:
        return f"{INTERPRETER} -m {_SERVERS[program]} {rest}".strip()
    return command.strip()


def _packages(requirements: str, pyproject: object) -> Iterator[str]:
    listed = below(pyproject, "project", "dependencies")
    lines = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
    found = [*_REQUIREMENT.findall(requirements), *_REQUIREMENT.findall("\n".join(lines))]
    found += mapping_below(pyproject, "tool", "poetry", "dependencies")
    yield from (each.lower().replace("_", "-") for each in found)


def _ways(project: Path, packages: set[str]) -> Iterator[Way]:
    if is_file(project / "manage.py"):
        yield Way("manage.py", f"{INTERPRETER} manage.py runserver --noreload 127.0.0.1:$PORT")
        return
    for module, text in _modules(project):
        for found in _APPLICATION.finditer(text):
            name = f"{module}:{found['name']}"
            if found["kind"] == "Flask":
                server = "gunicorn" if "gunicorn" in packages else "flask"
            else:
                is_known = "hypercorn" in packages and "uvicorn" not in packages
                server = "hypercorn" if is_known else "uvicorn"
            yield Way(name, _served(server, name))


def _served(server: str, application: str) -> str:
    module = f"{INTERPRETER} -m {server}"
    match server:
        case "flask":
            return f"{module} --app {application} run --host 127.0.0.1 --port $PORT"
        case "gunicorn" | "hypercorn":
            return f"{module} --bind 127.0.0.1:$PORT {application}"
    return f"{module} --host 127.0.0.1 --port $PORT {application}"


def _modules(project: Path) -> Iterator[tuple[str, str]]:
    """Modules in the usual places, each with its text: at the top, and in packages there."""
    tops = [each for each in entries_of(project) if is_file(each / "__init__.py")]
    for package in (None, *tops):
        folder = project if package is None else package
        for name in _PLACES:
            text = text_of(folder / f"{name}.py")
            if text is None:
                continue
            parts = [] if package is None else [package.name]
            parts += [] if name == "__init__" else [name]
            if parts:
                yield ".".join(parts), text
