"""wrk: closed, no rate. Its figures are printed by its own script hook at the end of the run, which
leaves the path of a request untouched.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.engine.generator_run import Command
from benchmarks.engine.load import QUANTILES, Load, Observed

SCRIPT = """\
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format('\\n{"requests": %d, "connect": %d, "read": %d, "write": %d, ' ..
    '"status": %d, "timeout": %d, "max_us": %d, "quantiles_us": {',
    summary.requests, e.connect, e.read, e.write, e.status, e.timeout, latency.max))
  local percentiles = {@PERCENTILES@}
  for i, p in ipairs(percentiles) do
    io.write(string.format('%s"%s": %d', i > 1 and ", " or "", p, latency:percentile(p)))
  end
  io.write("}}\\n")
end
"""


@dataclass(frozen=True)
class Wrk:
    """wrk."""

    program: str
    name: str = "wrk"

    def command(self, load: Load, directory: Path) -> Command:
        """Return the command; a rate is not known to wrk and is left out."""
        directory.mkdir(parents=True, exist_ok=True)
        script = directory / "report.lua"
        percentiles = ", ".join(f"{quantile * 100:g}" for quantile in QUANTILES)
        script.write_text(SCRIPT.replace("@PERCENTILES@", percentiles))
        options = [
            "-t1",
            f"-c{load.connections}",
            f"-d{load.seconds}s",
            "--timeout",
            f"{load.timeout_seconds}s",
            "-s",
            str(script),
        ]
        return Command([self.program, *options, load.url])

    def read(self, output: str, directory: Path) -> Observed:
        """Read the line that the script wrote."""
        del directory
        found = json.loads(output.splitlines()[-1])
        kinds = ("connect", "read", "write", "status", "timeout")
        return Observed(
            requests=found["requests"] - found["status"],
            failures={kind: found[kind] for kind in kinds if found[kind]},
            quantiles_ms=(
                {q: found["quantiles_us"][f"{q * 100:g}"] / 1000 for q in QUANTILES}
                if found["requests"]
                else {}
            ),
            highest_ms=found["max_us"] / 1000 if found["requests"] else None,
        )
