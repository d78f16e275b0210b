"""Ranks of arms with the uncertainty they have, and which arms may be the best.

The intervals come from all pairs of arms: an arm ranks below those that were told better than it and
above those that it was told better than; whatever was not told leaves its place open. Where no false
claim is in the family, every arm's true ranks lie in its interval. So intervals of all arms hold the
true ranks together with at least the family's level: Klein, Wright & Wieczorek, "A joint confidence
region for an overall ranking of populations", Journal of the Royal Statistical Society C 69(3), 2020;
Mohamad, Goeman & van Zwet, "Simultaneous confidence intervals for ranks with application to ranking
institutions", Biometrics 78(1), 2022, who also define the ranks of equal arms as is done here: an arm
that is as good as two others has all ranks that the three share.

What is asked of the claims is that all of them, with their direction, are true with the family's
probability. Simultaneous intervals (Bonferroni) grant that by their construction. Holm's steps are
proven for it where statistics are independent (Shaffer, "Control of Directional Errors with Stagewise
Multiple Test Procedures", Annals of Statistics 8(6), 1980); pairs of arms share arms, and are not. It
is held by simulation there (`tests/stats`).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from loadstone.stats.comparison.estimate import require_finite


@dataclass(frozen=True)
class RankInterval:
    """Ranks count from 1, the best; equal estimates have the same rank."""

    rank: int
    """By the estimate, brought into the interval where the estimate contradicts what was told."""
    low: int
    """1 + the number of arms that were told better than this one."""
    high: int
    """The number of arms, less those that this one was told better than."""


def rank_intervals(
    estimates: Sequence[float], better: Collection[tuple[int, int]]
) -> tuple[RankInterval, ...]:
    """The rank of each arm, in the given order.

    `estimates`: one an arm, smaller is better. `better` holds (i, j) where arm i was told better than
    arm j, at a level that is the whole family's; pairs that could not be compared are left out.
    `ValueError` for no arm, an estimate that is not finite, an arm that is not there, and for a pair
    that was told both ways.
    """
    count = len(estimates)
    if not count:
        raise ValueError("no arms, no ranks")
    require_finite([*estimates])
    told = set(better)
    above, below = [0] * count, [0] * count
    for winner, loser in told:
        if not (0 <= winner < count and 0 <= loser < count):
            raise ValueError(f"there is no pair {winner, loser} of {count} arms")
        if winner == loser or (loser, winner) in told:
            raise ValueError(f"arm {winner} cannot be better and worse than arm {loser}")
        above[loser] += 1
        below[winner] += 1
    return tuple(
        _interval(1 + sum(other < own for other in estimates), 1 + above[arm], count - below[arm])
        for arm, own in enumerate(estimates)
    )


def best(intervals: Sequence[RankInterval]) -> tuple[int, ...]:
    """The arms that no other was told better than: with the family's level all truly best are here.

    Empty only where claims run in a circle, which claims that are all true cannot.
    """
    return tuple(arm for arm, interval in enumerate(intervals) if interval.low == 1)


def _interval(rank: int, low: int, high: int) -> RankInterval:
    return RankInterval(rank=min(max(rank, low), high), low=low, high=high)
