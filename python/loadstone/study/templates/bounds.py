"""What a whole number can be: its least and its most, proven over intervals.

The engine reckons in 64 bits. What could leave them, or be what its place does not take, is refused
before anything starts.
"""

from typing import NamedTuple

from loadstone.errors import WrongValueError
from loadstone.study.values.expressions import Operator, truncated

LEAST, MOST = -(2**63), 2**63 - 1

MOST_NUMBER = 10**12
"""Of a session in its group: more than a million a second in a week."""
MOST_USERS = 10**6
"""As many requests as the engine has in flight at most."""
MOST_TURNS = 1000
"""Of a repeat."""


class Interval(NamedTuple):
    """From the least to the most, both included."""

    least: int
    most: int


SESSION_NUMBER = Interval(0, MOST_NUMBER)
USER_NUMBER = Interval(0, MOST_USERS - 1)
TURN = Interval(0, MOST_TURNS - 1)


def of_two(operator: Operator, left: Interval, right: Interval) -> Interval:
    """What an operator can make of two numbers. Raises WrongValueError where it leaves 64 bits.

    The right side of a division is a positive constant.
    """
    match operator:
        case "+":
            found = Interval(left.least + right.least, left.most + right.most)
        case "-":
            found = Interval(left.least - right.most, left.most - right.least)
        case "*":
            products = [one * other for one in left for other in right]
            found = Interval(min(products), max(products))
        case "/":
            divisor = right.least
            found = Interval(truncated(left.least, divisor), truncated(left.most, divisor))
        case "%":
            found = _remainder(left, right.least)
    if found.least < LEAST or found.most > MOST:
        raise WrongValueError(
            f"may come to {found.most if found.most > MOST else found.least}, more than 64 bits hold",
            "take a remainder first, such as `session_number % 1000`",
        )
    return found


def _remainder(left: Interval, divisor: int) -> Interval:
    """It has the sign of what is divided, and is less than the divisor and no more than that."""
    if left.least >= 0 and left.most < divisor:
        return left
    least = -min(-left.least, divisor - 1) if left.least < 0 else 0
    most = min(left.most, divisor - 1) if left.most > 0 else 0
    return Interval(least, most)
