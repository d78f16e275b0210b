"""Instants, as they are shown."""

from datetime import UTC, datetime


def shown(instant: datetime) -> str:
    """Return the 24 characters of an instant; what is finer than a millisecond is cut off."""
    text = instant.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
