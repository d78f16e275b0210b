"""How quantities are printed for people: three significant digits and a unit, everywhere alike.

Files keep exact numbers in one unit per quantity; only what is read by eyes passes here. Rounding
comes before the choice of the unit, so that 999.9 µs reads `1.00 ms` and never `1000 µs`.
"""

from collections.abc import Callable
from math import floor, isfinite, log10
from typing import Literal

Unit = Literal["ns", "1/s", "bytes/s", "share", "bytes", "count", "index"]
"""Of a value in files: one unit for each quantity."""

_Steps = tuple[tuple[float, str], ...]
_DURATION: _Steps = ((1, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s"))
_RATE: _Steps = ((1, "/s"), (1e3, "k/s"), (1e6, "M/s"), (1e9, "G/s"))
_SIZE: _Steps = ((1, "B"), (2**10, "KiB"), (2**20, "MiB"), (2**30, "GiB"))
_SHARE: _Steps = ((0.01, "%"),)
_POINTS: _Steps = ((0.01, "points"),)
_BYTE_RATE: _Steps = tuple((factor, f"{suffix}/s") for factor, suffix in _SIZE)
_PLAIN: _Steps = ((1, ""),)
STEPS: dict[Unit, _Steps] = {
    "ns": _DURATION,
    "1/s": _RATE,
    "share": _SHARE,
    "bytes": _SIZE,
    "bytes/s": _BYTE_RATE,
    "count": _PLAIN,
    "index": _PLAIN,
}
_MOST_DECIMALS = 6
_SMALLEST_FIXED = 0.001
"""Below this a fixed notation is a row of zeros; the exponent is printed instead."""


def number(value: float) -> str:
    """Three significant digits without a unit; whole numbers from 1000 on keep every digit."""
    if not isfinite(value):
        return str(value)
    if value == 0:
        return "0"
    rounded = _rounded(value)
    if abs(rounded) < _SMALLEST_FIXED:
        mantissa, _, exponent = f"{value:.2e}".partition("e")
        return f"{mantissa}e{int(exponent)}"
    if abs(rounded) >= 1000:
        return f"{value:,.0f}"
    return f"{rounded:.{max(0, 2 - _magnitude(rounded))}f}"


def count(value: float) -> str:
    """A number of things: whole ones with separators, means with three significant digits."""
    return f"{value:,.0f}" if value == floor(value) else number(value)


def duration(nanoseconds: float) -> str:
    """`850 ns`, `12.3 µs`, `1.00 ms`, `90.0 s`."""
    return _scaled(nanoseconds, _DURATION)


def rate(per_second: float) -> str:
    """`853 /s`, `12.3 k/s`."""
    return _scaled(per_second, _RATE)


def size(memory_bytes: float) -> str:
    """`45.2 MiB`: binary multiples."""
    return _scaled(memory_bytes, _SIZE)


def share(fraction: float) -> str:
    """`0.120 %`. What is less than everything never reads `100 %`."""
    if 0.9995 <= fraction < 1:
        percent = fraction * 100
        decimals = next((d for d in range(2, 7) if float(f"{percent:.{d}f}") < 100), None)
        return "> 99.999999 %" if decimals is None else f"{percent:.{decimals}f} %"
    return "100 %" if fraction == 1 else _scaled(fraction, _SHARE)


def ratio(value: float) -> str:
    """`1.07 ×`, with as many decimals as keep a ratio that is not 1 from reading 1."""
    return f"{value:.{_ratio_decimals(value)}f} ×" if _is_fixed(value) else f"{number(value)} ×"


def ratio_interval(low: float, high: float) -> str:
    """`[1.03, 1.12]`: both bounds with the decimals that the finer of them needs."""
    if not (_is_fixed(low) and _is_fixed(high)):
        return f"[{number(low)}, {number(high)}]"
    decimals = max(_ratio_decimals(low), _ratio_decimals(high))
    return f"[{low:.{decimals}f}, {high:.{decimals}f}]"


def quantity(value: float, unit: Unit) -> str:
    """A value of the metric catalogue in the unit that it is stored in."""
    printers: dict[Unit, Callable[[float], str]] = {
        "ns": duration,
        "1/s": rate,
        "share": share,
        "bytes": size,
        "bytes/s": lambda value: _scaled(value, _BYTE_RATE),
        "count": count,
        "index": number,
    }
    return printers[unit](value)


def spread(low: float, high: float, unit: Unit) -> str:
    """`1.21–1.30 ms`: smallest and largest of the runs in the larger one's unit."""
    if _rounded(low) == _rounded(high):
        return quantity(high, unit)
    if unit == "count":
        return f"{count(low)}–{count(high)}"
    factor, suffix = _step(max(abs(low), abs(high)), STEPS[unit])
    return f"{number(low / factor)}–{number(high / factor)} {suffix}".rstrip()


def quantity_interval(value: float, low: float, high: float, unit: Unit) -> str:
    """`5.61 k/s [5.50 to 5.70]`: a value and the bounds of its interval, all in the value's unit."""
    factor, _ = _step(value, STEPS[unit])
    return f"{quantity(value, unit)} [{number(low / factor)} to {number(high / factor)}]"


def difference(value: float, unit: Unit) -> str:
    """`+1.20 ms`; a difference of shares is in percentage points: `-0.120 points`."""
    sign = "+" if value > 0 else ""
    return sign + _scaled(value, _POINTS if unit == "share" else STEPS[unit])


def difference_interval(low: float, high: float, unit: Unit) -> str:
    """`[-0.100, +0.250] ms`: both bounds in one unit, signed."""
    steps = _POINTS if unit == "share" else STEPS[unit]
    factor, suffix = _step(max(abs(low), abs(high)), steps)
    bounds = ", ".join(("+" if b > 0 else "") + number(b / factor) for b in (low, high))
    return f"[{bounds}] {suffix}".rstrip()


def tick(value: float, unit: Unit) -> str:
    """A round value on an axis, without trailing zeros: `1 ms`, `2.5 k/s`, `0`."""
    if value == 0:
        return "0"
    digits, _, suffix = quantity(value, unit).partition(" ")
    trimmed = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return f"{trimmed} {suffix}".rstrip()


def tick_expression(unit: Unit) -> str:
    """The same as an expression of Vega over `datum.value`, for an axis that is zoomed."""
    (smallest, suffix), *larger = STEPS[unit]
    text = _tick_text(smallest, suffix)
    for factor, larger_suffix in larger:
        text = f"abs(datum.value) >= {factor:g} ? {_tick_text(factor, larger_suffix)} : {text}"
    return f"datum.value === 0 ? '0' : ({text})"


def _tick_text(factor: float, suffix: str) -> str:
    return f"format(datum.value / {factor:g}, '.3~r') + '{' ' * bool(suffix)}{suffix}'"


def percent(fraction: float) -> str:
    """`3 %`, `97.5 %`: a margin or a level, as it was chosen and not rounded to three digits.

    A level that is less than certain never reads `100 %`.
    """
    texts = (f"{fraction * 100:.{digits}g}" for digits in range(4, 18))
    return f"{next(text for text in texts if text != '100' or fraction >= 1)} %"


def _scaled(value: float, steps: _Steps) -> str:
    factor, suffix = _step(value, steps)
    return f"{number(value / factor)} {suffix}".rstrip()


def _step(value: float, steps: _Steps) -> tuple[float, str]:
    """The largest unit in which the value, once rounded there, is at least 1; else the smallest."""
    fitting = [step for step in steps if _rounded(abs(value) / step[0]) >= 1]
    return fitting[-1] if fitting else steps[0]


def _rounded(value: float) -> float:
    return float(f"{value:.2e}")


def _magnitude(value: float) -> int:
    return floor(log10(abs(value)))


def _is_fixed(value: float) -> bool:
    return isfinite(value) and 0.01 <= value < 1000


def _ratio_decimals(value: float) -> int:
    """Decimals for three significant digits, and more while a ratio beside 1 would read as 1."""
    decimals = max(0, 2 - _magnitude(value))
    while value != 1 and decimals < _MOST_DECIMALS and float(f"{value:.{decimals}f}") == 1:
        decimals += 1
    return decimals
