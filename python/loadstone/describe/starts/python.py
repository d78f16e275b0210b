"""Python: `pyproject.toml`, `requirements.txt` or `setup.py`, with an application of a known framework.

The environment of a build is moved when it is whole, and programs of packages name the place where it
was: so they are called as modules.
"""

import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from loadstone.describe.starts.model import Toolchain, Way
from loadstone.describe.starts.project_files import (
    below,
    entries_of,
    first_named,
    is_file,
    mapping_below,
    text_below,
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
    "alembic": "alembic",
    "fastapi": "fastapi",
    "flask": "flask",
    "daphne": "daphne",
    "granian": "granian",
    "gunicorn": "gunicorn",
    "hypercorn": "hypercorn",
    "sanic": "sanic",
    "uvicorn": "uvicorn",
    "waitress-serve": "waitress",
}
"""Program of a package to its module."""
_APPLICATION = re.compile(
    r"^(?P<name>\w+)[ \t]*(?::[ \t]*\w+[ \t]*)?=[ \t]*"
    r"(?P<kind>FastAPI|Starlette|Litestar|Quart|Flask)\(",
    re.MULTILINE,
)
_PLACES = ("main", "app", "server", "wsgi", "asgi", "api", "application", "core", "__init__")
"""Modules in which an application is usually made."""
_NO_PACKAGES = frozenset({"docs", "example", "examples", "loadstone", "src", "test", "tests"})
"""Folders that hold no service, though they may have modules of such names."""
_FACTORY = re.compile(
    r"^def (?P<name>create_app|make_app|get_app)\((?P<wanted>[^()]*)\)", re.MULTILINE
)
"""A function that makes an application."""
_KIND = re.compile(r"\b(?P<kind>FastAPI|Starlette|Litestar|Quart|Flask)\(")
_PROGRAM = re.compile(
    r"(?P<before>(?:^|&&|\|\||;)\s*(?:exec\s+)?)(?P<sets>(?:\w+=\S*\s+)*)"
    r"(?P<runner>(?:\./)?\.?venv/bin/|(?:poetry|uv|pipenv|pdm|hatch|rye)\s+run\s+(?:--\s+)?)?"
    r"(?P<program>[\w.-]+)(?=\s|$)"
)
"""A program where a command begins, with what stands before it."""
_IS_PYTHON = re.compile(r"python(3(\.\d+)?)?")
_CHANGES_FOLDER = re.compile(r"(^|&&|;)\s*cd\s")
_LIST = (
    "import tomllib; "
    'print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\\n")'
)
"""A program that prints the packages that a project lists."""
_LISTED = ".venv/listed.txt"
_LONGEST_FIRST_LINE = 1024
_REQUIREMENT = re.compile(r"^[ \t]*([A-Za-z0-9][A-Za-z0-9._-]*)", re.MULTILINE)


def python(project: Path) -> Toolchain | None:
    """What the manifests tell; none where there is none."""
    requirements = text_of(project / "requirements.txt")
    pyproject = toml_of(project / "pyproject.toml")
    if requirements is None and not pyproject and not is_file(project / "setup.py"):
        return None
    manifest = "pyproject.toml" if pyproject else "setup.py"
    if requirements is not None:
        manifest = "requirements.txt"
    packages = set(_packages(requirements or "", pyproject))
    return Toolchain(
        manifest=manifest,
        language="Python",
        framework=first_named(_FRAMEWORKS, packages),
        build=f"python3 -m venv .venv && {_install(requirements, pyproject)}",
        runtimes=("cpython",),
        ways=tuple(_ways(project, packages)),
    )


def _install(requirements: str | None, pyproject: object) -> str:
    """What installs the packages; of a project that is no package itself, those that it lists alone."""
    install = f"{INTERPRETER} -m pip install --quiet"
    if requirements is not None:
        return f"{install} --requirement requirements.txt"
    is_package = bool(mapping_below(pyproject, "build-system")) or not isinstance(
        below(pyproject, "project", "dependencies"), list
    )
    if is_package and below(pyproject, "tool", "uv", "package") is not False:
        return f"{install} ."
    return f"{INTERPRETER} -c '{_LIST}' > {_LISTED} && {install} --requirement {_LISTED}"


def package_notes(project: Path) -> tuple[str, ...]:
    """What is to be told of a project whose packages setuptools finds by itself: a folder at its top
    that is written beside them is taken for one more, and then it builds none.
    """
    pyproject = toml_of(project / "pyproject.toml")
    backend = text_below(pyproject, "build-system", "build-backend") or "setuptools"
    is_told = bool(mapping_below(pyproject, "tool", "setuptools"))
    by_file = any(is_file(project / name) for name in ("setup.py", "setup.cfg"))
    has_src = bool(entries_of(project / "src"))
    if not mapping_below(pyproject, "project") or not backend.startswith("setuptools"):
        return ()
    if is_told or by_file or has_src:
        return ()
    return (
        "setuptools finds the packages of this project by itself, and takes loadstone/ for one: name "
        "yours in pyproject.toml, below [tool.setuptools], as packages = [...] or py-modules = [...]",
    )


def scripts_of(project: Path) -> frozenset[str]:
    """The programs of packages in the project's own environments, and in the one that is active."""
    active = os.environ.get("VIRTUAL_ENV")
    folders = [each for each in entries_of(project) if is_file(each / "pyvenv.cfg")]
    folders += [Path(active)] if active else []
    found = (each for folder in folders for each in entries_of(folder / "bin"))
    return frozenset(each.name for each in found if _is_script(each))


def _is_script(path: Path) -> bool:
    """Whether a file is one that Python runs."""
    try:
        with path.open("rb") as file:
            first = file.readline(_LONGEST_FIRST_LINE)
    except OSError:
        return False
    return first.startswith(b"#!") and b"python" in first


def as_module(command: str, scripts: Collection[str] = ()) -> str:
    """A command with the interpreter of the build in place of programs that it knows, of scripts of an
    environment, and of what starts them in an environment of its own. One that changes its folder stays
    as it is: the environment is seen from the project.
    """
    command = command.strip()
    if _CHANGES_FOLDER.search(command):
        return command
    return _PROGRAM.sub(lambda found: _called(found, scripts), command)


def _called(found: re.Match[str], scripts: Collection[str]) -> str:
    program = found["program"]
    if _IS_PYTHON.fullmatch(program):
        called = INTERPRETER
    elif program in _SERVERS:
        called = f"{INTERPRETER} -m {_SERVERS[program]}"
    elif found["runner"] or program in scripts:
        called = f"{INTERPRETER} .venv/bin/{program}"  # a script, whatever its first line says
    else:
        called = program
    return f"{found['before']}{found['sets']}{called}"


def _packages(requirements: str, pyproject: object) -> Iterator[str]:
    listed = below(pyproject, "project", "dependencies")
    lines = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
    found = [*_REQUIREMENT.findall(requirements), *_REQUIREMENT.findall("\n".join(lines))]
    found += mapping_below(pyproject, "tool", "poetry", "dependencies")
    yield from (each.lower().replace("_", "-") for each in found)


def _ways(project: Path, packages: set[str]) -> Iterator[Way]:
    if is_file(project / "manage.py"):
        yield _django(project, packages)
        return
    found = list(_applications(project, packages, with_mark=True))
    yield from found or _applications(project, packages, with_mark=False)


def _applications(project: Path, packages: set[str], *, with_mark: bool) -> Iterator[Way]:
    """Those at the top and in packages; with a mark those alone that have an `__init__.py`."""
    for module, text in _modules(project, with_mark=with_mark):
        made = list(_APPLICATION.finditer(text))
        for found in made:
            name = f"{module}:{found['name']}"
            yield Way(name, _served(_server(found["kind"], packages), name))
        factory, kind = _FACTORY.search(text), _KIND.search(text)
        if not made and kind is not None and factory is not None and _wants_nothing(factory):
            name = f"{module}:{factory['name']}"
            yield Way(name, _made_and_served(_server(kind["kind"], packages), name))


def _wants_nothing(factory: re.Match[str]) -> bool:
    """Whether all that a function takes has a default."""
    wanted = (each.strip() for each in factory["wanted"].split(","))
    return all("=" in each or not each or each.startswith("*") for each in wanted)


def _django(project: Path, packages: set[str]) -> Way:
    """By Gunicorn where it is there: the server of `manage.py` is for development alone."""
    found = [each for each in entries_of(project) if is_file(each / "wsgi.py")]
    if "gunicorn" in packages and len(found) == 1:
        name = f"{found[0].name}.wsgi"
        return Way(name, _served("gunicorn", name))
    return Way("manage.py", f"{INTERPRETER} manage.py runserver --noreload 127.0.0.1:$PORT")


def _server(kind: str, packages: set[str]) -> str:
    """What serves an application of a framework."""
    if kind == "Flask":
        return "gunicorn" if "gunicorn" in packages else "flask"
    return "hypercorn" if "hypercorn" in packages and "uvicorn" not in packages else "uvicorn"


def _made_and_served(server: str, factory: str) -> str:
    """An application that a function makes."""
    match server:
        case "uvicorn":
            return f"{_served(server, factory)} --factory"
        case "flask":
            return _served(server, factory)
    return _served(server, f"'{factory}()'")


def _served(server: str, application: str) -> str:
    module = f"{INTERPRETER} -m {server}"
    match server:
        case "flask":
            return f"{module} --app {application} run --host 127.0.0.1 --port $PORT"
        case "gunicorn" | "hypercorn":
            return f"{module} --bind 127.0.0.1:$PORT {application}"
    return f"{module} --host 127.0.0.1 --port $PORT {application}"


def _modules(project: Path, *, with_mark: bool) -> Iterator[tuple[str, str]]:
    """Modules in the usual places, each with its text: at the top, and in folders there and in `src`,
    whose modules a build installs.
    """
    yield from _modules_of(project, "")
    for folder in (project, project / "src"):
        for each in entries_of(folder):
            is_name = each.name.isidentifier() and each.name not in _NO_PACKAGES
            if is_name and (is_file(each / "__init__.py") or not with_mark):
                yield from _modules_of(each, each.name)


def _modules_of(folder: Path, package: str) -> Iterator[tuple[str, str]]:
    for name in _PLACES:
        text = text_of(folder / f"{name}.py")
        module = package if name == "__init__" else f"{package}.{name}".removeprefix(".")
        if text is not None and module:
            yield module, text
