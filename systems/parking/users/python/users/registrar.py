"""Keeps the service in the registry. Nothing that is served depends on it."""

import asyncio
import json
from contextlib import suppress

from users.complaints import Complaints
from users.config import Address

_BEAT_SECONDS = 1.0
_LIMIT_SECONDS = 1.0
"""Of each request to the registry."""
_LEASE_SECONDS = 3

_APPLICATION = "/eureka/apps/USERS"
_NOT_FOUND = 404

_FAILURES = (
    OSError,  # TimeoutError is one
    EOFError,
    ValueError,  # a status that is none, or says no
    IndexError,
    asyncio.LimitOverrunError,
)


class Registrar:
    """Registers, and sends heartbeats."""

    def __init__(
        self, registry: Address, own: Address, is_tls: bool, complaints: Complaints
    ) -> None:
        """`own` is where callers reach the service."""
        self._registry = registry
        self._instance = f"{_APPLICATION}/users-{own.port}"
        self._body = _registration(own, is_tls)
        self._complaints = complaints
        self._is_registered = False

    async def run(self, stopped: asyncio.Event) -> None:
        """Keep it there until the stop, and then take it out."""
        while not stopped.is_set():
            try:
                await self._beat()
            except _FAILURES as error:
                self._complaints.away(f"the registry does not answer: {type(error).__name__}")
            try:
                async with asyncio.timeout(_BEAT_SECONDS):
                    await stopped.wait()
            except TimeoutError:
                pass  # the next heartbeat is due
        with suppress(*_FAILURES):  # the lease ends by itself
            await self._ask("DELETE", self._instance)

    async def _beat(self) -> None:
        """Send a heartbeat, or register where the registry does not know of the service."""
        if self._is_registered:
            status = await self._ask("PUT", self._instance)
            if status != _NOT_FOUND:
                return
            self._is_registered = False
        status = await self._ask("POST", _APPLICATION, self._body)
        self._is_registered = 200 <= status < 300
        if not self._is_registered:
            raise ValueError(status)

    async def _ask(self, method: str, path: str, body: bytes = b"") -> int:
        """Return the status of an answer. Raises what `_FAILURES` has."""
        address = self._registry
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {address.host}:{address.port}",
            "Accept: application/json",
            "Connection: close",
            f"Content-Length: {len(body)}",
            *(["Content-Type: application/json"] if body else []),
        ]
        async with asyncio.timeout(_LIMIT_SECONDS):
            reader, writer = await asyncio.open_connection(address.host, address.port)
            try:
                writer.write("\r\n".join([*lines, "", ""]).encode() + body)
                # What is behind the head is of no use; not every registry closes at its end.
                head = await reader.readuntil(b"\r\n\r\n")
            finally:
                writer.close()
        return int(head.split(maxsplit=2)[1])


def _registration(own: Address, is_tls: bool) -> bytes:
    instance = {
        "instanceId": f"users-{own.port}",
        "hostName": own.host,
        "app": "USERS",
        "ipAddr": own.host,
        "vipAddress": "users",
        "status": "UP",
        "port": {"$": own.port, "@enabled": "false" if is_tls else "true"},
        "securePort": {"$": own.port, "@enabled": "true" if is_tls else "false"},
        "dataCenterInfo": {
            "@class": "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo",
            "name": "MyOwn",
        },
        "leaseInfo": {"renewalIntervalInSecs": 1, "durationInSecs": _LEASE_SECONDS},
        "metadata": {},
    }
    return json.dumps({"instance": instance}).encode()
