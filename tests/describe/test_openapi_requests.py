"""An OpenAPI document as sessions: which requests are made, with which values, and why not others."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from described import hold_to_schemas, init, text_of, workloads_of, written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loadstone.describe.openapi_requests import openapi_description
from loadstone.errors import InputError, LoadstoneError
from loadstone.openapi.document import read_document
from loadstone.study.files.checks_file import read_checks
from loadstone.study.files.system_file import read_system
from loadstone.study.values.steps import Send

OK = {"responses": {"200": {"description": "it"}}}


def document(paths: dict[str, Any], **changes: Any) -> dict[str, Any]:
    info = {"title": "Shop", "version": "1"}
    return {"openapi": "3.1.0", "info": info, "paths": paths, **changes}


def made(folder: Path, tree: dict[str, Any], **asked: Any) -> Path:
    path = folder / "openapi.json"
    path.write_text(json.dumps(tree))
    return init(folder, openapi=path, **asked).folder


def sends(root: Path, workload: str) -> list[Send]:
    found = list(workloads_of(root)[workload].groups[0].session)
    assert all(isinstance(each, Send) for each in found)
    return [each for each in found if isinstance(each, Send)]


def parameter(name: str, place: str, schema: dict[str, Any], **further: Any) -> dict[str, Any]:
    return {"name": name, "in": place, "required": True, "schema": schema, **further}


def test_reads_without_parameters_come_first_and_writes_only_where_asked(tmp_path: Path) -> None:
    paths = {
        "/items/{id}": {"get": OK | {"parameters": [parameter("id", "path", {"example": 7})]}},
        "/items": {"get": OK | {"operationId": "listItems"}, "post": OK},
    }
    root = made(tmp_path, document(paths))
    reads = sends(root, "reads")
    assert [(each.operation, each.path) for each in reads] == [
        ("list-items", "/items"),
        ("get-items-id", "/items/7"),
    ]
    assert [each.check.status for each in reads] == [(200,), (200,)]
    assert "#   POST /items: it writes: give --writes" in text_of(root)
    hold_to_schemas(root)


def test_writes_are_a_workload_of_their_own(tmp_path: Path) -> None:
    schema = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
    body = {"content": {"application/json": {"schema": schema}}}
    paths = {"/items": {"get": OK, "post": {"requestBody": body, "responses": {"201": {}}}}}
    root = made(tmp_path, document(paths), with_writes=True)
    (post,) = sends(root, "writes")
    assert (post.method, post.body, post.check.status) == ("POST", '{"name":"text"}', (201,))
    assert "workloads: [reads, writes]" in (root / "studies/again.yaml").read_text()
    hold_to_schemas(root)


def test_made_up_values_are_kept_apart_and_named(tmp_path: Path) -> None:
    paths = {
        "/items": {"get": OK},
        "/users/{id}": {"get": OK | {"parameters": [parameter("id", "path", {"type": "integer"})]}},
    }
    root = made(tmp_path, document(paths))
    assert [each.path for each in sends(root, "reads")] == ["/items"]
    assert [each.path for each in sends(root, "guesses")] == ["/users/1"]
    assert (
        "workloads: [reads]   # there are guesses, too" in (root / "studies/again.yaml").read_text()
    )


@pytest.mark.parametrize(
    ("schema", "further", "target"),
    [
        ({"type": "array", "items": {"enum": ["a", "b c"]}}, {}, "?q=a"),
        ({"example": ["a", "b&c"]}, {}, "?q=a&q=b%26c"),
        ({"example": ["a", "b"]}, {"explode": False}, "?q=a,b"),
        ({"example": {"x": 1, "y": True}}, {}, "?x=1&y=true"),
        ({"example": {"x": 1}}, {"style": "deepObject"}, "?q%5Bx%5D=1"),
        ({}, {"example": "{{brace}}"}, "?q=%7B%7Bbrace%7D%7D"),
        ({}, {"examples": {"one": {"value": "é/ü"}}}, "?q=%C3%A9%2F%C3%BC"),
        ({"default": 5}, {}, "?q=5"),
    ],
)
def test_a_query_is_written_in_the_style_of_its_document(
    tmp_path: Path, schema: dict[str, Any], further: dict[str, Any], target: str
) -> None:
    paths = {"/a": {"get": OK | {"parameters": [parameter("q", "query", schema, **further)]}}}
    (send,) = sends(made(tmp_path, document(paths)), "reads")
    assert send.path == f"/a{target}"


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (
            {"parameters": [parameter("q", "query", {"example": 1}, style="pipeDelimited")]},
            "style is pipe",
        ),
        ({"parameters": [parameter("q", "query", {"pattern": "^(a+)+$"})]}, "may never end"),
        (
            {"parameters": [parameter("q", "query", {"pattern": "^x{9}$"})]},
            "no simple text matches",
        ),
        (
            {"parameters": [parameter("h", "header", {"example": "a\nb"})]},
            "cannot stand in a header",
        ),
        ({"parameters": [parameter("Host", "header", {"example": "a"})]}, "may be sent"),
        ({"parameters": [{"$ref": "https://example.com/p.json"}]}, "nothing is fetched"),
        (
            {"parameters": [parameter("q", "query", {"$ref": "#/components/schemas/Gone"})]},
            "leads nowhere",
        ),
        ({"security": [{"gone": []}]}, "is of the kind"),
    ],
)
def test_what_cannot_be_made_is_named_with_its_reason(
    tmp_path: Path, operation: dict[str, Any], reason: str
) -> None:
    root = made(tmp_path, document({"/a": {"get": OK}, "/b": {"get": OK | operation}}))
    text = text_of(root)
    assert "#   GET /b: " in text
    assert reason in text
    hold_to_schemas(root)


def test_paths_that_cannot_be_sent_are_left_out(tmp_path: Path) -> None:
    paths = {"/a": {"get": OK}, "/b/{id}": {"get": OK}, "/../c": {"get": OK}, "d": {"get": OK}}
    text = text_of(made(tmp_path, document(paths)))
    assert "GET /b/{id}: the path parameter id is not described" in text
    assert "GET /../c: its path has a segment of dots" in text
    assert "d: its path does not begin with a slash" in text


def test_bodies_of_schemas_that_hold_themselves_are_made_or_left_out(tmp_path: Path) -> None:
    tree = {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "minLength": 6},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
        },
    }
    endless = {
        "type": "object",
        "required": ["next"],
        "properties": {"next": {"$ref": "#/components/schemas/Endless"}},
    }
    schemas = {"Tree": tree, "Endless": endless}

    def post(name: str) -> dict[str, Any]:
        content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
        return {"post": OK | {"requestBody": {"required": True, "content": content}}}

    paths = {"/trees": post("Tree"), "/endless": post("Endless")}
    root = made(tmp_path, document(paths, components={"schemas": schemas}), with_writes=True)
    (send,) = sends(root, "writes")
    assert send.body == '{"name":"textte"}'
    assert "POST /endless: its body: its schema requires itself" in text_of(root)


def test_credentials_are_variables_of_the_environment(tmp_path: Path) -> None:
    schemes = {
        "bearerAuth": {"type": "http", "scheme": "bearer"},
        "key": {"type": "apiKey", "in": "query", "name": "api_key"},
        "login": {"type": "http", "scheme": "basic"},
    }
    paths = {
        "/a": {"get": OK},
        "/b": {"get": OK | {"security": [{"key": []}]}},
        "/c": {"get": OK | {"security": [{"login": []}]}},
        "/open": {"get": OK | {"security": []}},
    }
    tree = document(paths, components={"securitySchemes": schemes}, security=[{"bearerAuth": []}])
    root = made(tmp_path, tree)
    whole = text_of(root)
    assert 'authorization: "Bearer {{env.API_BEARER_AUTH}}"' in whole
    assert "/b?api_key={{env.API_KEY}}" in whole
    assert 'authorization: "Basic {{base64(env.API_LOGIN)}}"' in whole
    (system,) = (root / "systems").iterdir()
    assert [each.path for each in sends(root, "reads")] == ["/open"]
    assert len(sends(root, "with-credentials")) == 3
    assert "workloads: [reads]   # there are with-credentials, too" in whole
    checks = read_checks(system / "checks.yaml").checks
    assert [each.path for each in checks] == ["/open"], "the study runs at once"
    assert read_system(system / "system.yaml").services[0].ready.operation.path == "/open"


def test_where_all_needs_credentials_the_clock_takes_a_refusal(tmp_path: Path) -> None:
    schemes = {"key": {"type": "apiKey", "in": "query", "name": "k"}}
    tree = document(
        {"/a": {"get": OK}}, components={"securitySchemes": schemes}, security=[{"key": []}]
    )
    (system,) = (made(tmp_path, tree) / "systems").iterdir()
    service = read_system(system / "system.yaml").services[0]
    ready = service.ready.operation
    assert service.ready.any_status
    assert (ready.path, ready.check.status) == ("/a", None)


def test_many_operations_are_several_workloads(tmp_path: Path) -> None:
    paths = {f"/items/{number}": {"get": OK} for number in range(70)}
    root = made(tmp_path, document(paths))
    found = workloads_of(root)
    assert {name: len(each.groups[0].session) for name, each in found.items()} == {
        "reads": 32,
        "reads-2": 32,
        "reads-3": 6,
    }


def test_the_document_is_what_answers_are_held_against(tmp_path: Path) -> None:
    root = made(tmp_path, document({"/a": {"get": OK}}))
    (system,) = (root / "systems").iterdir()
    checks = read_checks(system / "checks.yaml")
    assert checks.document == system / "openapi.json"
    assert checks.document.read_bytes() == (tmp_path / "openapi.json").read_bytes()
    assert [(each.operation, each.check.status) for each in checks.checks] == [("get-a", (200,))]


@pytest.mark.parametrize(
    ("tree", "message", "remedy"),
    [
        (document({}), "has no operations", "--url"),
        (document({"/a": {"post": OK}}), "it writes", "--writes"),
        (document({"/a": {"options": OK}}), "sessions do not send OPTIONS", "--url or --har"),
    ],
)
def test_where_nothing_can_be_asked_the_next_command_is_named(
    tmp_path: Path, tree: dict[str, Any], message: str, remedy: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        made(tmp_path, tree)
    assert remedy in (caught.value.remedy or "")
    assert not (tmp_path / "loadstone").exists()


ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**25), 10**25)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6)
    | st.sampled_from(
        ["{{", "{{env.X}}", "string", "object", "array", "query", "path", "\u2028", "on"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=4)
            | st.sampled_from(
                [
                    *(
                        "type",
                        "properties",
                        "required",
                        "items",
                        "allOf",
                        "oneOf",
                        "enum",
                        "example",
                        "default",
                    ),
                    *(
                        "minimum",
                        "maxLength",
                        "pattern",
                        "$ref",
                        "schema",
                        "name",
                        "in",
                        "content",
                        "minItems",
                    ),
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
FULL = document(
    {
        "/a/{id}": {
            "parameters": [parameter("id", "path", {"type": "integer"})],
            "get": OK
            | {"operationId": "a", "parameters": [parameter("q", "query", {"example": 1})]},
            "post": OK
            | {
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/S"}}}
                }
            },
        }
    },
    components={
        "schemas": {
            "S": {"type": "object", "required": ["s"], "properties": {"s": {"type": "string"}}}
        },
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "k"}},
    },
    security=[{"key": []}],
    servers=[{"url": "http://localhost/v1"}],
)


def places(tree: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inside = tree.items() if isinstance(tree, dict) else enumerate(tree)
    found = []
    for key, value in inside:
        found.append((*at, key))
        if isinstance(value, dict | list):
            found += places(value, (*at, key))
    return found


@given(data=st.data())
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_any_value_in_any_place_gives_files_that_the_lab_reads_or_a_clear_error(
    data: st.DataObject,
) -> None:
    tree = json.loads(json.dumps(FULL))
    *parents, last = data.draw(st.sampled_from(places(tree)))
    target = tree
    for part in parents:
        target = target[part]
    target[last] = data.draw(ANY)
    with TemporaryDirectory() as name:
        path = Path(name) / "openapi.json"
        path.write_text(json.dumps(tree))
        try:
            description = openapi_description(
                read_document(path), with_writes=data.draw(st.booleans())
            )
        except InputError as error:
            assert error.remedy  # noqa: PT017
            return
        root = written(Path(name), description)
        hold_to_schemas(root)


@given(tree=ANY)
def test_any_json_is_a_document_or_a_clear_error(tree: Any) -> None:
    with TemporaryDirectory() as name:
        path = Path(name) / "openapi.json"
        path.write_text(
            json.dumps(tree if not isinstance(tree, dict) else {**tree, "openapi": "3.0.0"})
        )
        try:
            written(Path(name), openapi_description(read_document(path), with_writes=True))
        except LoadstoneError as error:
            assert error.remedy  # noqa: PT017
