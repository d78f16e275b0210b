"""What the users of several engines got, as one: each user was one engine's."""

from collections.abc import Sequence

import numpy as np

from loadstone.results.user_facts import UserFacts, UserSpread
from loadstone.results.users import UserColumns

_OF_USERS = (
    "group",
    "user",
    "first_ns",
    "answers",
    "mean_ns",
    "mean_response_ns",
    "max_ns",
    "log2_mean",
    "log2_variance",
)


def merged_users(parts: Sequence[UserColumns]) -> UserColumns:
    """Return the columns of all users in the order of their numbers.

    Where an engine had so many that some stand for all, so they do here: as many as of the most
    crowded.
    """
    every = max(each.every for each in parts)
    columns = {
        name: [value for each in parts for value in getattr(each, name)[:: every // each.every]]
        for name in _OF_USERS
    }
    groups = columns["group"] or [0] * len(columns["user"])
    order = sorted(range(len(columns["user"])), key=lambda at: (groups[at], columns["user"][at]))
    return UserColumns(
        from_ns=max(each.from_ns for each in parts),
        every=every,
        groups=parts[0].groups,
        **{
            name: tuple(values[at] for at in order) if values else ()
            for name, values in columns.items()
        },
    )


def user_facts(users: UserColumns, group: str | None = None) -> UserFacts | None:
    """Return what the users got, of a group or of all; none where nobody asked, and where only some of
    them are told.
    """
    if users.every > 1:
        return None
    wanted = None if group is None else users.groups.index(group)
    chosen = [at for at in range(len(users.user)) if wanted is None or users.group[at] == wanted]
    answers = [float(users.answers[at]) for at in chosen]
    means = [users.mean_ns[at] for at in chosen if users.answers[at]]
    of_answers = _spread(answers)
    if of_answers is None:
        return None
    return UserFacts(
        from_ns=users.from_ns,
        users=len(chosen),
        answered=len(means),
        answers=of_answers,
        mean_service_time_ns=_spread(means),
    )


def _spread(values: Sequence[float]) -> UserSpread | None:
    """Nearest ranks, as the engine takes them."""
    if not values:
        return None
    ordered = np.sort(values)

    def at(share: float) -> float:
        return float(ordered[max(int(np.ceil(share * len(ordered))), 1) - 1])

    return UserSpread(min=at(0), p5=at(0.05), median=at(0.5), p95=at(0.95), max=at(1))
