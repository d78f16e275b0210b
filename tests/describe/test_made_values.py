"""Values that fit a schema, the same each time."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from described import init, text_of
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from loadstone.describe.made_scalars import made_number, made_text
from loadstone.describe.made_values import ValueMaker
from loadstone.describe.model import CannotMake
from loadstone.openapi.document import Document, Located


def made(schema: Any, **components: Any) -> Any:
    tree = {"openapi": "3.1.0", "schema": schema, "components": {"schemas": components}}
    document = Document(Path("a.json"), tree, "3.1")
    return ValueMaker(document).of_schema(Located(schema, ("schema",)))


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, "text"),
        ({"type": "string", "minLength": 6}, "textte"),
        ({"type": "string", "maxLength": 2}, "te"),
        ({"type": "string", "format": "uuid"}, "00000000-0000-4000-8000-000000000001"),
        ({"type": "string", "format": "date"}, "2026-01-15"),
        ({"type": "string", "pattern": "^[A-Z]{4}$"}, "TEXT"),
        ({"type": "string", "pattern": r"^\d{10}$"}, "0000000000"),
        ({"type": "integer"}, 1),
        ({"type": "integer", "minimum": 5}, 5),
        ({"type": "integer", "exclusiveMinimum": 5}, 6),
        ({"type": "integer", "maximum": -3}, -3),
        ({"type": "integer", "minimum": 10, "multipleOf": 7}, 14),
        ({"type": "number", "minimum": 0.25, "maximum": 0.5}, 0.25),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.5}, 0.25),
        ({"type": "boolean"}, True),
        ({"type": ["null", "integer"]}, 1),
        ({"type": "null"}, None),
        ({"type": "array", "items": {"type": "integer"}}, [1]),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 2}, [1, 1]),
        (
            {"type": "array", "items": {"enum": [1, 2, 3]}, "minItems": 2, "uniqueItems": True},
            [1, 2],
        ),
        ({"enum": ["b", "a"]}, "b"),
        ({"const": 7}, 7),
        ({"type": "integer", "default": 9}, 9),
        ({"type": "integer", "examples": [8, 9]}, 8),
        ({"oneOf": [{"$ref": "#/components/schemas/Gone"}, {"type": "integer"}]}, 1),
        ({"allOf": [{"properties": {"a": {"type": "integer"}}}, {"required": ["a"]}]}, {"a": 1}),
        (
            {
                "properties": {"a": {}, "b": {"default": 2}, "c": {"readOnly": True}},
                "required": ["c"],
            },
            {"b": 2},
        ),
        ({}, "text"),
    ],
)
def test_a_schema_has_one_value(schema: Any, value: Any) -> None:
    assert made(schema) == value


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"type": "string", "format": "binary"}, "it is a file"),
        ({"type": "string", "pattern": "^(a+)+$"}, "may never end"),
        ({"type": "string", "pattern": "a*a*a*a*a*b"}, "may never end"),
        ({"type": "string", "pattern": "("}, "cannot be read"),
        ({"type": "string", "minLength": 10**9}, "a text of 1000000000"),
        ({"type": "string", "minLength": "5"}, "its minLength is '5'"),
        ({"type": "integer", "minimum": 5, "maximum": 4}, "no simple number"),
        ({"type": "array", "items": {}, "minItems": 10**9}, "it needs 1000000000 entries"),
        ({"type": "array", "items": {}, "minItems": 2, "uniqueItems": True}, "entries that differ"),
        ({"type": "object", "minProperties": 3}, "it needs 3 members"),
        ({"type": "thing"}, "its type is not known"),
        ({"$ref": "#/components/schemas/Self"}, "requires itself"),
        ({"anyOf": [{"type": "thing"}]}, "none of its alternatives"),
    ],
)
def test_what_cannot_be_made_says_why(schema: Any, reason: str) -> None:
    loop = {
        "type": "object",
        "required": ["s"],
        "properties": {"s": {"$ref": "#/components/schemas/Self"}},
    }
    with pytest.raises(CannotMake, match=reason):
        made(schema, Self=loop)


def test_schemas_that_double_at_each_level_end() -> None:
    components = {
        f"L{n}": {
            "type": "object",
            "required": ["a", "b"],
            "properties": {name: {"$ref": f"#/components/schemas/L{n + 1}"} for name in "ab"},
        }
        for n in range(18)
    }
    with pytest.raises(CannotMake, match="more than 2000 values"):
        made({"$ref": "#/components/schemas/L0"}, **components, L18={"type": "integer"})


def test_a_long_chain_of_parts_ends() -> None:
    chain = {f"C{n}": {"allOf": [{"$ref": f"#/components/schemas/C{n + 1}"}]} for n in range(1500)}
    assert made({"$ref": "#/components/schemas/C0"}, **chain, C1500={"type": "integer"}) == 1


BOUND = st.none() | st.integers(-50, 50) | st.floats(-50, 50)


@given(
    low=BOUND,
    high=BOUND,
    out=st.booleans(),
    step=st.sampled_from([None, 1, 2, 0.5, 7]),
    whole=st.booleans(),
)
def test_a_number_is_within_its_bounds_or_is_not_made(
    low: float | None, high: float | None, out: bool, step: float | None, whole: bool
) -> None:
    keys = ("exclusiveMinimum", "exclusiveMaximum") if out else ("minimum", "maximum")
    schema = {keys[0]: low, keys[1]: high, "multipleOf": step}
    schema = {key: value for key, value in schema.items() if value is not None}
    try:
        value = made_number(schema, is_whole=whole)
    except CannotMake:
        return
    kind = "integer" if whole else "number"
    bounds = {key: value for key, value in schema.items() if key != "multipleOf"}
    assert Draft202012Validator({"type": kind, **bounds}).is_valid(value)


@given(
    low=st.integers(0, 300),
    more=st.none() | st.integers(0, 300),
    form=st.sampled_from(["uuid", "date", "x"]),
)
def test_a_text_has_a_length_within_its_bounds(low: int, more: int | None, form: str) -> None:
    schema = {"minLength": low, "format": form} | (
        {} if more is None else {"maxLength": low + more}
    )
    assert Draft202012Validator({**schema, "type": "string"}).is_valid(made_text(schema))


def test_the_same_document_gives_the_same_files(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"oneOf": [{"type": "string"}]}},
    }
    body = {"content": {"application/json": {"schema": schema}}}
    paths = {"/a": {"get": {"responses": {}}, "post": {"requestBody": body, "responses": {}}}}
    texts = []
    for _ in range(2):
        with TemporaryDirectory(dir=tmp_path) as folder:
            project = Path(folder) / "same"
            project.mkdir()
            path = project / "openapi.json"
            path.write_text(json.dumps({"openapi": "3.0.0", "paths": paths}))
            texts.append(text_of(init(project, openapi=path, with_writes=True).folder))
    assert texts[0] == texts[1]
