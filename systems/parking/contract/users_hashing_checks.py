"""U39: whom a hash holds up."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect
from loadstone.contract.subject import Subject

from .lib.at_once import timed
from .lib.clock import expect_speed, undisturbed
from .lib.objects import expect_status
from .lib.users_accounts import SEED_EMAILS, create, log_in
from .lib.users_operations import warm
from .lib.users_service import SERVICE, STARTS_SECONDS, list_users

check = partial(declare.check, service=SERVICE, needs_stand=True, seconds=STARTS_SECONDS)

HASHERS = 8
ROUNDS = 2
"""A hash of cost 10 is short: so many are asked for by each, one after the other."""
LIST_SECONDS, LIST_HASHES = 1.0, 3
"""The longer one of a second and of the time of so many hashes."""
MOST_LATE = 0.1
"""Of all lists: one among many is held up by the machine, and not one of the few beside a hash."""


@check("U39", "while 8 passwords are hashed, a list is answered")
def lists_beside_hashes(subject: Subject) -> None:
    warm(subject, HASHERS)
    undisturbed(partial(_expect_lists, subject))


@check("U39", "with one connection, too: no hash holds it")
def with_one_connection(subject: Subject) -> None:
    with subject.stand.restarted({"POOL_SIZE": "1"}) as other:
        warm(other, HASHERS)
        expect_status(create(other), 201, "a user")
        undisturbed(partial(_expect_lists, other))


def _expect_lists(subject: Subject) -> None:
    alone = min(timed(partial(create, subject))[1] for _ in range(2))
    most = max(LIST_SECONDS, LIST_HASHES * alone)
    kinds: dict[str, tuple[int, Callable[[], Answer]]] = {
        "users that are created": (201, partial(create, subject)),
        "logins": (200, partial(log_in, subject, SEED_EMAILS[4])),
        "logins of nobody": (401, partial(log_in, subject, "nobody@park.example")),
    }
    for what, (status, call) in kinds.items():
        with ThreadPoolExecutor(HASHERS) as pool:
            hashing = [pool.submit(call) for _ in range(ROUNDS * HASHERS)]
            taken: list[float] = []
            while not all(each.done() for each in hashing):
                answer, seconds = timed(partial(list_users, subject))
                expect_speed(answer.status == 200, f"a list beside {what} is {answer.status}")
                taken.append(seconds)
        for each in hashing:
            answer = each.result()
            expect_speed(answer.status == status, f"one of {HASHERS} {what} is {answer.status}")
        expect(len(taken) > 1, f"no list was answered beside {HASHERS} {what}")
        late = sum(seconds > most for seconds in taken)
        shown = f"{late} of {len(taken)} lists beside {HASHERS} {what} took over {most:.2f} s"
        expect_speed(late <= MOST_LATE * len(taken), f"{shown}, up to {max(taken):.2f} s")
