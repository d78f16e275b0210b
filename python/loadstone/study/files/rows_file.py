"""Whether feeds whose rows are taken once have enough of them, and who shares them."""

from math import ceil, sqrt

from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.values.arrivals import Rate
from loadstone.study.values.feeds import Feed, FileRows
from loadstone.study.values.groups import Group
from loadstone.study.values.model import Workload

CHANCE = 4
"""Standard deviations above its mean that a Poisson process has rows for: one in 30,000 has more."""


def judge_rows(source: YamlFile, workload: Workload, most_ns: int) -> None:
    """Refuse a feed that runs out, or that two groups take the same rows of. Raises InputError."""
    once = [
        (group, feed) for group in workload.groups for feed in group.feeds if feed.take == "once"
    ]
    for group, feed in once:
        _judge_enough(source, workload, group, feed, most_ns)
    for position, (group, feed) in enumerate(once):
        for other, earlier in once[:position]:
            if other is not group and _overlap(feed, earlier):
                raise source.error(
                    _place(source, workload, group, feed),
                    f"{_name(feed)} is taken once by {other.group} and {group.group}",
                    "give each of them rows of its own, by `rows`",
                )


def rows_for(workload: Workload, group: Group, feed: Feed) -> int:
    """How many rows each user has for itself of a feed that is taken once, at least."""
    return feed.source.rows // (group.connections * workload.streams)


def _judge_enough(
    source: YamlFile, workload: Workload, group: Group, feed: Feed, most_ns: int
) -> None:
    rows, place = feed.source.rows, _place(source, workload, group, feed)
    if not isinstance(group.arrivals, Rate):
        users = group.connections * workload.streams
        if rows < users:
            raise source.error(
                place,
                f"feed {feed.feed} has {rows} rows for {users} users",
                "give it a row for each user at least, or take the rows in_turn",
            )
        return
    begun = group.arrivals.until(max(0, most_ns - group.start_ns))
    if group.arrivals.poisson:
        begun += CHANCE * sqrt(begun)
    if rows < ceil(begun - 1e-6):
        raise source.error(
            place,
            f"the rate begins {ceil(begun - 1e-6)} sessions, the feed has {rows} rows",
            "give it a row for each session, or take the rows in_turn",
        )


def _overlap(feed: Feed, other: Feed) -> bool:
    one, two = feed.source, other.source
    if not (isinstance(one, FileRows) and isinstance(two, FileRows)):
        return False
    return one.file == two.file and one.first <= two.last and two.first <= one.last


def _name(feed: Feed) -> str:
    return feed.source.name if isinstance(feed.source, FileRows) else feed.feed


def _place(source: YamlFile, workload: Workload, group: Group, feed: Feed) -> KeyPath:
    position = workload.groups.index(group)
    places: tuple[KeyPath, ...] = (
        ("feed", feed.feed, "take"),
        ("groups", position, "feed", feed.feed, "take"),
        ("each_group", "feed", feed.feed, "take"),
    )
    return next((place for place in places if place in source.lines), places[0])
