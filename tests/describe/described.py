"""Descriptions of tests, written as files and read by the lab's own readers."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from loadstone.describe.files import SERVICE, Project, files_of
from loadstone.describe.init import Asked, Made, init_project
from loadstone.describe.model import Description
from loadstone.describe.starts.model import NO_TOOLCHAIN, Way
from loadstone.describe.write import write_files
from loadstone.generate import schemas
from loadstone.study.files.workload_file import read_workload
from loadstone.study.files.yaml_file import read_yaml
from loadstone.study.values.model import Workload

PROJECT = Project("shop", NO_TOOLCHAIN, Way("--command", "./serve"), "--command", branch=None)


def nobody(question: str, default: str | None) -> None:
    """Asks nobody."""


def init(folder: Path, **asked: Any) -> Made:
    """Describe a project without a terminal."""
    asked = {"command": "./serve"} | asked
    return init_project(folder, Asked(**asked), nobody)


def written(folder: Path, description: Description) -> Path:
    """The files of a description, in a project that is started by a command."""
    return write_files(folder, files_of(description, PROJECT), PROJECT)


def workloads_of(root: Path) -> Mapping[str, Workload]:
    """Every workload that was written, as the lab means it."""
    (system,) = (root / "systems").iterdir()
    found = (read_workload(path) for path in sorted(system.glob("workloads/*.yaml")))
    return {each.workload: each for each in found if isinstance(each, Workload)}


def hold_to_schemas(root: Path, *, with_study: bool = True) -> None:
    """Hold every file to the committed form of its kind."""
    (system,) = (root / "systems").iterdir()
    kinds = {
        "system": [system / "system.yaml"],
        "workload": sorted(system.glob("workloads/*.yaml")),
        "checks": sorted(system.glob("checks.yaml")),
        "stack": sorted(system.glob(f"{SERVICE}/*/stack.yaml")),
        "study": sorted(root.glob("studies/*.yaml")) if with_study else [],
    }
    for kind, paths in kinds.items():
        validator = Draft202012Validator(schemas.schema(kind))
        for path in paths:
            validator.validate(read_yaml(path).tree)


def text_of(root: Path) -> str:
    """Everything that was written, in one text."""
    return "\n".join(path.read_text() for path in sorted(root.rglob("*")) if path.is_file())


def har(*entries: Mapping[str, Any]) -> str:
    """A recording."""
    return json.dumps({"log": {"version": "1.2", "entries": list(entries)}})


def entry(
    url: str = "http://127.0.0.1:3000/items",
    method: str = "GET",
    *,
    headers: Mapping[str, str] | None = None,
    body: str | None = None,
    body_type: str = "application/json",
    status: int = 200,
    answer_type: str = "application/json",
    answer: str | None = None,
    sets: str | None = None,
    at: str = "2026-01-01T12:00:00.000Z",
    took_ms: float = 20,
    **further: Any,
) -> dict[str, Any]:
    """An entry of a recording."""
    request: dict[str, Any] = {
        "method": method,
        "url": url,
        "headers": [{"name": name, "value": value} for name, value in (headers or {}).items()],
    }
    if body is not None:
        request["postData"] = {"mimeType": body_type, "text": body}
    answer_headers = [] if sets is None else [{"name": "Set-Cookie", "value": sets}]
    content = {"mimeType": answer_type} | ({} if answer is None else {"text": answer})
    return {
        "startedDateTime": at,
        "time": took_ms,
        "request": request,
        "response": {"status": status, "headers": answer_headers, "content": content},
        **further,
    }
