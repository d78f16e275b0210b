"""Where the time of a study went, in a line."""

from datetime import timedelta

from loadstone.text import units

_SMALLEST_SHARE = 0.005


def time_text(time_use: dict[str, int]) -> str:
    """`0:02:04 went into: measured 77.3 %, warm-up 19.3 %, ...`; what is below half a percent is left
    out.
    """
    total_ns = sum(time_use.values())
    parts = ", ".join(
        f"{name} {units.share(length_ns / total_ns)}"
        for name, length_ns in time_use.items()
        if length_ns / total_ns >= _SMALLEST_SHARE
    )
    return f"{timedelta(seconds=round(total_ns / 1e9))} (h:mm:ss) went into: {parts}"
