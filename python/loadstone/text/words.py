"""Words about numbers and names."""

from collections.abc import Sequence


def listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """`1 block`, `6 blocks`, `2 processes`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def counted_users(users: int, streams: int) -> str:
    """`1 user`, `20 users`, `2 users of 10 streams each`."""
    return counted(users, "user") + (f" of {streams:,} streams each" if streams > 1 else "")


def capitalized(text: str) -> str:
    """The first letter a capital, the others as they are: `CPU` stays."""
    return text[:1].upper() + text[1:]


def spaced(name: str) -> str:
    """`cpu_model` reads `CPU model`."""
    return name.replace("_", " ").replace("cpu", "CPU")
