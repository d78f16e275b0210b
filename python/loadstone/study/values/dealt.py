"""Users, a rate and its connections dealt among groups by their shares.

Whole numbers are dealt by the divisor method of Webster (Sainte-Laguë): their sum is exact, and no
group gets fewer where there are more to deal, so that stages that rise rise in every group.
"""

from collections.abc import Sequence

from loadstone.study.values.arrivals import Rate, Stage, Users


def dealt(total: int, shares: Sequence[float], least: int = 0) -> list[int]:
    """A number of things in whole parts; of none fewer than `least`, which must be there."""
    parts = [max(least, round(total * share)) for share in shares]
    while (missing := total - sum(parts)) != 0:
        if missing > 0:
            at = max(range(len(parts)), key=lambda each: shares[each] / (2 * parts[each] + 1))
            parts[at] += 1
        else:
            rich = [each for each in range(len(parts)) if parts[each] > least]
            at = min(rich, key=lambda each: shares[each] / (2 * parts[each] - 1))
            parts[at] -= 1
    return parts


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
