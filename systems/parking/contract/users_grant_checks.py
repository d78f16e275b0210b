"""U16, U17 and U19: coins that are given, and what a wallet says of them."""

from functools import partial
from itertools import pairwise

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import at_once, patiently
from .lib.instants import expect_now
from .lib.objects import expect_status, object_of
from .lib.problems import expect_problem
from .lib.shapes import GRANTED, MOST_COINS, USER
from .lib.users_coins import grant, granted, new_key, wallet
from .lib.users_operations import warm
from .lib.users_rows import coins_of, put_customer, put_customers, put_events, set_coins
from .lib.users_service import (
    BRAM,
    ILO,
    MANAGER,
    MANY_SECONDS,
    NOBODY,
    PARK_MANAGER,
    SEFA,
    SERVICE,
    STARTS_SECONDS,
    SUPERVISOR,
    Caller,
    device,
    get,
    get_user,
    user_path,
)

check = partial(declare.check, service=SERVICE, operation="grant-coins", seconds=MANY_SECONDS)
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

MANY = 50
SHOWN_EVENTS = 100
MORE_EVENTS = 105


@check("U16", "a grant is 201 with how many got it, and each wallet has it as its newest event")
def grants(subject: Subject) -> None:
    users = [ILO.id, BRAM.id, SEFA.id]
    before = {user: wallet(subject, user)["coins"] for user in users}
    for amount, manager in ((30, MANAGER), (-7, Caller(77, "CUSTOMER_MANAGER")), (-23, MANAGER)):
        reason = f"a grant of {amount}"
        answer = grant(subject, users, amount, reason, manager=manager)
        object_of(answer, 201, GRANTED, "a grant", granted=len(users))
        for user in users:
            before[user] += amount
            found = wallet(subject, user)
            expect_equal(found["coins"], before[user], f"the coins of {user}")
            newest = found["events"][0]
            seen = newest["amount"], newest["reason"], newest["managerId"]
            expect_equal(seen, (amount, reason, manager.id), f"the newest event of {user}")
            expect_now(newest["at"], "at of a grant")
            shown = object_of(get_user(subject, user), 200, USER, "the user")
            expect_equal(shown["totalParkies"], before[user], f"totalParkies of {user}")


@check("U16", "only a CUSTOMER_MANAGER grants")
def roles(subject: Subject) -> None:
    before = wallet(subject, BRAM.id)
    for caller in (SUPERVISOR, PARK_MANAGER, BRAM, MANAGER.has("CUSTOMER"), device(3)):
        answer = grant(subject, [BRAM.id], manager=caller)
        expect_problem(answer, "forbidden", f"of a grant as {caller.role}")
    expect_equal(wallet(subject, BRAM.id), before, "the wallet behind it")


@check("U16", "with one id that is unknown it is 404, and nobody has changed")
def unknown_user(subject: Subject) -> None:
    before = [wallet(subject, user) for user in (BRAM.id, SEFA.id)]
    for unknown in (NOBODY, 999_999_999, 2**31, 2**32 + ILO.id):
        for users in ([unknown], [BRAM.id, unknown, SEFA.id], [unknown, BRAM.id]):
            answer = grant(subject, users, 5)
            expect_problem(answer, "not-found", f"of a grant to {users}")
    # An unknown user is told before a balance.
    answer = grant(subject, [BRAM.id, NOBODY], -1_000_000)
    expect_problem(answer, "not-found", "of taking what nobody has")
    expect_equal([wallet(subject, user) for user in (BRAM.id, SEFA.id)], before, "the wallets")


@check("U16", "with one balance that would be below 0 it is 409, and nobody has changed")
def below_zero(subject: Subject) -> None:
    granted(subject, SEFA.id, 10)
    before = {user: wallet(subject, user) for user in (BRAM.id, SEFA.id, ILO.id)}
    least = min(each["coins"] for each in before.values())
    for amount in (-least - 1, -1_000_000):
        answer = grant(subject, [*before], amount)
        expect_problem(answer, "coins", f"of {amount} coins where {least} are there")
    for user, found in before.items():
        expect_equal(wallet(subject, user), found, "a wallet behind it")
    if least > 0:
        expect_status(grant(subject, [*before], -least), 201, "taking all that one has")


@with_stand("U16", "one of several who has too little, or too many, is enough for 409")
def at_the_limits(subject: Subject) -> None:
    rich, poor, other = (row.id for row in put_customers(subject, 3, coins=10))
    set_coins(subject, rich, MOST_COINS - 5)
    set_coins(subject, poor, 4)
    for users, amount in (
        *(([other, poor], -5), ([poor, other], -5), ([rich, other], 6), ([other, rich], 6)),
        *(([other, rich], 1_000_000), ([poor], -5), ([rich], 6), ([other], -11)),
    ):
        answer = grant(subject, users, amount)
        expect_problem(answer, "coins", f"of {amount} coins to {len(users)}")
    for user, coins in ((rich, MOST_COINS - 5), (poor, 4), (other, 10)):
        found = wallet(subject, user)
        expect_equal((found["coins"], found["events"]), (coins, []), "a wallet behind it")
    for user, amount, coins in ((rich, 5, MOST_COINS), (poor, -4, 0), (other, -10, 0)):
        granted(subject, user, amount)
        expect_equal(wallet(subject, user)["coins"], coins, "a balance at its limit")


@with_stand("U16", "a hundred users are granted at once, each id once")
def hundred(subject: Subject) -> None:
    users = [row.id for row in put_customers(subject, 100)]
    answer = grant(subject, users[::-1], 3)
    object_of(answer, 201, GRANTED, "a grant to a hundred", granted=100)
    for user in (users[0], users[50], users[-1]):
        found = wallet(subject, user)
        expect_equal((found["coins"], len(found["events"])), (3, 1), f"the wallet of {user}")


@check("U17", "of 50 grants of one coin at once each is there once", seconds=STARTS_SECONDS)
def many(subject: Subject) -> None:
    warm(subject, MANY)
    before = wallet(subject, BRAM.id)
    # Each may be asked again by its key where it had to wait too long.
    calls = [
        partial(patiently, partial(grant, subject, [BRAM.id], 1, f"number {number}", key=new_key()))
        for number in range(MANY)
    ]
    for answer in at_once(calls):
        object_of(answer, 201, GRANTED, "one of 50 grants", granted=1)
    found = wallet(subject, BRAM.id)
    expect_equal(found["coins"] - before["coins"], MANY, "the coins that came")
    newest = found["events"][:MANY]
    reasons = sorted(each["reason"] for each in newest)
    expect_equal(reasons, sorted(f"number {number}" for number in range(MANY)), "the new events")
    behind = [each for each in found["events"][MANY:] if each not in before["events"]]
    expect_equal(behind, [], "further new events")


@with_stand("U17", "the sum of the events is the balance")
def sums(subject: Subject) -> None:
    warm(subject, MANY)
    one, two = put_customer(subject).id, put_customer(subject).id
    # Both directions of two rows: whoever locks them in the order of the request meets a deadlock.
    calls = [
        partial(patiently, partial(grant, subject, users, 1, key=new_key()))
        for users in ([one, two], [two, one]) * (MANY // 2)
    ]
    statuses = {answer.status for answer in at_once(calls)}
    expect_equal(statuses, {201}, "the statuses of 50 grants to two")
    for user in (one, two):
        found = wallet(subject, user)
        expect_equal((found["coins"], len(found["events"])), (MANY, MANY), "coins and events")
        expect_equal(sum(each["amount"] for each in found["events"]), MANY, "the sum of events")
        expect_equal(coins_of(subject, user), MANY, "the coins of the row")


@check("U19", "a wallet is the user's and a CUSTOMER_MANAGER's")
def whose(subject: Subject) -> None:
    own = wallet(subject, SEFA.id, SEFA)
    expect_equal(wallet(subject, SEFA.id, MANAGER), own, "the wallet as the manager sees it")
    expect_equal(wallet(subject, SEFA.id, device(SEFA.id)), own, "the own wallet as a device")
    for caller in (BRAM, SUPERVISOR, PARK_MANAGER, device(BRAM.id)):
        answer = get(subject, user_path(SEFA.id, "/coins"), caller)
        expect_problem(answer, "forbidden", f"of another's wallet as {caller.role}")


@with_stand("U19", "a wallet has the newest 100 events, the newest first, and none of another")
def newest(subject: Subject) -> None:
    one, other = put_customer(subject).id, put_customer(subject).id
    found = wallet(subject, one)
    expect_equal((found["coins"], found["events"]), (0, []), "a new wallet")
    put_events(subject, one, MORE_EVENTS)
    put_events(subject, other, 2)
    found = wallet(subject, one)
    reasons = [each["reason"] for each in found["events"]]
    wanted = [str(number) for number in range(MORE_EVENTS, MORE_EVENTS - SHOWN_EVENTS, -1)]
    expect_equal(reasons, wanted, "the reasons of the events")
    expect_equal(found["coins"], MORE_EVENTS, "the coins")
    ids = [each["id"] for each in found["events"]]
    expect(all(one > two for one, two in pairwise(ids)), f"the ids are {ids[:5]}")
    expect_equal(len(wallet(subject, other)["events"]), 2, "the events of another")
