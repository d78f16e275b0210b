"""oha: closed or with a rate; with a rate it corrects response times only where it is told to."""

import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.engine.generator_run import Command
from benchmarks.engine.load import QUANTILES, Load, Observed


@dataclass(frozen=True)
class Oha:
    """oha."""

    program: str
    corrects: bool = False
    name: str = "oha"

    def command(self, load: Load, directory: Path) -> Command:
        """Return the command."""
        del directory
        options = [
            "--no-tui",
            "--output-format=json",
            f"-c{load.connections}",
            f"-z{load.seconds}s",
            f"-t{load.timeout_seconds}s",
            "--insecure",
        ]
        if load.protocol in ("h2c", "h2"):
            options += ["--http2", f"-p{load.streams}"]
        if load.rate is not None:
            options.append(f"-q{load.rate:g}")
        if self.corrects:
            options.append("--latency-correction")
        return Command([self.program, *options, load.url])

    def read(self, output: str, directory: Path) -> Observed:
        """Read its JSON; its times are seconds."""
        del directory
        found = json.loads(output)
        times = {quantile: found["latencyPercentiles"][_key(quantile)] for quantile in QUANTILES}
        highest = found["summary"]["slowest"]
        return Observed(
            requests=found["statusCodeDistribution"].get("200", 0),
            failures=found["errorDistribution"],
            quantiles_ms={q: value * 1000 for q, value in times.items() if value is not None},
            highest_ms=None if highest is None else highest * 1000,
        )


def _key(quantile: float) -> str:
    return f"p{quantile * 100:g}"
