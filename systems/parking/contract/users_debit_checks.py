"""U21 and U53: coins that another service takes."""

from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import at_once, patiently
from .lib.instants import expect_now
from .lib.objects import JSON, compact
from .lib.problems import expect_problem
from .lib.users_coins import (
    debit,
    debit_body,
    granted,
    new_reference,
    taken_of,
    wallet,
)
from .lib.users_operations import warm
from .lib.users_rows import put_customer
from .lib.users_service import (
    BRAM,
    DEBITS,
    ILO,
    INTERNAL,
    INTERNAL_KEY,
    MANY_SECONDS,
    NOBODY,
    SEFA,
    SERVICE,
    STARTS_SECONDS,
    SUPERVISOR,
    ask,
)

check = partial(declare.check, service=SERVICE, seconds=MANY_SECONDS)
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

KEY = INTERNAL[0]
NO_KEYS = (
    *("", "x", INTERNAL_KEY[:-1], f"{INTERNAL_KEY}x", INTERNAL_KEY.upper(), INTERNAL_KEY[::-1]),
    *(f"{INTERNAL_KEY},{INTERNAL_KEY}", f"Bearer {INTERNAL_KEY}", f"{INTERNAL_KEY[:-1]}t"),
)
MANY = 50
COINS = 30
SAME = 20


@check("U21", "a debit is 200 with what it took, and the same reference takes nothing more")
def once(subject: Subject) -> None:
    granted(subject, SEFA.id, 40)
    before = wallet(subject, SEFA.id)
    reference = new_reference()
    # What was taken then is answered, whatever is asked for now.
    for most in (12, 12, 1, 0, 1_000_000):
        answer = debit(subject, SEFA.id, most, reference)
        expect_equal(taken_of(answer, "a debit"), 12, f"what is taken by one reference, at {most}")
    found = wallet(subject, SEFA.id)
    expect_equal(before["coins"] - found["coins"], 12, "the coins that went")
    event = found["events"][0]
    seen = event["amount"], event["reason"], event["managerId"]
    expect_equal(seen, (-12, "debit", None), "the event of a debit")
    expect_now(event["at"], "at of a debit")
    expect_equal(found["events"][1:], before["events"][: len(found["events"]) - 1], "other events")


@check("U21", "without the key, with another, and with two, it is 403, whoever asks")
def keys(subject: Subject) -> None:
    before = wallet(subject, SEFA.id)
    body = compact(debit_body(SEFA.id, new_reference(), 1))
    wrong: list[list[tuple[str, str]]] = [
        *([], [INTERNAL, INTERNAL], [INTERNAL, (KEY, "x")], [(KEY, "x"), INTERNAL]),
        *([("Authorization", f"Bearer {INTERNAL_KEY}")], [("X-Internal", INTERNAL_KEY)]),
        *([(KEY, each)] for each in NO_KEYS),
    ]
    for fields in wrong:
        for caller in (None, SUPERVISOR):
            answer = ask(subject, "POST", DEBITS, caller, JSON, *fields, body=body)
            expect_problem(answer, "forbidden", f"of a debit with {fields}")
    expect_equal(wallet(subject, SEFA.id), before, "the wallet behind it")
    answer = ask(subject, "POST", DEBITS, None, JSON, (KEY.lower(), INTERNAL_KEY), body=body)
    taken_of(answer, "a debit whose field is in small letters")


@with_stand("U21", "50 debits at once take what is there, and no more")
def many(subject: Subject) -> None:
    warm(subject, MANY)
    user = put_customer(subject).id
    granted(subject, user, COINS)
    calls = [
        partial(patiently, partial(debit, subject, user, 1, new_reference())) for _ in range(MANY)
    ]
    taken = [taken_of(answer, "one of 50 debits") for answer in at_once(calls)]
    expect_equal(sorted(taken), [0] * (MANY - COINS) + [1] * COINS, "what they took")
    found = wallet(subject, user)
    expect_equal(found["coins"], 0, "the coins behind it")
    amounts = sorted(each["amount"] for each in found["events"])
    expect_equal(amounts, [-1] * COINS + [0] * (MANY - COINS) + [COINS], "the events")


@with_stand("U21", "20 debits at once by one reference have one effect, and one answer")
def one_reference(subject: Subject) -> None:
    warm(subject, SAME)
    user, reference = put_customer(subject).id, new_reference()
    granted(subject, user, COINS)
    call = partial(patiently, partial(debit, subject, user, 7, reference))
    taken = {taken_of(answer, "one of 20 debits") for answer in at_once([call] * SAME)}
    expect_equal(taken, {7}, "what they took")
    expect_equal(wallet(subject, user)["coins"], COINS - 7, "the coins behind it")


@check("U53", "a debit beyond the balance takes what is there, and 0 of nothing")
def beyond(subject: Subject) -> None:
    granted(subject, ILO.id, 5)
    there = wallet(subject, ILO.id)["coins"]
    asked = ((there + 1, there), (1, 0), (1_000_000, 0), (0, 0))
    for most, wanted in asked:
        reference = new_reference()
        for _ in range(2):
            answer = debit(subject, ILO.id, most, reference)
            expect_equal(taken_of(answer, f"a debit of {most}"), wanted, f"what {most} took")
    found = wallet(subject, ILO.id)
    expect_equal(found["coins"], 0, "the coins behind it")
    # Each of them is an event, once, the newest first.
    newest = [(each["amount"], each["reason"]) for each in found["events"][: len(asked)]]
    wanted_events = [(-taken, "debit") for _, taken in reversed(asked)]
    expect_equal(newest, wanted_events, "the newest events")


@check("U53", "a debit of nothing from what is there is an event of 0")
def of_nothing(subject: Subject) -> None:
    granted(subject, BRAM.id, 3)
    before = wallet(subject, BRAM.id)
    expect_equal(taken_of(debit(subject, BRAM.id, 0), "a debit of 0"), 0, "what it took")
    found = wallet(subject, BRAM.id)
    expect_equal(found["coins"], before["coins"], "the coins behind it")
    expect_equal(found["events"][0]["amount"], 0, "the amount of the event")
    expect(found["events"][0] != before["events"][0], "there is no event of it")


@check("U53", "an unknown user is 404, and its reference is free")
def unknown_user(subject: Subject) -> None:
    for user in (NOBODY, 999_999_999, 2**31, 2**32 + BRAM.id):
        reference = new_reference()
        answer = debit(subject, user, 1, reference)
        expect_problem(answer, "not-found", f"of a debit from {user}")
        taken_of(debit(subject, BRAM.id, 0, reference), "a debit by its reference")


@check("U53", "a reference of another user is 422, and takes nothing")
def reference_of_another(subject: Subject) -> None:
    granted(subject, SEFA.id, 5)
    reference = new_reference()
    taken_of(debit(subject, BRAM.id, 0, reference), "a debit")
    before = wallet(subject, SEFA.id)
    for _ in range(2):
        answer = debit(subject, SEFA.id, 1, reference)
        expect_problem(answer, "idempotency-mismatch", "of a reference that another has")
    # Which of the two is told of nobody, the rules of order and the statements say differently.
    answer = debit(subject, NOBODY, 1, reference)
    expect(answer.status in (404, 422), f"the status of nobody's is {answer.status}")
    expect_equal(wallet(subject, SEFA.id), before, "the wallet behind it")


@with_stand("U53", "of two users who get one reference at once one has it")
def rivals(subject: Subject) -> None:
    warm(subject, SAME)
    for _ in range(5):
        users, reference = [put_customer(subject, coins=5).id for _ in range(4)], new_reference()
        calls = [partial(patiently, partial(debit, subject, user, 2, reference)) for user in users]
        answers = at_once(calls)
        statuses = sorted(answer.status for answer in answers)
        expect_equal(statuses, [200, 422, 422, 422], "the statuses of one reference")
        for user, answer in zip(users, answers, strict=True):
            if answer.status == 422:
                expect_problem(answer, "idempotency-mismatch", "of a reference that was just taken")
            coins = wallet(subject, user)["coins"]
            expect_equal(coins, 3 if answer.status == 200 else 5, "the coins of each")
