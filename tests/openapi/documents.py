"""Documents of tests, written as files."""

import json
from pathlib import Path
from typing import Any

from loadstone.openapi.document import Document, read_document

ITEM = {
    "type": "object",
    "required": ["id", "price"],
    "properties": {
        "id": {"type": "integer"},
        "price": {"type": "number"},
        "note": {"type": "string", "nullable": True},
        "secret": {"type": "string", "writeOnly": True},
        "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}},
    },
}
"""An item that is made of items."""


def shop(version: str = "3.0.3", **changes: Any) -> dict[str, Any]:
    """A small API; `changes` are keys at the top of its document."""
    listed = {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}
    tree: dict[str, Any] = {
        "openapi": version,
        "info": {"title": "Shop", "version": "1"},
        "paths": {
            "/items": {
                "get": answered(listed),
                "post": {"responses": {"201": {"description": "made"}}},
            },
            "/items/{id}": {"get": answered({"$ref": "#/components/schemas/Item"})},
            "/items/first": {"get": answered({"type": "string"})},
        },
        "components": {"schemas": {"Item": ITEM}},
    }
    return tree | changes


def answered(schema: dict[str, Any], status: str = "200") -> dict[str, Any]:
    """An operation with one answer in JSON."""
    content = {"application/json": {"schema": schema}}
    return {"responses": {status: {"description": "it", "content": content}}}


def written(folder: Path, tree: Any, name: str = "openapi.json") -> Path:
    """The file of a document."""
    path = folder / name
    path.write_text(tree if isinstance(tree, str) else json.dumps(tree))
    return path


def document_of(folder: Path, tree: Any, name: str = "openapi.json") -> Document:
    """A document, read."""
    return read_document(written(folder, tree, name))
