"""Counts of a database over some time."""

from loadstone.results.database_work import DatabaseWork

EARLIER = DatabaseWork(
    select=1,
    insert=2,
    update=3,
    delete=4,
    other_commands=5,
    rows_read=6,
    rows_sent=7,
    connections=8,
    lock_waits=9,
    deadlocks=10,
    wal_bytes=11,
)


def test_statements_are_the_four_kinds_together() -> None:
    assert EARLIER.statements == 1 + 2 + 3 + 4


def test_what_came_since_is_the_difference_of_each_count() -> None:
    later = EARLIER.model_copy(update={"select": 101, "rows_sent": 607, "deadlocks": 11})
    nothing = EARLIER.minus(EARLIER)
    assert set(nothing.model_dump().values()) == {0}
    expected = nothing.model_copy(update={"select": 100, "rows_sent": 600, "deadlocks": 1})
    assert later.minus(EARLIER) == expected


def test_what_one_of_both_does_not_tell_is_not_told() -> None:
    for name in ("rows_read", "wal_bytes"):
        silent = EARLIER.model_copy(update={name: None})
        for earlier, later in ((silent, EARLIER), (EARLIER, silent), (silent, silent)):
            assert later.minus(earlier).model_dump()[name] is None
