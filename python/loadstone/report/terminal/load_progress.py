"""The line that shows a load while it goes on, from the engine's progress event."""

from typing import Any

from loadstone.text import units


def progress_line(event: dict[str, Any]) -> str:
    """The last second: users, throughput, p99, failures so far, and what limited the engine."""
    p99_ns, users = event["response_time_p99_ns"], event["users"]
    failures = event["offered"] - event["outcomes"]["ok"] - event["in_flight"]
    limits = ", ".join(event["limited_by"])
    parts = [
        "" if users is None else f"{users:,} users",
        f"{event['throughput']:,.0f} ok/s",
        "" if p99_ns is None else f"p99 {units.duration(p99_ns)}",
        f"{max(failures, 0):,} failed",
        f"engine {event['cpu_share']:.0%} CPU",
        f"limited by the engine: {limits}" if limits else "",
    ]
    return f"{event['elapsed_ns'] / 1e9:.0f} s: {', '.join(filter(None, parts))}"
