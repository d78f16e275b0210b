"""Which site does which block: every block is done, whole, at one site, whatever is lost."""

from hypothesis import given
from hypothesis import strategies as st

from loadstone.cluster.schedule import Schedule
from loadstone.results.assignments import Assignment


def given_out(schedule: Schedule) -> dict[str, int]:
    """Give each site what it gets, and return block by site."""
    found = {site: schedule.give(site) for site in schedule.present}
    return {site: each.block for site, each in found.items() if each is not None}


def test_blocks_go_round_and_a_site_that_is_done_takes_nothing_of_the_others() -> None:
    schedule = Schedule(("a", "b", "c"), [])
    schedule.add(range(1, 6))
    assert given_out(schedule) == {"a": 1, "b": 2, "c": 3}
    for site in ("a", "c", "a"):
        schedule.done(site)
        schedule.give(site)
    assert schedule.in_hand["b"].block == 2
    assert [(each.block, each.site) for each in schedule.assignments] == [
        (1, "a"),
        (2, "b"),
        (3, "c"),
        (4, "a"),
    ]
    schedule.done("b")
    assert given_out(schedule) == {"b": 5}
    schedule.done("b")
    assert schedule.is_done


def test_what_a_lost_site_had_is_done_by_those_that_have_done_their_own() -> None:
    schedule = Schedule(("a", "b"), [])
    schedule.add(range(1, 5))
    assert given_out(schedule) == {"a": 1, "b": 2}
    in_hand = schedule.lose("b", "its lab ended")
    assert in_hand is not None
    assert in_hand.block == 2
    done = []
    while not schedule.is_done:
        done.append(schedule.in_hand["a"].block)
        schedule.done("a")
        schedule.give("a")
    assert done == [1, 3, 2, 4]
    reason = "b was lost: its lab ended"
    assert schedule.assignments[-2:] == [
        Assignment(block=2, site="a", attempt=2, reason=reason),
        Assignment(block=4, site="a", attempt=1, reason=reason),
    ]


def test_a_block_that_is_resumed_goes_on_where_it_was_begun_and_else_begins_anew() -> None:
    earlier = [Assignment(block=1, site="b", attempt=1), Assignment(block=2, site="c", attempt=1)]
    schedule = Schedule(("a", "b"), [*earlier])
    schedule.add([1, 2, 3])
    assert given_out(schedule) == {"a": 3, "b": 1}
    assert schedule.in_hand["b"] == earlier[0]
    schedule.done("a")
    assert given_out(schedule) == {"a": 2}
    assert schedule.in_hand["a"] == Assignment(
        block=2, site="a", attempt=2, reason="c is not there any more"
    )
    assert schedule.assignments[:2] == earlier


@given(
    sites=st.integers(1, 5),
    barriers=st.lists(st.integers(0, 12), min_size=1, max_size=3),
    moves=st.lists(st.tuples(st.integers(0, 4), st.booleans()), max_size=60),
)
def test_every_block_is_done_once_before_its_barrier_while_a_site_is_left(
    sites: int, barriers: list[int], moves: list[tuple[int, bool]]
) -> None:
    names = tuple("abcde"[:sites])
    schedule, steps, first = Schedule(names, []), iter(moves), 1
    done: list[tuple[int, str]] = []
    for count in barriers:
        blocks = range(first, first + count)
        first += count
        schedule.add(blocks)
        while not schedule.is_done:
            given_out(schedule)
            assert schedule.in_hand, "nobody works, and something is left"
            which, is_lost = next(steps, (0, False))
            site = schedule.present[which % len(schedule.present)]
            if is_lost and len(schedule.present) > 1:
                schedule.lose(site, "it is off")
            elif site in schedule.in_hand:
                done.append((schedule.in_hand[site].block, site))
                schedule.done(site)
            else:
                site, in_hand = next(iter(schedule.in_hand.items()))
                done.append((in_hand.block, site))
                schedule.done(site)
        assert {block for block, _ in done} == set(range(1, first))
    assert sorted(block for block, _ in done) == list(range(1, first))
    for block, site in done:
        last = schedule.last_of(block)
        assert last is not None
        assert last.site == site
        attempts = [each.attempt for each in schedule.assignments if each.block == block]
        assert attempts == list(range(1, len(attempts) + 1))
