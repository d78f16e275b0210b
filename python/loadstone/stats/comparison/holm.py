"""Holm's correction: the level that each comparison of a family may use.

Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of
Statistics 6(2), 1979. The chance of one or more false differences in the family stays at alpha,
whatever the dependence between its comparisons.
"""

from collections.abc import Sequence

ALPHA = 0.05
"""Chance of a false difference in a family: the convention behind 95 % intervals."""


def holm_alphas(p_values: Sequence[float], alpha: float = ALPHA) -> list[float]:
    """For each p value, in the given order, the alpha to hold it (and its interval) against.

    The i-th smallest of m gets `alpha / (m - i + 1)`. From the first that is above its own on,
    nothing is rejected, and all use the alpha of that first one: so an interval at `1 - alpha`
    leaves out "no difference" exactly where Holm rejects it.
    """
    if any(not 0 <= p <= 1 for p in p_values):
        raise ValueError(f"p values lie between 0 and 1, not {list(p_values)}")
    count = len(p_values)
    alphas = [alpha] * count
    stopped_at: float | None = None
    for position, index in enumerate(sorted(range(count), key=lambda index: p_values[index])):
        own = alpha / (count - position) if stopped_at is None else stopped_at
        alphas[index] = own
        if stopped_at is None and p_values[index] > own:
            stopped_at = own
    return alphas
