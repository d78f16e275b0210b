import asyncio
import json
from collections.abc import Awaitable, Callable

from users.complaints import Complaints
from users.config import Address
from users.registrar import Registrar

WAIT_SECONDS = 10.0


class Registry:
    """Answers by these statuses, one after the other, and keeps what it was asked."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.lines: list[str] = []
        self.bodies: list[bytes] = []
        self.asked = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(head.partition("Content-Length: ")[2].partition("\r\n")[0])
        self.bodies.append(await reader.readexactly(length))
        self.lines.append(head.partition(" HTTP/1.1")[0])
        status = self.statuses.pop(0) if self.statuses else 200
        writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n".encode())
        writer.close()
        self.asked.set()

    async def wait_for(self, count: int) -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            while len(self.lines) < count:
                self.asked.clear()
                await self.asked.wait()


def beside(registry: Registry, work: Callable[[Registrar], Awaitable[None]], *, tls: bool) -> None:
    async def run() -> None:
        async with await asyncio.start_server(registry.serve, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            at, own = Address("127.0.0.1", port), Address("127.0.0.2", 8090)
            await work(Registrar(at, own, tls, Complaints()))

    asyncio.run(run())


def test_it_registers_again_where_it_is_not_known_and_deregisters() -> None:
    registry = Registry(204, 404, 204)

    async def work(registrar: Registrar) -> None:
        stopped = asyncio.Event()
        running = asyncio.ensure_future(registrar.run(stopped))
        await registry.wait_for(3)
        stopped.set()
        await running

    beside(registry, work, tls=True)
    application = "/eureka/apps/USERS"
    assert registry.lines == [
        f"POST {application}",
        f"PUT {application}/users-8090",
        f"POST {application}",
        f"DELETE {application}/users-8090",
    ]
    instance = json.loads(registry.bodies[0])["instance"]
    assert instance["instanceId"] == "users-8090"
    assert instance["hostName"] == instance["ipAddr"] == "127.0.0.2"
    assert instance["port"] == {"$": 8090, "@enabled": "false"}
    assert instance["securePort"] == {"$": 8090, "@enabled": "true"}


def test_while_the_registry_is_away_it_goes_on() -> None:
    async def run() -> None:
        registrar = Registrar(
            Address("127.0.0.1", 1), Address("127.0.0.1", 8090), False, Complaints()
        )
        stopped = asyncio.Event()
        running = asyncio.ensure_future(registrar.run(stopped))
        await asyncio.sleep(0.05)
        stopped.set()
        await running

    asyncio.run(run())
