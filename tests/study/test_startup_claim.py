"""What a stack's log says of its own start-up time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.study.systems.startup_claim import claimed_ns, is_claim


@pytest.mark.parametrize(
    ("claim", "log", "expected"),
    [
        ("Started in {seconds} seconds", "x\nStarted in 1.234 seconds (JVM)\n", 1_234_000_000),
        ("after {milliseconds} ms", "listening after 34 ms\nafter 99 ms", 34_000_000),
        ("up ({seconds}s)", "up (2s)", 2_000_000_000),
        ("after {milliseconds} ms", "listening after a while", None),
        ("after {milliseconds} ms", "", None),
    ],
)
def test_the_first_time_in_the_words_of_the_claim_is_taken(
    claim: str, log: str, expected: int | None
) -> None:
    assert claimed_ns(claim, log) == expected


@pytest.mark.parametrize("text", ["started", "{seconds} {milliseconds}", "{minutes}", "{seconds"])
def test_a_claim_has_exactly_one_known_unit(text: str) -> None:
    assert not is_claim(text)


@given(log=st.text())
def test_no_log_breaks_it(log: str) -> None:
    found = claimed_ns("in {seconds} s", log)
    assert found is None or found >= 0
