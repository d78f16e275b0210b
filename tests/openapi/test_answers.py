"""Whether an answer fits its document, in both versions, and what is said where it does not."""

import json
from pathlib import Path
from typing import Any

import pytest
from documents import ITEM, answered, document_of, shop
from hypothesis import given
from hypothesis import strategies as st

from loadstone.openapi.answers import AnswerSchemas, NotJudged
from loadstone.openapi.document import Document

JSON = "application/json"
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=10,
)


def misfit(
    document: Document,
    body: Any,
    target: str = "/items",
    *,
    method: str = "GET",
    status: int = 200,
    media_type: str | None = JSON,
) -> str | None:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    return AnswerSchemas(document).misfit(method, target, status, media_type, sent)


@pytest.fixture(params=["3.0.3", "3.1.0"])
def document(request: pytest.FixtureRequest, tmp_path: Path) -> Document:
    return document_of(tmp_path, shop(request.param))


def test_an_answer_that_fits_is_left_alone(document: Document) -> None:
    item = {"id": 1, "price": 2.5, "parts": [{"id": 2, "price": 1, "parts": []}]}
    assert misfit(document, [item]) is None
    assert misfit(document, [], media_type="application/json; charset=utf-8") is None
    assert misfit(document, item, "/items/7?full=true") is None
    assert misfit(document, item, "/items/{{session_number % 20}}") is None
    assert misfit(document, "one", "/items/first") is None, "a path without parameters wins"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            [{"id": 1, "price": "2"}],
            "/0/price: '2' is not of type 'number' (#/components/schemas/Item/properties/price/type)",
        ),
        ([{"id": 1}], "/0: 'price' is a required property (#/components/schemas/Item/required)"),
        (
            [{"id": 1, "price": 2, "parts": [{"id": 2}]}],
            "/0/parts/0: 'price' is a required property (#/components/schemas/Item/required)",
        ),
        (
            {"id": 1},
            "the body: {'id': 1} is not of type 'array' "
            "(#/paths/~1items/get/responses/200/content/application~1json/schema/type)",
        ),
        (b"<html>", "the body is no JSON: "),
    ],
)
def test_a_body_that_does_not_fit_is_told_with_its_place(
    document: Document, body: Any, said: str
) -> None:
    assert (misfit(document, body) or "").startswith(said)


def test_a_status_and_a_media_type_that_are_not_there_are_told(document: Document) -> None:
    assert "the status 204 is not among those" in (misfit(document, [], status=204) or "")
    assert "(#/paths/~1items/get/responses)" in (misfit(document, [], status=302) or "")
    assert misfit(document, [], status=503) is None, "it is counted as a failure"
    said = misfit(document, [], media_type="text/html") or ""
    assert said.startswith("the media type is text/html, not application/json (#/paths/")
    assert "the media type is missing" in (misfit(document, [], media_type=None) or "")


def test_null_and_what_is_write_only_are_as_openapi_3_0_has_them(tmp_path: Path) -> None:
    required = ITEM | {"required": ["id", "price", "secret"]}
    whole = {"allOf": [{"$ref": "#/components/schemas/Item"}], "nullable": True}
    document = document_of(
        tmp_path,
        shop(
            components={"schemas": {"Item": required}},
            paths={"/items": {"get": answered({"type": "array", "items": whole})}},
        ),
    )
    assert misfit(document, [{"id": 1, "price": 2, "note": None}, None]) is None
    assert "None is not of type" in (misfit(document, [{"id": None, "price": 2}]) or "")


def test_bounds_are_those_of_the_version(tmp_path: Path) -> None:
    for version, schema in (
        ("3.0.0", {"type": "integer", "minimum": 1, "exclusiveMinimum": True}),
        ("3.1.0", {"type": ["integer", "null"], "exclusiveMinimum": 1}),
    ):
        document = document_of(tmp_path, shop(version, paths={"/n": {"get": answered(schema)}}))
        assert misfit(document, 2, "/n") is None
        assert "1" in (misfit(document, 1, "/n") or "")


@pytest.mark.parametrize(
    ("schema", "body", "reason"),
    [
        ({"$ref": "https://example.com/schema"}, 1, "leads out of"),
        ({"$ref": "other.yaml#/a"}, 1, ""),
        ({"$ref": "#/components/schemas/Gone"}, 1, ""),
        ({"$ref": "#/components/schemas/Round"}, 1, "round in a circle"),
        ({"type": "strin"}, 1, "its schema cannot be used (#/paths/~1n/get/"),
        ({"pattern": "("}, "a", "its schema cannot be used"),
        ({"required": True}, {}, "its schema cannot be used"),
    ],
)
@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_what_cannot_be_judged_is_said_and_nothing_is_fetched(
    tmp_path: Path, version: str, schema: dict[str, Any], body: Any, reason: str
) -> None:
    schemas = {"Round": {"allOf": [{"$ref": "#/components/schemas/Round"}]}}
    tree = shop(version, paths={"/n": {"get": answered(schema)}}, components={"schemas": schemas})
    with pytest.raises(NotJudged) as caught:
        misfit(document_of(tmp_path, tree), body, "/n")
    assert reason in str(caught.value) or "cannot be used" in str(caught.value)


def test_a_cut_body_and_an_unknown_request_cannot_be_judged(document: Document) -> None:
    schemas = AnswerSchemas(document)
    with pytest.raises(NotJudged, match="the kept body is cut"):
        schemas.misfit("GET", "/items", 200, JSON, None)
    with pytest.raises(NotJudged, match="no operation for DELETE /items"):
        schemas.misfit("DELETE", "/items", 204, None, b"")
    assert schemas.misfit("POST", "/items", 201, None, None) is None, "no body is described"


def test_servers_put_their_path_before_all_others(tmp_path: Path) -> None:
    servers = [{"url": "https://{host}/{base}/", "variables": {"base": {"default": "api/v1"}}}]
    document = document_of(tmp_path, shop(servers=servers))
    assert misfit(document, [], "/api/v1/items") is None
    with pytest.raises(NotJudged):
        misfit(document, [], "/items")


@given(schema=ANY, body=ANY)
def test_any_schema_and_any_body_are_judged_or_not(
    tmp_path_factory: pytest.TempPathFactory, schema: Any, body: Any
) -> None:
    folder = tmp_path_factory.mktemp("any")
    for version in ("3.0.3", "3.1.0"):
        document = document_of(folder, shop(version, paths={"/n": {"get": answered(schema)}}))
        try:
            misfit(document, body, "/n")
        except NotJudged as error:
            assert error.message  # noqa: PT017
