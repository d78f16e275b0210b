"""`loadstone bench URL --workload FILE`: a workload's file against any URL."""

from pathlib import Path
from urllib.parse import urlsplit

import typer

from loadstone.errors import InputError, LoadstoneError
from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.model import Workload

DECIDED = (
    "users",
    "rate",
    "poisson",
    "stages",
    "think",
    "duration",
    "warm_up",
    "window",
    "stop_on",
    "method",
    "header",
    "body",
    "redirects",
    "expect",
    "expect_body",
    "expect_json",
    "timeout",
    "connections",
    "streams",
    "new_connections",
    "connect_timeout",
)
"""What a workload's file says itself."""


def of_file(context: typer.Context, path: Path | None, url: str) -> Workload | None:
    """The workload of a file; none where none is given. Raises LoadstoneError, InputError."""
    if path is None:
        return None
    for name in DECIDED:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            option = f"--{name.replace('_', '-')}"
            raise LoadstoneError(
                f"{option} and --workload exclude each other: {path} says it",
                f"take {option} out, or change the file",
            )
    parts = urlsplit(url)
    if parts.path not in ("", "/") or parts.query:
        raise LoadstoneError(
            f"{url} has a path, and so has every request of {path}",
            f"give {parts.scheme}://{parts.netloc}/",
        )
    workload = read_workload(path)
    if not isinstance(workload, Workload) or workload.kind != "load":
        raise InputError(
            f"is of kind {workload.kind}, and a URL can only be loaded",
            path=path,
            remedy="give a workload of kind: load",
        )
    if workload.faults:
        raise InputError(
            "has faults, and a URL has no system that they could be done to",
            path=path,
            key="faults",
            remedy="take them out, or load a system by `loadstone run`",
        )
    return workload
