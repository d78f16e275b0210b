"""The line that shows a load while it goes on, from the engine's progress event."""

from datetime import timedelta
from typing import Any

from loadstone.measure.loading.steady_watch import CHANGE_SECONDS
from loadstone.text import units


def phase_text(event: dict[str, Any]) -> str:
    """`warming up 0:47, CPU per ok -12 % in 16 s, compilers busy; `, `measuring; `, or
    `looking for a late step 0:40 of 3:00; `.

    Empty for a load whose warm-up nobody watches.
    """
    looking = event.get("late_look")
    if looking is not None:
        done, lasts = _clock(looking["done_ns"]), _clock(looking["lasts_ns"])
        return f"looking for a late step {done} of {lasts}; "
    if event.get("in_window"):
        return "measuring; "
    if event.get("in_window") is None:
        return ""
    warming = event.get("warming_up")
    parts = [f"warming up {timedelta(seconds=round(event['elapsed_ns'] / 1e9))}"]
    if warming is not None and warming["cost_change"] is not None:
        parts.append(f"cost {warming['cost_change']:+.0%} in {CHANGE_SECONDS} s")
    if warming is not None and warming["is_compiling"] is not None:
        parts.append("compilers busy" if warming["is_compiling"] else "compilers idle")
    return f"{', '.join(parts)}; "


def _clock(time_ns: int) -> str:
    """`0:40`, minutes and seconds."""
    minutes, seconds = divmod(round(time_ns / 1e9), 60)
    return f"{minutes}:{seconds:02}"


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
    return f"{event['elapsed_ns'] / 1e9:.0f} s: {phase_text(event)}{', '.join(filter(None, parts))}"
