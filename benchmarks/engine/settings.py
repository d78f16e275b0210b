"""What one call of the benchmark is to do, and the place it puts its figures."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[2]
PEERS = CHECKOUT / ".loadstone" / "peers" / "bin"

SERVER_CPU = 0
GENERATOR_CPU = 1


@dataclass(frozen=True)
class Settings:
    """Validated options."""

    rounds: int
    """Paired rounds that must count, for a row of the throughput table; other sections say what
    they make of it.
    """
    seconds: int
    """Of one throughput run."""
    memory_seconds: int
    rows: str
    """Only throughput rows whose name contains it; empty is all."""
    engine: Path
    workbench: Path
    results: Path
    engine_before: Path | None = None
    """An earlier engine, which plain requests are to cost no more than; none: that is not measured."""

    def keep(self, name: str, data: Any) -> None:
        """Write one file of the results folder."""
        self.results.mkdir(parents=True, exist_ok=True)
        text = data if isinstance(data, str) else json.dumps(data, indent=1) + "\n"
        (self.results / name).write_text(text)


def say(text: str) -> None:
    """Tell the person who waits what is going on."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
