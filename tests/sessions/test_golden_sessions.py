"""What the sessions of the five groups of a booking service send: three users, four sessions each.

Session n of a group sends the same bytes for the same plan, seed, run and answers. `python -m
test_golden_sessions` in this folder writes the files anew.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from model import Ended, Session

from booking import answer, plan_of, shown

GOLDEN = Path(__file__).parent / "golden"
GROUPS = ("adders", "bookers", "browsers", "raters", "deciders")
USERS, SESSIONS = 3, 4


def lines(group: str) -> Iterator[str]:
    with plan_of("load") as plan:
        index = [each["group"] for each in plan["groups"]].index(group)
        for user in range(USERS):
            before = None
            for turn in range(SESSIONS):
                session = Session(plan, index, turn * USERS + user, user=user, after=before)
                yield f"user {user}, session {session.number}"
                requests = session.requests(answer)
                ended = None
                while ended is None:
                    try:
                        yield f"  {shown(next(requests))}"
                    except StopIteration as end:
                        ended = end.value
                assert ended == Ended("finished")
                before = session


def text(group: str) -> str:
    return "".join(f"{line}\n" for line in lines(group))


@pytest.mark.parametrize("group", GROUPS)
def test_sessions_send_what_they_sent_before(group: str) -> None:
    assert text(group) == (GOLDEN / f"{group}.txt").read_text()


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name in GROUPS:
        (GOLDEN / f"{name}.txt").write_text(text(name))
    sys.stderr.write(f"wrote {GOLDEN}\n")
