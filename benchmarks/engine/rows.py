"""The rows of the throughput table, with their bars and aims."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One kind of work against one peer."""

    server: str
    """minimal or nginx."""
    protocol: str
    connections: int
    streams: int
    peer: str
    """wrk, h2load, oha, k6, or bare loop."""
    bar: float | None = None
    """Of the ratio of requests per CPU-second of the generator."""
    aim: float | None = None
    event_loop: str = "auto"

    @property
    def name(self) -> str:
        """How the tables call it."""
        work = f"{self.protocol} {self.connections}"
        if self.protocol in ("h2c", "h2"):
            work += f" x {self.streams}"
        loop = " epoll" if self.event_loop == "epoll" else ""
        return f"{work}{loop}, {self.server}, {self.peer}"


ROWS = (
    *(
        Row(server, "h1c", connections, 1, "wrk", 1.20, 1.38)
        for server in ("minimal", "nginx")
        for connections in (64, 100)
    ),
    Row("minimal", "h1c", 64, 1, "bare loop", aim=1.0),
    *(
        Row("minimal", "h1c", connections, 1, "wrk", 1.05, event_loop="epoll")
        for connections in (64, 100)
    ),
    Row("minimal", "h1c", 64, 1, "bare loop", aim=1.0, event_loop="epoll"),
    Row("nginx", "h1", 100, 1, "wrk", 1.05, 1.2),
    *(
        Row(server, "h2c", connections, streams, "h2load", 1.10, aim)
        for server in ("minimal", "nginx")
        for connections, streams, aim in ((10, 10, 1.9), (100, 1, 1.5))
    ),
    Row("nginx", "h2", 10, 10, "h2load", 1.10, 1.2),
    Row("nginx", "h2", 100, 1, "h2load", 1.10, 1.2),
    Row("minimal", "h1c", 100, 1, "oha"),
    Row("nginx", "h1", 100, 1, "oha"),
    Row("minimal", "h2c", 10, 10, "oha"),
    Row("minimal", "h1c", 100, 1, "k6"),
)
