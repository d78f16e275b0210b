"""The draws of sessions as the engine makes them, written anew from the scheme that it states."""

from typing import Final

MASK: Final = 2**64 - 1

THINK, RANDOM, UUID, CHOOSE, PICK, FEED = 2, 3, 4, 5, 6, 7
"""What is drawn for."""


def mix(value: int) -> int:
    """The first output of SplitMix64 for a seed."""
    value = (value + 0x9E3779B97F4A7C15) & MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def draw(seed: int, purpose: int, group: int, session: int, number: int, turn: int) -> int:
    """64 random bits."""
    key = mix(seed)
    for part in (purpose, group, session, number, turn):
        key = mix(key ^ part)
    return key


def below(bits: int, bound: int) -> int:
    """A number below a bound."""
    return (bits * bound) >> 64


def run_key(run_id: str) -> int:
    """The key of a run, of its name."""
    text = run_id.encode()
    key = mix(len(text))
    for at in range(0, len(text), 8):
        key = mix(key ^ int.from_bytes(text[at : at + 8].ljust(8, b"\0"), "little"))
    return key


def uuid(bits: int, key: int) -> str:
    """The text of a UUID of version 4."""
    first = mix(bits ^ key)
    number = (first << 64) | mix(first)
    number = number & ~(0xF << 76) & ~(3 << 62) | (4 << 76) | (2 << 62)
    text = f"{number:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
