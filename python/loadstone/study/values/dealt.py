"""Users, a rate and its connections dealt among groups by their shares.

Whole numbers are dealt by the divisor method of Webster (Sainte-Laguë): their sum is exact, and no
group gets fewer where there are more to deal, so that stages that rise rise in every group.
"""

from collections.abc import Sequence

from loadstone.study.values.arrivals import Rate, Stage, Users


def dealt(total: int, shares: Sequence[float], least: int = 0) -> list[int]:
    """A number of things in whole parts; of none fewer than `least`, which must be there."""
    parts = [max(least, round(total * share)) for share in shares]
    places = range(len(shares))
    while (missing := total - sum(parts)) != 0:
        if missing > 0:
            parts[max(places, key=lambda at: (_claim(shares[at], parts[at] + 1), -at))] += 1
        else:
            rich = [at for at in places if parts[at] > least]
            parts[min(rich, key=lambda at: (_claim(shares[at], parts[at]), -at))] -= 1
    return parts


def _claim(share: float, part: int) -> float:
    """How much a group deserves its n-th thing; of equal ones the first comes first."""
    return share / (2 * part - 1)


def dealt_users(users: Users, shares: Sequence[float]) -> list[Users]:
    """Users, stage by stage."""
    levels = [dealt(round(stage.to), shares) for stage in users.stages]
    return [
        Users(
            stages=tuple(
                Stage(to=level[group], over_ns=stage.over_ns)
                for level, stage in zip(levels, users.stages, strict=True)
            )
        )
        for group in range(len(shares))
    ]


def dealt_rate(rate: Rate, shares: Sequence[float]) -> list[Rate]:
    """A rate with its connections and its sessions; a Poisson process that is thinned is one again."""
    connections = dealt(rate.connections, shares, least=1)
    sessions = [
        max(own, part)
        for own, part in zip(connections, dealt(rate.sessions, shares, least=1), strict=True)
    ]
    return [
        rate.model_copy(
            update={
                "stages": rate.changed(share, 1.0, whole=False),
                "connections": connections[group],
                "sessions": sessions[group],
            }
        )
        for group, share in enumerate(shares)
    ]
