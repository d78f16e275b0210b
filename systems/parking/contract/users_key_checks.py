"""U18: keys by which a grant can be asked for again."""

from functools import partial
from hashlib import sha256
from secrets import token_hex

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.at_once import at_once, patiently
from .lib.database import hand_of
from .lib.objects import JSON, compact, expect_status, object_of
from .lib.problems import expect_invalid, expect_problem
from .lib.shapes import GRANTED
from .lib.users_coins import KEY, REPLAYED, grant, grant_body, granted, new_key, wallet
from .lib.users_members import BEYOND
from .lib.users_operations import warm
from .lib.users_rows import put_customer
from .lib.users_service import (
    BRAM,
    COINS,
    ILO,
    MANAGER,
    MANY_SECONDS,
    NOBODY,
    SEFA,
    SERVICE,
    STARTS_SECONDS,
    ask,
)

check = partial(declare.check, service=SERVICE, operation="grant-coins", seconds=MANY_SECONDS)
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

NO_KEYS = (
    *("", "k" * 15, "k" * 65, "k" * 1000, "k" * 15 + "_", "k" * 15 + ".", "k" * 8 + " " + "k" * 8),
    *("k" * 15 + "é", "k" * 15 + "/", f'"{"k" * 16}"', "k" * 16 + ",", "k" * 8 + ", " + "k" * 8),
    *("k" * 16 + "\xa0", "k" * 15 + "\xb2"),
)
"""Bytes beyond ASCII are sent as one each; the last is a digit to some libraries."""
MANY = 20
TIMES = 3


@check("U18", "the same key and body is the same 201, which says that it is given again")
def replays(subject: Subject) -> None:
    before = wallet(subject, BRAM.id)["coins"]
    for key in (_key(16), _key(64), _key(16).upper(), "-" * 8 + _key(20), new_key()):
        first = grant(subject, [BRAM.id, SEFA.id], 2, key=key)
        object_of(first, 201, GRANTED, "a grant", granted=2)
        expect_equal(first.values(REPLAYED), (), f"{REPLAYED} of the first")
        for _ in range(2):
            _expect_replayed(grant(subject, [BRAM.id, SEFA.id], 2, key=key), first)
        before += 2
        expect_equal(wallet(subject, BRAM.id)["coins"], before, "the coins behind it")


@check("U18", "the same values are the same body, however they are written")
def same_bodies(subject: Subject) -> None:
    key, reason = new_key(), 'é "quoted" '
    first = grant(subject, [ILO.id], 1, reason, key=key)
    expect_status(first, 201, "a grant")
    texts = (
        b' {\n"amount":1,"reason":"\\u00e9 \\"quoted\\" ","userIds":[ %d ]\t}\r\n' % ILO.id,
        compact({"reason": reason, "userIds": [ILO.id], "amount": 1}),
    )
    for body in texts:
        _expect_replayed(_send(subject, body, (KEY, key)), first)
        _expect_replayed(_send(subject, body, (KEY.lower(), key)), first)


@check("U18", "another body by the same key is 422, and changes nothing")
def other_bodies(subject: Subject) -> None:
    key = new_key()
    first = grant(subject, [BRAM.id, SEFA.id], 2, "a", key=key)
    expect_status(first, 201, "a grant")
    before = wallet(subject, BRAM.id)
    for users, amount, reason in (
        *(([BRAM.id, SEFA.id], 3, "a"), ([BRAM.id, SEFA.id], -2, "a"), ([BRAM.id], 2, "a")),
        *(([SEFA.id, BRAM.id], 2, "a"), ([BRAM.id, SEFA.id], 2, "A"), ([BRAM.id, ILO.id], 2, "a")),
        *(([BRAM.id, SEFA.id], 2, "a "), ([BRAM.id, SEFA.id, ILO.id], 2, "a")),
        # Neither is looked for once the key is known to be used.
        *(([NOBODY], 2, "a"), ([BRAM.id], -1_000_000, "a")),
    ):
        answer = grant(subject, users, amount, reason, key=key)
        what = f"of {amount} to {users} for {reason!r} by a key that was used"
        expect_problem(answer, "idempotency-mismatch", what)
    expect_equal(wallet(subject, BRAM.id), before, "the wallet behind it")
    _expect_replayed(grant(subject, [BRAM.id, SEFA.id], 2, "a", key=key), first)


@check("U18", "keys are compared to the letter")
def other_keys(subject: Subject) -> None:
    key = f"a{_key(20)}"
    before = wallet(subject, ILO.id)["coins"]
    for other in (key, key.upper(), f"{key}-", key[:-1]):
        answer = grant(subject, [ILO.id], 1, key=other)
        object_of(answer, 201, GRANTED, "a grant by another key", granted=1)
        expect_equal(answer.values(REPLAYED), (), f"{REPLAYED} by the key {other}")
    expect_equal(wallet(subject, ILO.id)["coins"], before + 4, "the coins behind it")


@check("U18", "a key that is missing, there twice, or of another form is 400")
def no_keys(subject: Subject) -> None:
    before = wallet(subject, BRAM.id)
    body, key = compact(grant_body([BRAM.id])), new_key()
    for fields in ([], [(KEY, key), (KEY, key)], [(KEY, key), (KEY, new_key())]):
        answer = _send(subject, body, *fields)
        expect_problem(answer, "malformed", f"of a grant with {len(fields)} keys")
    for wrong in NO_KEYS:
        answer = _send(subject, body, (KEY, wrong))
        expect_problem(answer, "malformed", f"of the key {wrong[:70]!r}")
    expect_equal(wallet(subject, BRAM.id), before, "the wallet behind it")


@check("U18", "a key whose grant was refused is free")
def free_again(subject: Subject) -> None:
    granted(subject, BRAM.id, 1)
    key = new_key()
    expect_problem(grant(subject, [BRAM.id, NOBODY], key=key), "not-found", "of nobody")
    expect_problem(grant(subject, [BRAM.id], -1_000_000, key=key), "coins", "of too many coins")
    expect_invalid(grant(subject, [BRAM.id], 0, key=key), ("/amount", "range"))
    answer = grant(subject, [BRAM.id], 1, key=key, manager=BRAM)
    expect_problem(answer, "forbidden", "of a grant by a customer")
    first = grant(subject, [BRAM.id], 1, key=key)
    object_of(first, 201, GRANTED, "a grant by a key that is free", granted=1)
    expect_equal(first.values(REPLAYED), (), f"{REPLAYED} of the first that was done")
    _expect_replayed(grant(subject, [BRAM.id], 1, key=key), first)


@check("U18", "20 at once by one key have one effect, and the same body")
def at_the_same_time(subject: Subject) -> None:
    warm(subject, MANY)
    for _ in range(TIMES):
        before = wallet(subject, SEFA.id)["coins"]
        key = new_key()
        call = partial(patiently, partial(grant, subject, [SEFA.id], 5, "at once", key=key))
        answers = at_once([call] * MANY)
        for answer in answers:
            object_of(answer, 201, GRANTED, "one of 20 grants by one key", granted=1)
        replayed = sum(answer.values(REPLAYED) == ("true",) for answer in answers)
        firsts = sum(answer.values(REPLAYED) == () for answer in answers)
        # One that was told 503 may have been done, and all others be replays then.
        expect(replayed >= MANY - 1, f"{replayed} of {MANY} are given again")
        expect_equal(replayed + firsts, MANY, f"the answers whose {REPLAYED} is right")
        expect_equal(wallet(subject, SEFA.id)["coins"], before + 5, "the coins behind it")


@with_stand("U18", "the key is stored with digest and answer, once, and not what was refused")
def stored(subject: Subject) -> None:
    one, two = put_customer(subject).id, put_customer(subject).id
    hand = hand_of(subject)
    for users, amount, reason in (
        ([two, one], 7, f"é {BEYOND}|x"),
        ([one], -3, "back"),
    ):
        key = new_key()
        answer = grant(subject, users, amount, reason, key=key)
        expect_status(answer, 201, "a grant")
        text = f"{amount}|{','.join(map(str, users))}|{reason}"
        rows = hand.execute(
            "SELECT operation, digest, status, body FROM idempotency WHERE key = %s", (key,)
        )
        found = [(operation, bytes(digest), *rest) for operation, digest, *rest in rows]
        digest = sha256(text.encode()).digest()
        wanted = [("grant-coins", digest, 201, answer.body.decode())]
        expect_equal(found, wanted, "the row of a key")
        expect_status(grant(subject, users, amount, reason, key=key), 201, "the grant again")
    refused = new_key()
    expect_problem(grant(subject, [NOBODY], key=refused), "not-found", "of nobody")
    rows = hand.execute("SELECT key FROM idempotency WHERE key = %s", (refused,))
    expect_equal(rows, [], "the rows of a key whose grant was refused")


def _key(length: int) -> str:
    """A new key of a length."""
    return token_hex(32)[:length]


def _send(subject: Subject, body: bytes, *fields: tuple[str, str]) -> Answer:
    return ask(subject, "POST", COINS, MANAGER, JSON, *fields, body=body)


def _expect_replayed(answer: Answer, first: Answer) -> None:
    expect_status(answer, 201, "the same grant again")
    expect_equal(answer.body, first.body, "the body of the same grant again")
    expect_equal(answer.values(REPLAYED), ("true",), f"{REPLAYED} of the same grant again")
    expect_equal(answer.values("content-type"), first.values("content-type"), "its Content-Type")
