"""h2load: HTTP/1.1 and HTTP/2, a rate per connection. Quantiles are taken from its log of requests,
which is written only where they are wanted, since it costs a system call per request.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.engine.generator_run import Command
from benchmarks.engine.load import QUANTILES, Load, Observed
from loadstone.errors import LoadstoneError
from loadstone.stats.values.quantile import rank

LOG = "h2load.log"
_REQUESTS = re.compile(
    r"^requests: (?P<total>\d+) total, (?P<started>\d+) started, (?P<done>\d+) done, "
    r"(?P<succeeded>\d+) succeeded, (?P<failed>\d+) failed, (?P<errored>\d+) errored, "
    r"(?P<timeout>\d+) timeout$",
    re.MULTILINE,
)
_STATUS = re.compile(r"^status codes: (\d+) 2xx", re.MULTILINE)


@dataclass(frozen=True)
class H2load:
    """h2load."""

    program: str
    logs: bool = False
    name: str = "h2load"

    def command(self, load: Load, directory: Path) -> Command:
        """Return the command; the rate is dealt evenly to the connections."""
        options = [
            "-t1",
            f"-c{load.connections}",
            f"-m{load.streams}",
            f"-D{load.seconds}",
            f"-N{load.timeout_seconds}",
        ]
        if load.protocol in ("h1c", "h1"):
            options.append("--h1")
        if load.rate is not None:
            options.append(f"--rps={load.rate / load.connections:g}")
        if self.logs:
            options.append(f"--log-file={directory / LOG}")
        return Command([self.program, *options, load.url])

    def read(self, output: str, directory: Path) -> Observed:
        """Read its report, and its log of requests where there is one."""
        counts, good = _REQUESTS.search(output), _STATUS.search(output)
        if counts is None or good is None:
            raise LoadstoneError("h2load did not report its requests")
        kinds = ("failed", "errored", "timeout")
        values = _logged_ms(directory / LOG) if self.logs else np.zeros(0)
        return Observed(
            requests=int(good.group(1)),
            failures={kind: int(counts[kind]) for kind in kinds if int(counts[kind])},
            quantiles_ms=(
                {q: float(values[rank(q, values.size) - 1]) for q in QUANTILES}
                if values.size
                else {}
            ),
            highest_ms=float(values[-1]) if values.size else None,
        )


def _logged_ms(path: Path) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Return the times of good responses, ascending. Columns: start (us), status, time (us)."""
    rows = [line.split("\t") for line in path.read_text().splitlines()] if path.exists() else []
    return np.sort(np.array([float(row[2]) / 1000 for row in rows if row[1] == "200"]))
