"""A worker that is started anew by its supervisor, which keeps the port: the strength is how often."""

import asyncio
import os
import signal
import socket
import sys
import threading
import time

from http_server import Echo

FIRST_SECONDS, EVERY_SECONDS = 2.5, 1.5


def work(listener: socket.socket) -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(Echo, sock=listener)
        await server.serve_forever()

    asyncio.run(run())


def start(listener: socket.socket) -> int:
    pid = os.fork()
    if pid == 0:
        work(listener)
        os._exit(0)
    return pid


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    worker = start(listener)
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    is_over = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), is_over.set()), daemon=True).start()
    wait = FIRST_SECONDS
    for _ in range(round(float(sys.argv[1]))):
        if is_over.wait(wait):
            break
        os.kill(worker, signal.SIGKILL)
        os.waitpid(worker, 0)
        time.sleep(0.05)
        worker = start(listener)
        wait = EVERY_SECONDS
    is_over.wait()
    os.kill(worker, signal.SIGKILL)
    os.waitpid(worker, 0)


if __name__ == "__main__":
    main()
