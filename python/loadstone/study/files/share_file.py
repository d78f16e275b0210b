"""Users or a rate at the top of a workload's file, dealt among its groups by share."""

from collections.abc import Sequence
from math import fsum, isclose

from loadstone.study.files.arrivals_file import RawRate, RawStages, rate_of, users_of
from loadstone.study.files.group_file import GroupKeys, RawGroup, RawGroupKeys
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.values.arrivals import Rate, Users
from loadstone.study.values.dealt import dealt_rate, dealt_users

EXAMPLE = "write `users: 50`, or `rate: {per_second: 1000, connections: 50}`"


def arrivals_of(
    source: YamlFile,
    top: RawGroupKeys,
    each_group: RawGroupKeys | None,
    groups: Sequence[tuple[RawGroup, GroupKeys]],
    room_ns: int,
) -> list[Users | Rate]:
    """How the sessions of each group begin, in stages that have so long. Raises InputError."""
    shared = [key for key in ("users", "rate") if getattr(top, key) is not None]
    if not shared:
        for raw, keys in groups:
            if raw.share is not None:
                raise source.error(
                    (*keys.at, "share"),
                    "needs users or rate at the top",
                    "write one there, or take share out",
                )
        return [own_arrivals(source, keys, room_ns) for _, keys in groups]
    if each_group is not None:
        _judge_beside(source, shared[0], "in each_group", each_group)
    for raw, _ in groups:
        _judge_beside(source, shared[0], f"in group {raw.group}", raw)
    latest_ns = max(_judge_start(source, keys, room_ns) for _, keys in groups)
    arrivals = _typed(source, (), top.users, top.rate, room_ns - latest_ns)
    shares = _shares(source, groups)
    if isinstance(arrivals, Users):
        users = dealt_users(arrivals, shares)
        _judge_dealt(source, groups, users)
        return list(users)
    if arrivals.connections < len(groups):
        raise source.error(
            ("rate", "connections"),
            f"must be {len(groups)} or more, not {arrivals.connections}: each group has one at least",
            f"write {len(groups)} or more",
        )
    return list(dealt_rate(arrivals, shares))


def own_arrivals(source: YamlFile, keys: GroupKeys, room_ns: int) -> Users | Rate:
    """How the sessions of a group begin that says so itself. Raises InputError."""
    start_ns = _judge_start(source, keys, room_ns)
    for at, raw in keys.places:
        if raw.users is not None or raw.rate is not None:
            return _typed(source, at, raw.users, raw.rate, room_ns - start_ns)
    raise source.error(keys.at, "users or rate is missing", EXAMPLE)


def _typed(
    source: YamlFile,
    at: KeyPath,
    users: int | RawStages | None,
    rate: RawRate | None,
    room_ns: int,
) -> Users | Rate:
    if users is not None and rate is not None:
        raise source.error(
            (*at, "rate"), "users and rate exclude each other", "keep users or rate, not both"
        )
    if users is not None:
        return users_of(source, (*at, "users"), users, room_ns)
    assert rate is not None, "one of the two is there"
    return rate_of(source, (*at, "rate"), rate, room_ns)


def _judge_beside(source: YamlFile, key: str, where: str, raw: RawGroupKeys) -> None:
    """Refuse users or a rate at the top and elsewhere. Raises InputError."""
    if raw.users is not None or raw.rate is not None:
        raise source.error(
            (key,), f"stands here and {where}", f"keep it here, dealt by share, or {where}"
        )


def _shares(source: YamlFile, groups: Sequence[tuple[RawGroup, GroupKeys]]) -> list[float]:
    given = [raw.share for raw, _ in groups if raw.share is not None]
    if not given:
        return [1 / len(groups)] * len(groups)
    for raw, keys in groups:
        if raw.share is None:
            raise source.error(keys.at, "share is missing, and other groups have one", "write it")
    whole = fsum(given)
    if not isclose(whole, 1.0, abs_tol=1e-9):
        raise source.error(
            (*groups[-1][1].at, "share"),
            f"come to {whole * 100:.10g} %, not 100 %",
            "make the shares of all groups come to 100%",
        )
    return given


def _judge_dealt(
    source: YamlFile, groups: Sequence[tuple[RawGroup, GroupKeys]], dealt: Sequence[Users]
) -> None:
    """Refuse a group that no user is left for. Raises InputError."""
    for (raw, keys), users in zip(groups, dealt, strict=True):
        if not users.highest:
            raise source.error(
                keys.at if raw.share is None else (*keys.at, "share"),
                f"leaves no user for group {raw.group}",
                "write more users at the top, or give the group a larger share",
            )


def _judge_start(source: YamlFile, keys: GroupKeys, room_ns: int) -> int:
    start_ns: int = keys.value("start_after") or 0
    if start_ns >= room_ns:
        raise source.error(
            keys.find("start_after")[0],
            "begins after the load has ended",
            "begin earlier, or lengthen the duration",
        )
    return start_ns
