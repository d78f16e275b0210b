"""Write the JSON Schemas of every file that people type or that Loadstone keeps: `schemas/`.

They come from the types alone and are committed; `python -m loadstone.study.schemas --check` fails
when one is stale. The engine's own schemas come from the engine.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, RootModel
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema

from loadstone.analysis.compared_model import Compared
from loadstone.analysis.model import Analysis, Finding
from loadstone.doctor.diagnosis import Diagnosis
from loadstone.errors import ExitCode
from loadstone.results.looks import Looks
from loadstone.results.record import RunRecord
from loadstone.study.model import Plan
from loadstone.study.raw import Raw
from loadstone.study.runtime_file import RawRuntime
from loadstone.study.stack_file import RawStack
from loadstone.study.study_file import RawStudy
from loadstone.study.system_file import RawSystem
from loadstone.study.workload_file import RawAnyWorkload

SHAPES: Mapping[str, type[BaseModel]] = {
    "study": RawStudy,
    "workload": RawAnyWorkload,
    "system": RawSystem,
    "stack": RawStack,
    "runtime": RawRuntime,
    "plan": Plan,
    "looks": Looks,
    "run-record": RunRecord,
    "analysis": Analysis,
    "compared": Compared,
    "finding": Finding,
    "diagnosis": Diagnosis,
}
"""Name of a schema to the type that it is generated from."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _Untitled(GenerateJsonSchema):
    """Without a title for each field that only repeats its name."""

    def field_title_should_be_set(self, schema: CoreSchema) -> bool:  # noqa: ARG002
        return False


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of one file, with a sentence for each field."""
    shape = SHAPES[name]
    generated = shape.model_json_schema(schema_generator=_Untitled)
    if issubclass(shape, Raw | RootModel):
        for mapping in (generated, *generated.get("$defs", {}).values()):
            _as_typed(mapping)
    return {"$schema": _DIALECT, **generated, "title": name.replace("-", " ")}


def _as_typed(mapping: dict[str, Any]) -> None:
    """Describe keys as people may type them: none in the types is a key that is left out, and a
    default is already a parsed value there; the descriptions name it in its unit.
    """
    for key, field in mapping.get("properties", {}).items():
        field.pop("default", None)
        kinds = [kind for kind in field.pop("anyOf", []) if kind != {"type": "null"}]
        if len(kinds) == 1:
            mapping["properties"][key] = {**kinds[0], **field}
        elif kinds:
            field["anyOf"] = kinds


def write(folder: Path) -> None:
    """Write every schema into `folder`."""
    for name in SHAPES:
        _path(folder, name).write_text(_text(name), encoding="utf-8")


def stale(folder: Path) -> tuple[Path, ...]:
    """The files of `folder` that are missing or differ from what the types say."""
    paths = ((_path(folder, name), _text(name)) for name in SHAPES)
    return tuple(
        path for path, text in paths if not path.is_file() or path.read_text("utf-8") != text
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the schemas, or with `--check` say which are stale."""
    parser = argparse.ArgumentParser(prog="python -m loadstone.study.schemas", description=__doc__)
    parser.add_argument("--check", action="store_true", help="Write nothing; fail if one is stale")
    folder = Path(__file__).resolve().parents[3] / "schemas"
    if not parser.parse_args(arguments).check:
        write(folder)
        return ExitCode.OK
    found = stale(folder)
    for path in found:
        sys.stderr.write(f"{path}: stale: run `make generate`\n")
    return ExitCode.DOES_NOT_HOLD if found else ExitCode.OK


def _path(folder: Path, name: str) -> Path:
    return folder / f"{name}.schema.json"


def _text(name: str) -> str:
    return json.dumps(schema(name), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
