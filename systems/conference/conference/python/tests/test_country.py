import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from aiohttp import web

from conference.config import CountryConfig
from conference.country import Country
from conference.problem import Problem

CONFIG = CountryConfig(
    origin="",
    timeout_seconds=60.0,
    connections=4,
    retries=0,
    retry_interval_seconds=0.001,
    has_breaker=False,
)

Handler = Callable[[int], Awaitable[web.StreamResponse]]
"""Gets the number of the request, from 1 on."""


def asking(
    handler: Handler, work: Callable[[Country], Awaitable[object]], config: CountryConfig = CONFIG
) -> tuple[object, list[str]]:
    """Do work with a client of a service that is scripted.

    Returns what came of it, also a Problem, and what the service was asked for.
    """
    seen: list[str] = []

    async def handle(request: web.BaseRequest) -> web.StreamResponse:
        body = await request.text()
        seen.append(f"{request.method} {request.raw_path} {body}".strip())
        return await handler(len(seen))

    async def run() -> object:
        runner = web.ServerRunner(web.Server(handle), shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        country = Country(replace(config, origin=f"http://127.0.0.1:{port}"))
        try:
            return await work(country)
        except Problem as problem:
            return problem.code
        finally:
            await country.close()
            await runner.cleanup()

    return asyncio.run(run()), seen


def answering(body: bytes, status: int = 200) -> Handler:
    async def handle(_number: int) -> web.StreamResponse:
        return web.Response(body=body, status=status)

    return handle


async def one(country: Country) -> object:
    return await country.one("a")


async def never(_number: int) -> web.StreamResponse:
    await asyncio.Event().wait()
    raise AssertionError


USA = b'{"name":"USA","more":1}'


@pytest.mark.parametrize(
    ("name", "segment"),
    [
        ("Google I/O", "Google%20I%2FO"),
        ("a?b#c%d+é'()*!", "a%3Fb%23c%25d%2B%C3%A9%27%28%29%2A%21"),
        ("/..", "%2F.."),
        ("Az09-._~", "Az09-._~"),
    ],
)
def test_a_name_is_asked_for_by_its_path(name: str, segment: str) -> None:
    came, seen = asking(answering(USA), lambda country: country.one(name))
    assert (came, seen) == ("USA", [f"GET /conferences/{segment}/country"])


def test_a_batch_is_asked_for_by_its_body() -> None:
    came, seen = asking(
        answering(b'{"countries":["UK","USA"]}'), lambda country: country.batch(["é", "b"])
    )
    assert (came, seen) == (["UK", "USA"], ['POST /countries {"names":["é","b"]}'])


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"USA", b"null", b"[]", b"{}", b'{"name":1}', b'{"name":"USA"}{}'),
        *(b'{"name":"\xff"}', b'{"name":"USA","more":NaN}', b'{"name":"' + b"a" * 65536 + b'"}'),
    ],
)
def test_other_bodies_are_no_answer(body: bytes) -> None:
    assert asking(answering(body), one)[0] == "country-failed"


@pytest.mark.parametrize(
    "body", [b"{}", b'{"countries":["UK"]}', b'{"countries":["UK",1]}', b'{"countries":"UK"}']
)
def test_other_bodies_are_no_answer_to_a_batch_of_two(body: bytes) -> None:
    came, _ = asking(answering(body), lambda country: country.batch(["a", "b"]))
    assert came == "country-failed"


@pytest.mark.parametrize(
    ("status", "attempts"), [(404, 1), (302, 1), (500, 1), (502, 3), (503, 3), (504, 3)]
)
def test_some_statuses_are_tried_again(status: int, attempts: int) -> None:
    came, seen = asking(answering(USA, status), one, replace(CONFIG, retries=2))
    assert (came, len(seen)) == ("country-failed", attempts)


def test_the_last_attempt_decides() -> None:
    async def handle(number: int) -> web.StreamResponse:
        return web.Response(body=USA, status=503 if number < 3 else 200)

    came, seen = asking(handle, one, replace(CONFIG, retries=2))
    assert (came, len(seen)) == ("USA", 3)


def test_a_connection_that_breaks_is_not_tried_again_by_itself() -> None:
    async def breaking(_number: int) -> web.StreamResponse:
        raise ConnectionResetError

    came, seen = asking(breaking, one)
    assert (came, len(seen)) == ("country-failed", 1)


def test_a_connection_that_is_refused_is_a_failure() -> None:
    async def refused() -> object:
        country = Country(replace(CONFIG, origin="http://127.0.0.1:1", retries=1))
        try:
            return await country.one("a")
        finally:
            await country.close()

    with pytest.raises(Problem, match="country-failed"):
        asyncio.run(refused())


def test_an_answer_that_does_not_come_in_time_is_not_waited_for_and_not_tried_again() -> None:
    came, seen = asking(never, one, replace(CONFIG, timeout_seconds=0.05, retries=2))
    assert (came, len(seen)) == ("country-timeout", 1)


def test_waiting_for_a_connection_counts_as_well() -> None:
    async def two(country: Country) -> object:
        both = await asyncio.gather(one(country), one(country), return_exceptions=True)
        return [problem.code for problem in both if isinstance(problem, Problem)]

    config = replace(CONFIG, timeout_seconds=0.05, connections=1)
    came, seen = asking(never, two, config)
    assert (came, len(seen)) == (["country-timeout"] * 2, 1)


def test_a_breaker_stops_asking() -> None:
    async def work(country: Country) -> object:
        codes = []
        for _ in range(11):
            try:
                await country.one("a")
            except Problem as problem:
                codes.append(problem.code)
        return codes

    came, seen = asking(answering(b"", 500), work, replace(CONFIG, has_breaker=True))
    assert came == ["country-failed"] * 10 + ["country-open"]
    assert len(seen) == 10
