"""Leaves a share (the strength) of 20 connections in its listen queue, as a worker that hangs does."""

import asyncio
import socket
import sys

from http_server import Echo

CONNECTIONS = 20


async def run(strength: float) -> None:
    loop = asyncio.get_running_loop()
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    listener.setblocking(False)
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    ended = loop.run_in_executor(None, sys.stdin.read)
    left = round(CONNECTIONS * (1 - strength)) if strength else sys.maxsize
    accepting = asyncio.ensure_future(accept(listener, left, strength))
    await ended
    accepting.cancel()


async def accept(listener: socket.socket, count: int, strength: float) -> None:
    loop = asyncio.get_running_loop()
    for _ in range(count):
        connection, _ = await loop.sock_accept(listener)
        await loop.connect_accepted_socket(lambda: Echo(strength), connection)


if __name__ == "__main__":
    asyncio.run(run(float(sys.argv[1])))
