import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps

import pytest
from h2.errors import ErrorCodes
from h2.settings import SettingCodes

from gateway.config import Origin
from gateway.headers import Headers
from gateway.upstream import Answer, Body, UpstreamFailed
from gateway.upstream_http2 import Http2Upstream
from tests.http2_server import ServedConnection, serving

Values = dict[SettingCodes, int]

LENGTH: Headers = [(b"content-length", b"2")]


def asynchronous(
    test: Callable[[], Coroutine[object, object, None]],
) -> Callable[[], None]:
    @wraps(test)
    def run() -> None:
        async def limited() -> None:
            async with asyncio.timeout(20):
                await test()

        asyncio.run(limited())

    return run


@asynccontextmanager
async def client_of(origin: Origin) -> AsyncGenerator[Http2Upstream]:
    client = Http2Upstream(origin, None)
    try:
        yield client
    finally:
        await client.close()


async def read_whole(answer: Answer) -> bytes:
    body = answer.read_now()
    while not answer.at_end:
        body += await answer.read()
    return body


async def ask(client: Http2Upstream, body: Body = b"{}") -> bytes:
    async with client.exchange(b"", [], body) as answer:
        return await read_whole(answer)


def echo_number(connection: ServedConnection, stream_id: int) -> None:
    connection.answer(stream_id, str(stream_id).encode())


def silent(_connection: ServedConnection, _stream_id: int) -> None:
    return


@asynchronous
async def test_a_request_has_its_pseudo_headers_query_fields_and_body() -> None:
    async with (
        serving(echo_number) as (server, origin),
        client_of(origin) as client,
        client.exchange(b"a=%20", LENGTH, b"{}") as answer,
    ):
        assert answer.status == 200
        assert answer.headers == [(b"x-stream", b"1")]
        assert await read_whole(answer) == b"1"
    assert server.heads == [
        [
            (":method", "POST"),
            (":scheme", "http"),
            (":authority", origin.authority),
            (":path", "/service/EchoService?a=%20"),
            ("content-length", "2"),
        ]
    ]
    assert server.bodies == {(0, 1): b"{}"}


@asynchronous
async def test_requests_at_the_same_time_share_a_connection() -> None:
    waiting: list[tuple[ServedConnection, int]] = []

    def answer_together(connection: ServedConnection, stream_id: int) -> None:
        waiting.append((connection, stream_id))
        if len(waiting) == 100:
            for kept, number in reversed(waiting):
                kept.answer(number, str(number).encode())

    settings: Values = {SettingCodes.MAX_CONCURRENT_STREAMS: 100}
    async with serving(answer_together, settings) as (server, origin), client_of(origin) as client:
        answers = await asyncio.gather(*(ask(client) for _ in range(100)))
    assert len(server.connections) == 1
    assert sorted(map(int, answers)) == list(range(1, 200, 2))


@asynchronous
async def test_a_further_connection_is_opened_where_no_stream_is_left() -> None:
    settings: Values = {SettingCodes.MAX_CONCURRENT_STREAMS: 1}
    async with serving(silent, settings) as (server, origin), client_of(origin) as client:
        requests = [asyncio.ensure_future(ask(client)) for _ in range(2)]
        await server.wait_until(lambda: len(server.heads) == 2)
        assert len(server.connections) == 2
        for connection in server.connections:
            connection.answer(1, b"late")
        assert await asyncio.gather(*requests) == [b"late", b"late"]


@asynchronous
async def test_a_body_larger_than_every_window_arrives_whole_both_ways() -> None:
    body = bytes(range(256)) * 4096

    def answer_all(connection: ServedConnection, stream_id: int) -> None:
        connection.begin(stream_id)

        async def send() -> None:
            rest = body
            while rest:
                window = connection.h2.local_flow_control_window(stream_id)
                size = min(window, connection.h2.max_outbound_frame_size)
                if size > 0:
                    connection.h2.send_data(stream_id, rest[:size])
                    connection.flush()
                    rest = rest[size:]
                await asyncio.sleep(0)
            connection.h2.end_stream(stream_id)
            connection.flush()

        sending.append(asyncio.ensure_future(send()))

    sending: list[asyncio.Future[None]] = []
    settings: Values = {SettingCodes.INITIAL_WINDOW_SIZE: 1000}
    async with serving(answer_all, settings) as (server, origin), client_of(origin) as client:
        assert await ask(client, body) == body
        assert server.bodies == {(0, 1): body}


@asynchronous
async def test_a_part_of_a_request_is_sent_before_the_next_one_exists() -> None:
    arrived = asyncio.Event()

    async def parts() -> AsyncGenerator[bytes]:
        yield b"first"
        await arrived.wait()
        yield b"second"

    async with serving(echo_number) as (server, origin), client_of(origin) as client:
        request = asyncio.ensure_future(ask(client, parts()))
        await server.wait_until(lambda: server.bodies.get((0, 1)) == b"first")
        arrived.set()
        assert await request == b"1"
        assert server.bodies == {(0, 1): b"firstsecond"}


@asynchronous
async def test_a_request_that_is_given_up_resets_its_stream_and_no_other() -> None:
    async with serving(silent) as (server, origin), client_of(origin) as client:
        given_up, other = (asyncio.ensure_future(ask(client)) for _ in range(2))
        await server.wait_until(lambda: len(server.bodies) == 2)
        given_up.cancel()
        await server.wait_until(lambda: server.resets)
        assert server.resets == [1]
        server.connections[0].answer(3, b"kept")
        assert await other == b"kept"


@asynchronous
async def test_a_stream_that_is_reset_before_its_head_fails_and_is_not_sent_again() -> None:
    def refuse(connection: ServedConnection, stream_id: int) -> None:
        connection.h2.reset_stream(stream_id, ErrorCodes.REFUSED_STREAM)

    async with serving(refuse) as (server, origin), client_of(origin) as client:
        with pytest.raises(UpstreamFailed, match="reset"):
            await ask(client)
        assert len(server.heads) == 1


@asynchronous
async def test_an_answer_that_is_reset_gives_what_came_and_then_fails() -> None:
    def break_off(connection: ServedConnection, stream_id: int) -> None:
        connection.begin(stream_id)
        connection.h2.send_data(stream_id, b"half")
        connection.h2.reset_stream(stream_id, ErrorCodes.INTERNAL_ERROR)
        connection.flush()

    async with (
        serving(break_off) as (_, origin),
        client_of(origin) as client,
        client.exchange(b"", [], b"{}") as answer,
    ):
        assert await answer.read() == b"half"
        assert not answer.at_end
        with pytest.raises(UpstreamFailed, match="reset"):
            await answer.read()


@asynchronous
async def test_after_a_goaway_what_is_in_flight_ends_well_and_the_next_connection_is_new() -> None:
    async with serving(silent) as (server, origin), client_of(origin) as client:
        request = asyncio.ensure_future(ask(client))
        await server.wait_until(lambda: server.bodies)
        old = server.connections[0]
        # h2 would send nothing after a GOAWAY of its own: a frame by hand, and a PING behind it.
        old.transport.write(b"\0\0\x08\x07\0\0\0\0\0" + (2**31 - 1).to_bytes(4) + bytes(4))
        old.h2.ping(b"12345678")
        old.flush()
        await asyncio.sleep(0.05)
        next_request = asyncio.ensure_future(ask(client))
        await server.wait_until(lambda: len(server.connections) == 2 and len(server.bodies) == 2)
        old.answer(1, b"old")
        server.connections[1].answer(1, b"new")
        assert await request == b"old"
        assert await next_request == b"new"


@asynchronous
async def test_a_stream_that_a_goaway_leaves_out_fails() -> None:
    def go_away(connection: ServedConnection, _stream_id: int) -> None:
        connection.transport.write(b"\0\0\x08\x07\0\0\0\0\0" + bytes(8))

    async with serving(go_away) as (_, origin), client_of(origin) as client:
        with pytest.raises(UpstreamFailed, match="ends the connection"):
            await ask(client)


@asynchronous
async def test_a_connection_that_is_closed_fails_its_requests_and_is_not_taken_again() -> None:
    def close(connection: ServedConnection, stream_id: int) -> None:
        if len(connections) == 1:
            connection.transport.abort()
        else:
            connection.answer(stream_id, b"again")

    async with serving(close) as (server, origin), client_of(origin) as client:
        connections = server.connections
        with pytest.raises(UpstreamFailed):
            await ask(client)
        assert await ask(client) == b"again"


@asynchronous
async def test_an_upstream_that_refuses_connections_fails() -> None:
    async with serving(silent) as (_, origin):
        pass
    async with client_of(origin) as client:
        with pytest.raises(UpstreamFailed):
            await ask(client)


@asynchronous
async def test_an_upstream_that_speaks_no_http2_fails() -> None:
    async def speak_http1(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    listener = await asyncio.start_server(speak_http1, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    async with listener, client_of(Origin("http", "127.0.0.1", port, "a")) as client:
        with pytest.raises(UpstreamFailed):
            await ask(client)


@asynchronous
async def test_an_answer_that_nobody_reads_holds_up_no_other() -> None:
    def flood(connection: ServedConnection, stream_id: int) -> None:
        connection.begin(stream_id)
        while connection.h2.local_flow_control_window(stream_id) > 0:
            size = min(
                connection.h2.local_flow_control_window(stream_id),
                connection.h2.max_outbound_frame_size,
            )
            connection.h2.send_data(stream_id, bytes(size))
        if stream_id > 20:
            connection.h2.reset_stream(stream_id)
        connection.flush()

    async with serving(flood) as (server, origin), client_of(origin) as client:
        unread = [client.exchange(b"", [], b"{}") for _ in range(10)]
        for exchange in unread:
            await exchange.__aenter__()
        async with client.exchange(b"", [], b"{}") as answer:
            assert len(await answer.read()) > 0
        assert len(server.connections) == 1
        for exchange in unread:
            await exchange.__aexit__(None, None, None)
