"""An OpenAPI document that a running service gives out."""

import json
from pathlib import Path

import pytest
from described import hold_to_schemas, init, text_of
from giving import giving

from loadstone.describe import fetched_document
from loadstone.describe.fetched_document import fetch_document, is_url
from loadstone.errors import LoadstoneError

DOCUMENT = json.dumps(
    {
        "openapi": "3.0.0",
        "paths": {"/a": {"get": {"responses": {"200": {"description": "it"}}}}},
    }
).encode()


def test_the_document_of_a_running_service_is_copied_beside_the_system(tmp_path: Path) -> None:
    with giving(DOCUMENT) as url:
        root = init(tmp_path, openapi_url=url).folder
    (system,) = (root / "systems").iterdir()
    assert (system / "openapi.json").read_bytes() == DOCUMENT
    assert f"Made by `loadstone init` of {url}." in text_of(root)
    hold_to_schemas(root)


@pytest.mark.parametrize(
    ("content", "status", "message"),
    [
        (b"gone", 404, "was answered with 404"),
        (b"", 302, "was answered with 302"),
        (b"<html>", 200, "is no OpenAPI document"),
    ],
)
def test_what_is_no_document_is_refused(
    tmp_path: Path, content: bytes, status: int, message: str
) -> None:
    with giving(content, status) as url, pytest.raises(LoadstoneError, match=message) as caught:
        init(tmp_path, openapi_url=url)
    assert caught.value.message.startswith(url)
    assert caught.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_a_document_without_end_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetched_document, "MOST_BYTES", 10)
    with giving(DOCUMENT) as url, pytest.raises(LoadstoneError, match="is larger than"):
        fetch_document(url, (), tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://192.0.2.1/openapi.json", "not loopback; nothing was sent"),
        ("https://127.0.0.1/openapi.json", "over TLS"),
        ("http://127.0.0.1:1/openapi.json", "was not answered"),
    ],
)
def test_what_is_not_to_be_asked_is_refused(tmp_path: Path, url: str, message: str) -> None:
    assert is_url(url)
    with pytest.raises(LoadstoneError, match=message) as caught:
        fetch_document(url, (), tmp_path)
    assert caught.value.remedy
