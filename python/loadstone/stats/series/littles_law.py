"""Little's law: users in a closed system = throughput times the time that each iteration takes.

Little, "A Proof for the Queuing Formula L = lambda W", Operations Research 9(3), 1961; in the
form for terminals with think time: Denning & Buzen, ACM Computing Surveys 10(3), 1978.
"""

import math


def users_seen(
    completed: int, mean_response_ns: float, mean_think_ns: float, window_ns: int
) -> float:
    """X (R + Z): how many users the completed requests of a window account for."""
    if window_ns <= 0:
        raise ValueError("a window has a length")
    return completed * (mean_response_ns + mean_think_ns) / window_ns


def gap(users: float, seen: float) -> float:
    """|N - X (R + Z)| / N: the share of the users that the figures do not account for."""
    return abs(users - seen) / users


def edge_allowance(mean_cycle_ns: float, window_ns: int) -> float:
    """What the edges of a window may explain of the gap, as a share of the users.

    A request counts whole where it ends. Each user has one that began before the window and one
    that ends after it: the gap from them lies within one cycle, R + Z, over the window.
    """
    return mean_cycle_ns / window_ns


def think_allowance(mean_response_ns: float, mean_think_ns: float, completed: int) -> float:
    """What drawn think times may explain of the gap: three standard errors of their mean.

    None of the distributions has a larger standard deviation than mean (the exponential one has
    the same), so the mean of n draws has a standard error of at most Z / sqrt(n).
    """
    if not completed or not mean_think_ns:
        return 0.0
    return 3 * mean_think_ns / (mean_response_ns + mean_think_ns) / math.sqrt(completed)


def cycle_allowance(mean_ns: float, deviation_ns: float, cycles: int) -> float:
    """What cycles that differ may explain of the gap: three standard errors of their mean.

    The mean is of a whole load, and the completed requests are those of a window of it.
    """
    return 3 * deviation_ns / mean_ns / math.sqrt(cycles) if mean_ns else 0.0
