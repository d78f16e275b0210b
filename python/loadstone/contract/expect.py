"""Assertions for checks: unlike `assert`, they also hold under `python -O`."""

_SHOWN_CHARACTERS = 120


def expect(holds: bool, seen: str) -> None:
    """Raise AssertionError with what was seen, unless it holds."""
    if not holds:
        raise AssertionError(seen)


def expect_equal(actual: object, wanted: object, what: str) -> None:
    """Raise AssertionError with both values, shortened, unless they are equal."""
    expect(actual == wanted, f"{what} is {_short(actual)}, not {_short(wanted)}")


def _short(value: object) -> str:
    text = repr(value)
    if len(text) <= _SHOWN_CHARACTERS:
        return text
    size = f" ({len(value)} bytes)" if isinstance(value, bytes) else ""
    return f"{text[:_SHOWN_CHARACTERS]}...{size}"
