"""Write the JSON Schemas of every file that people type or that Loadstone keeps: `schemas/`.

They come from the types alone and are committed; `python -m loadstone.generate.schemas --check` fails
when one is stale. The engine's own schemas come from the engine.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, RootModel
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema

from loadstone.analysis.compare.compare_output import Compared
from loadstone.analysis.model import Analysis
from loadstone.analysis.per_request.output import AsPublished
from loadstone.doctor.diagnosis import Diagnosis
from loadstone.findings.model import Finding
from loadstone.generate.committed_files import write_or_check
from loadstone.results.assignments import Assignments
from loadstone.results.looks import Looks
from loadstone.results.record import RunRecord
from loadstone.study.files.checks_file import RawChecks
from loadstone.study.files.machines_file import RawMachines
from loadstone.study.files.published_file import RawPublishedSource
from loadstone.study.files.raw import Raw
from loadstone.study.files.root_file import RawRoot
from loadstone.study.files.runtime_file import RawRuntime
from loadstone.study.files.stack_file import RawStack
from loadstone.study.files.study_file import RawStudy
from loadstone.study.files.system_file import RawSystem
from loadstone.study.files.workload_file import RawAnyWorkload
from loadstone.study.values.model import Plan
from loadstone.study.values.published import Published

SHAPES: Mapping[str, type[BaseModel]] = {
    "root": RawRoot,
    "study": RawStudy,
    "workload": RawAnyWorkload,
    "system": RawSystem,
    "checks": RawChecks,
    "stack": RawStack,
    "runtime": RawRuntime,
    "machines": RawMachines,
    "published-source": RawPublishedSource,
    "plan": Plan,
    "published": Published,
    "looks": Looks,
    "assignments": Assignments,
    "run-record": RunRecord,
    "analysis": Analysis,
    "compared": Compared,
    "as-published": AsPublished,
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
    is_typed = issubclass(shape, Raw | RootModel)
    generated = shape.model_json_schema(
        schema_generator=_Untitled, mode="validation" if is_typed else "serialization"
    )
    if is_typed:
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


def files() -> dict[Path, str]:
    """Every schema, by its path in the checkout."""
    return {Path("schemas") / f"{name}.schema.json": _text(name) for name in SHAPES}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the schemas, or with `--check` say which are stale."""
    return write_or_check(files(), "loadstone.generate.schemas", __doc__, arguments)


def _text(name: str) -> str:
    return json.dumps(schema(name), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
