"""A request is answered with its own body."""

import asyncio
from typing import Any

from yardstick.__main__ import echo


def answered(path: str, parts: list[bytes]) -> list[dict[str, Any]]:
    messages = [
        {"type": "http.request", "body": part, "more_body": number < len(parts)}
        for number, part in enumerate(parts, 1)
    ]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    headers = [(b"accept", b"a"), (b"content-type", b"text/plain")]
    scope = {"path": path, "method": "POST", "headers": headers}
    asyncio.run(echo(scope, receive, send))
    return sent


def test_the_body_comes_back_whole_with_its_type() -> None:
    start, body = answered("/passthrough", [b"a", b"b"])
    assert start["status"] == 200
    assert start["headers"] == [(b"content-type", b"text/plain")]
    assert body["body"] == b"ab"


def test_another_path_is_404() -> None:
    start, body = answered("/", [b"a"])
    assert (start["status"], body["body"]) == (404, b"")
