import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from gateway.config import Origin
from gateway.headers import Headers
from gateway.upstream import Body, UpstreamFailed
from gateway.upstream_http1 import Http1Upstream

WHOLE = b"HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: caf\xe9\r\nContent-Length: 2\r\n\r\nok"


@asynccontextmanager
async def answering(answer: bytes, received: bytearray) -> AsyncGenerator[Http1Upstream]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not received.endswith((b"{}", b"0\r\n\r\n")):
            received.extend(await reader.read(1 << 16))
        writer.write(answer)
        writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    client = Http1Upstream(Origin("http", "127.0.0.1", port, f"127.0.0.1:{port}"), None)
    async with listener:
        try:
            yield client
        finally:
            await client.close()


def ask(answer: bytes, headers: Headers, body: Body) -> tuple[bytes, int, Headers, bytes]:
    """Return the request as it came, and the answer."""

    async def run() -> tuple[bytes, int, Headers, bytes]:
        received = bytearray()
        async with (
            asyncio.timeout(10),
            answering(answer, received) as client,
            client.exchange(b"a=%20&b=%zz", headers, body) as found,
        ):
            whole = found.read_now()
            while not found.at_end:
                whole += await found.read()
            return bytes(received), found.status, found.headers, whole

    return asyncio.run(run())


def test_nothing_is_added_to_a_request_but_what_frames_it() -> None:
    headers: Headers = [(b"x-b", b"1"), (b"x-b", "ä".encode()), (b"content-length", b"2")]
    received, *_ = ask(WHOLE, headers, b"{}")
    head, _, body = received.partition(b"\r\n\r\n")
    first, host, *fields = head.split(b"\r\n")
    assert first == b"POST /service/EchoService?a=%20&b=%zz HTTP/1.1"
    assert host.startswith(b"Host: 127.0.0.1:")
    assert fields == [b"x-b: 1", "x-b: ä".encode(), b"content-length: 2"]
    assert body == b"{}"


def test_a_body_that_comes_in_parts_is_sent_in_chunks() -> None:
    async def parts() -> AsyncGenerator[bytes]:
        yield b"ab"
        yield b"c"

    received, *_ = ask(WHOLE, [], parts())
    assert received.endswith(b"\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n")


def test_an_answer_keeps_its_fields_byte_for_byte() -> None:
    _, status, headers, body = ask(WHOLE, [], b"{}")
    assert (status, body) == (200, b"ok")
    assert headers == [(b"x-a", b"1"), (b"x-a", b"caf\xe9"), (b"content-length", b"2")]


def test_a_coded_body_stays_as_it_is() -> None:
    answer = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nraw"
    assert ask(answer, [], b"{}")[3] == b"raw"


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"no HTTP\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n",
    ],
)
def test_an_answer_that_is_missing_or_cut_is_a_failure(answer: bytes) -> None:
    with pytest.raises(UpstreamFailed):
        ask(answer, [], b"{}")


def test_a_field_that_aiohttp_would_change_is_not_sent() -> None:
    with pytest.raises(UpstreamFailed, match="UTF-8"):
        ask(WHOLE, [(b"x-a", b"caf\xe9")], b"{}")
