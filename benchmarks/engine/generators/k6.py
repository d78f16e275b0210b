"""k6: closed virtual users, or an arrival rate with as many virtual users as connections."""

import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.engine.generator_run import Command
from benchmarks.engine.load import QUANTILES, Load, Observed

SCRIPT = """\
import http from 'k6/http';
export const options = @OPTIONS@;
const settings = { timeout: '@TIMEOUT@s' };
export default function () { http.get('@URL@', settings); }
export function handleSummary(data) { return { stdout: '\\n' + JSON.stringify(data.metrics) + '\\n' }; }
"""


@dataclass(frozen=True)
class K6:
    """k6."""

    program: str
    name: str = "k6"

    def command(self, load: Load, directory: Path) -> Command:
        """Return the command; the script stands in the folder."""
        directory.mkdir(parents=True, exist_ok=True)
        script = directory / "script.js"
        text = SCRIPT.replace("@OPTIONS@", json.dumps(_options(load)))
        text = text.replace("@TIMEOUT@", str(load.timeout_seconds)).replace("@URL@", load.url)
        script.write_text(text)
        quiet = ["--quiet", "--no-usage-report", "--address="]
        # k6 chooses HTTP/2 by itself over TLS, and cannot speak it otherwise.
        variables = (("GODEBUG", "http2client=0"),) if load.protocol == "h1" else ()
        return Command([self.program, "run", *quiet, str(script)], variables=variables)

    def read(self, output: str, directory: Path) -> Observed:
        """Read the line of metrics."""
        del directory
        metrics = json.loads(output.strip().splitlines()[-1])
        times = metrics["http_req_duration"]["values"]
        count = metrics["http_reqs"]["values"]["count"]
        failed = metrics["http_req_failed"]["values"]["passes"]  # passes: how often it was true
        dropped = metrics.get("dropped_iterations", {"values": {"count": 0}})["values"]["count"]
        failures = {"failed": int(failed), "dropped": int(dropped)}
        return Observed(
            requests=int(count - failed),
            failures={kind: number for kind, number in failures.items() if number},
            quantiles_ms={q: times[f"p({q * 100:g})"] for q in QUANTILES},
            highest_ms=times["max"],
        )


def _options(load: Load) -> dict[str, object]:
    users = load.connections * load.streams
    if load.rate is None:
        scenario: dict[str, object] = {"executor": "constant-vus", "vus": users}
    else:
        scenario = {
            "executor": "constant-arrival-rate",
            "rate": load.rate,
            "timeUnit": "1s",
            "preAllocatedVUs": users,
            "maxVUs": users,
        }
    return {
        "discardResponseBodies": True,
        "insecureSkipTLSVerify": True,
        "summaryTrendStats": [*(f"p({quantile * 100:g})" for quantile in QUANTILES), "max"],
        "scenarios": {"load": {**scenario, "duration": f"{load.seconds}s", "gracefulStop": "5s"}},
    }
