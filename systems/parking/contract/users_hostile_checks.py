"""U22 and U33: texts that are meant to do harm, and bytes that are none."""

from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect_equal
from loadstone.contract.subject import Subject

from .lib.database import hand_of
from .lib.objects import compact, expect_status, object_of
from .lib.problems import expect_invalid, expect_problem
from .lib.shapes import GRANTED, USER
from .lib.users_accounts import create, created, log_in
from .lib.users_coins import debit, grant, new_reference, taken_of, wallet
from .lib.users_members import BEYOND, MEMBERS
from .lib.users_rows import put_customer
from .lib.users_service import (
    BRAM,
    ILO,
    MANY_SECONDS,
    SERVICE,
    STARTS_SECONDS,
    get_user,
)
from .lib.users_writings import WRITINGS

check = partial(declare.check, service=SERVICE, seconds=MANY_SECONDS)
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

ATTACKS = (
    *("' OR 1=1 --", "'; DROP TABLE vehicle; --", "\\'", "$1", "${7*7}", "' OR '1'='1", "\\'; --"),
    *('"', "\\", "%", "_%", "{{7*7}}", "<b>&amp;</b>", "?", ":id", "%27", "%s", "%(a)s", "{}"),
    *("x' UNION SELECT password_hash FROM app_user --", "$$; DROP TABLE vehicle; $$", "#{7*7}"),
    *("'||pg_sleep(9)||'", "E'\\\\''", "\N{FULLWIDTH APOSTROPHE}", "${jndi:ldap://x.invalid/a}"),
    *("null", "undefined", "__proto__", "../../etc/passwd", "=1+1", "\\u0027", "&#39;", "`id`"),
)
NOT_UTF_8 = (
    *(b"\xbf\x27", b"\xc0\xa7", b"\xc0\x80", b"\xe0\x80\xa7", b"\xf0\x80\x80\xa7", b"\xed\xa0\x80"),
    *(b"\xff", b"\xc3", b"\xf4\x90\x80\x80", b"\x80", b"\xed\xa0\x81\xed\xb0\x80", b"\xe2\x82"),
)
"""A quote behind a byte of GBK, then overlong forms, half a pair, and what UTF-8 does not have."""
LONE = (
    *(b"\\ud800", b"\\udc00", b"\\ud800a", b"\\udc00\\ud800", b"\\ud834\\ud834"),
    b"\\uD834\\u0041",
)
NUL_CODES = {
    **dict.fromkeys(("firstName", "lastName", "email", "password"), "characters"),
    **dict.fromkeys(("reason", "reference"), "characters"),
    "licensePlateNumber": "format",
}
"""Of U+0000 among right characters; a word of a list is another word with it."""
GOOD = {"email": "a@park.example", "password": "Loadstone#Park", "licensePlateNumber": "LA-0000"}
"""So long that a character more is no other fault."""
TEXTS = frozenset(
    name
    for members in MEMBERS.values()
    for name in members
    if name not in ("nif", "userIds", "amount", "userId", "maxCoins")
)
"""The members that are texts."""


@check("U22", "what looks like SQL is stored as it is in names, and returned so")
def stored_names(subject: Subject) -> None:
    # Two texts for each user, since each costs a hash.
    for first, last in zip(ATTACKS[::2], ATTACKS[1::2], strict=False):
        made = created(subject, firstName=first, lastName=last)
        user = object_of(get_user(subject, made["id"]), 200, USER, "a user")
        expect_equal((user["firstName"], user["lastName"]), (first, last), "the names of a user")


@with_stand("U22", "the same in reasons and references, and no row of another is touched")
def stored_reasons(subject: Subject) -> None:
    user = put_customer(subject).id
    before = _fingerprints(subject)
    for attack in ATTACKS:
        answer = grant(subject, [user], 1, attack)
        object_of(answer, 201, GRANTED, f"a grant for {attack!r}")
        expect_equal(wallet(subject, user)["events"][0]["reason"], attack, "the reason")
        if all("!" <= letter <= "~" for letter in attack):
            reference = f"{new_reference()}{attack}"
            for _ in range(2):
                answer = debit(subject, user, 1, reference)
                expect_equal(taken_of(answer, f"a debit by {reference}"), 1, "what it took")
            rows = hand_of(subject).execute(
                "SELECT user_id FROM coin_event WHERE reference = %s", (reference,)
            )
            expect_equal(rows, [(user,)], f"the events of {reference}")
    expect_equal(_fingerprints(subject), before, "the rows of the seed behind the attacks")


@check("U22", "what looks like SQL logs nobody in, and creates nobody else")
def attacks_elsewhere(subject: Subject) -> None:
    for attack in ATTACKS[:12]:
        answer = log_in(subject, f"bram@park.example{attack}")
        expect_problem(answer, "credentials", f"of an address with {attack!r}")
    for attack in ATTACKS[:6]:
        answer = log_in(subject, "bram@park.example", attack)
        expect_problem(answer, "credentials", f"of the password {attack!r}")
        answer = create(subject, licensePlateNumber=attack)
        expect_invalid(answer, ("/licensePlateNumber", "format"))
    for wild in ("%@park.example", "____@park.example", "BRAM@park.exampl_"):
        expect_problem(log_in(subject, wild), "credentials", f"of the pattern {wild}")


@check("U22", "60 code points beyond U+FFFF are a name, 61 are none")
def lengths(subject: Subject) -> None:
    for letter in (BEYOND, "\N{COMBINING ACUTE ACCENT}"):
        made = created(subject, firstName=letter * 60, lastName=letter)
        user = object_of(get_user(subject, made["id"]), 200, USER, "a user")
        expect_equal(user["firstName"], letter * 60, "a name of 60")
        answer = create(subject, firstName=letter * 61, lastName=letter * 61)
        expect_invalid(answer, ("/firstName", "too-long"), ("/lastName", "too-long"))
    reason = BEYOND * 200
    expect_status(grant(subject, [ILO.id], 1, reason), 201, "a grant for a reason of 200")
    expect_equal(wallet(subject, ILO.id)["events"][0]["reason"], reason, "the reason")
    expect_invalid(grant(subject, [ILO.id], 1, f"{reason}a"), ("/reason", "too-long"))


@check("U33", "U+0000 in a text is 422 with its pointer, and of login 401")
def zeros(subject: Subject) -> None:
    for writing in WRITINGS:
        for name in writing.body():
            if name not in TEXTS:
                continue
            good = str(writing.body()[name])
            if writing.operation == "create-user":
                good = GOOD.get(name, good)
            for text in (f"{good}\0", f"\0{good}", f"{good[:3]}\0{good[3:]}"):
                answer = writing.send(subject, compact({**writing.body(), name: text}))
                what = f"of {writing.operation} with {name} {text!r}"
                if writing.operation == "login":
                    expect_problem(answer, "credentials", what)
                else:
                    code = NUL_CODES.get(name, "unknown-value")
                    expect_invalid(answer, (f"/{name}", code), when=what)


@check("U33", "bytes that are no UTF-8, and halves of pairs, are 400 or 422")
def not_utf_8(subject: Subject) -> None:
    before = wallet(subject, BRAM.id)
    for writing in WRITINGS:
        for name in writing.body():
            if name not in TEXTS:
                continue
            for wrong in (*NOT_UTF_8, *LONE):
                body = compact({**writing.body(), name: "WRONG"})
                answer = writing.send(subject, body.replace(b"WRONG", b"a@b" + wrong + b"c"))
                what = f"of {writing.operation} with {name} of {wrong!r}"
                if answer.status == 400:
                    expect_problem(answer, "malformed", what)
                else:
                    expect_status(answer, 422, f"what is asked {what}")
    expect_equal(wallet(subject, BRAM.id), before, "the wallet behind it")


@check("U33", "the same in the name of a member is 400")
def names_of_members(subject: Subject) -> None:
    for writing in WRITINGS:
        for wrong in (*NOT_UTF_8, *LONE, b"\\u0000"):
            body = compact({**writing.body(), "WRONG": 1}).replace(b"WRONG", b"a" + wrong)
            answer = writing.send(subject, body)
            what = f"of {writing.operation} with a member named {wrong!r}"
            expect_status(answer, 400, what)


def _fingerprints(subject: Subject) -> dict[str, object]:
    """Number and checksum of the rows of the seed in each table, coins apart."""
    hand = hand_of(subject)
    keys = {"app_user": "t.id <= 6", "vehicle": "t.user_id <= 6"}
    return {
        table: hand.execute(
            f"SELECT count(*), sum(hashtextextended(t::text, 0)::numeric) FROM {table} t WHERE {key}"
        )
        for table, key in keys.items()
    }
