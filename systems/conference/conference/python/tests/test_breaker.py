import pytest

from conference.breaker import OPEN_SECONDS, Breaker
from conference.problem import Problem


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def attempt(breaker: Breaker, *, has_failed: bool, times: int = 1) -> None:
    for _ in range(times):
        with breaker.attempt() as made:
            made.has_failed = has_failed


def refuses(breaker: Breaker) -> bool:
    """Whether it refuses an attempt, which is given up where it does not."""
    try:
        with breaker.attempt():
            return False
    except Problem as problem:
        return str(problem) == "country-open"


def opened(clock: Clock) -> Breaker:
    breaker = Breaker(clock)
    attempt(breaker, has_failed=True, times=10)
    return breaker


def test_ten_of_the_last_twenty_open_it() -> None:
    breaker = Breaker(Clock())
    attempt(breaker, has_failed=True, times=9)
    attempt(breaker, has_failed=False, times=11)
    # The first nine are not among the last twenty any more.
    attempt(breaker, has_failed=True, times=9)
    assert not refuses(breaker)
    attempt(breaker, has_failed=True)
    assert refuses(breaker)


def test_after_its_time_one_attempt_decides() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now = OPEN_SECONDS - 0.001
    assert refuses(breaker)
    clock.now = OPEN_SECONDS
    with breaker.attempt() as trial:
        assert refuses(breaker)
        trial.has_failed = False
    attempt(breaker, has_failed=True, times=9)
    assert not refuses(breaker)


def test_one_that_fails_then_keeps_it_open_for_as_long_again() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now = OPEN_SECONDS
    attempt(breaker, has_failed=True)
    clock.now = 2 * OPEN_SECONDS - 0.001
    assert refuses(breaker)
    clock.now = 2 * OPEN_SECONDS
    assert not refuses(breaker)


def test_an_attempt_that_is_given_up_lets_another_one_try() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now = OPEN_SECONDS
    with pytest.raises(KeyboardInterrupt), breaker.attempt():
        raise KeyboardInterrupt
    assert not refuses(breaker)


def test_attempts_that_began_before_it_opened_tell_nothing() -> None:
    breaker = Breaker(Clock())
    with breaker.attempt() as early:
        attempt(breaker, has_failed=True, times=10)
        early.has_failed = False
    assert refuses(breaker)
