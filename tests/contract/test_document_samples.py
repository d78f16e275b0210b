"""Samples of a load, held against an OpenAPI document: told once for each operation."""

import base64
import json
from pathlib import Path
from typing import Any

from loadstone.contract.document_check import document_check
from loadstone.contract.model import Contract
from loadstone.contract.samples import check_samples
from loadstone.openapi.document import read_document
from loadstone.study.values.model import Operation

ITEM = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}


def answered(schema: dict[str, Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}}
    return {"get": {"responses": {"200": {"description": "it", "content": content}}}}


def contract_of(folder: Path) -> Contract:
    tree = {
        "openapi": "3.1.0",
        "paths": {
            "/items/{id}": answered(ITEM),
            "/out": answered({"$ref": "https://example.com/x"}),
        },
    }
    (folder / "openapi.json").write_text(json.dumps(tree))
    return Contract((), (document_check(read_document(folder / "openapi.json")),))


OPERATIONS = {
    name: Operation(operation=name, method="GET", path=path, headers=(), body="")
    for name, path in (("look", "/items/{{1 + turn}}"), ("out", "/out"), ("other", "/other"))
}


def line(operation: str, body: Any, **changes: Any) -> str:
    text = json.dumps(body).encode()
    sample = {
        "operation": operation,
        "at_ns": 1_500_000_000,
        "status": 200,
        "headers": [["Content-Type", "application/json"]],
        "body": base64.b64encode(text).decode(),
        "body_bytes": len(text),
        "truncated": False,
    }
    return json.dumps(sample | changes) + "\n"


def test_the_first_answer_of_an_operation_that_does_not_fit_stands_for_all(tmp_path: Path) -> None:
    path = tmp_path / "samples.ndjson"
    path.write_text(
        line("look", {"id": 1})
        + line("look", {"id": "1"}, at_ns=2_000_000_000)
        + line("look", {})
        + line("look", [])
    )
    found = check_samples(contract_of(tmp_path), path, OPERATIONS)
    assert found.checked == 4
    assert found.failed == (
        "openapi: look at 2.000 s: GET /items/{{1 + turn}} 200: /id: '1' is not of type 'integer' "
        "(#/paths/~1items~1{id}/get/responses/200/content/application~1json/schema/properties/id/type)"
        "; 2 more of them",
    )


def test_what_could_not_be_held_is_told_and_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "samples.ndjson"
    path.write_text(
        line("look", {"id": 1}, truncated=True)
        + line("look", {"id": 1}, truncated=True)
        + line("look", {"id": 1}, headers=[["content-encoding", "gzip"]])
        + line("out", 1)
        + line("other", 1)
    )
    found = check_samples(contract_of(tmp_path), path, OPERATIONS)
    assert (found.checked, found.failed) == (0, ())
    look, out, other = found.not_held
    assert look == "openapi: look: the kept body is cut; 2 more of them"
    assert out.startswith("openapi: out: its schema cannot be used (#/paths/~1out/get/")
    assert other == "openapi: other: the document has no operation for GET /other"


def test_samples_of_a_contract_without_checks_of_them_are_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "samples.ndjson"
    path.write_text(line("look", 1))
    assert check_samples(Contract((), ()), path, OPERATIONS).checked == 0
