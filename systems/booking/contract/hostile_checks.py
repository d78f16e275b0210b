"""H1 to H4: texts that are meant to do harm, and those that are only unusual."""

import re
from collections.abc import Callable
from functools import partial
from urllib.parse import quote

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import log_in, new_email, sign_up
from .lib.clubs import (
    add_facility,
    club_body,
    club_path,
    create_club,
    facility_path,
    get_facility,
    replace_club,
    replace_facility,
)
from .lib.database import fingerprints
from .lib.problems import expect_invalid, expect_problem
from .lib.scenes import KEY, Scene, new_scene
from .lib.service import (
    CLUBS,
    FACILITIES,
    JSON,
    MANY_SECONDS,
    ME,
    RESERVATIONS,
    STARTS_SECONDS,
    ask,
    compact,
    expect_status,
    get,
    post,
)
from .lib.shapes import (
    ACCOUNT,
    CLUB,
    FACILITY,
    RESERVATION,
    Shape,
    object_of,
    page_of,
    ratings_of,
)
from .lib.tokens import PLAYER, caller
from .lib.writings import writings

check = partial(declare.check, seconds=MANY_SECONDS)
with_stand = partial(declare.check, needs_stand=True, seconds=STARTS_SECONDS)

ATTACKS = (
    *(
        "' OR 1=1 --",
        "'; DROP TABLE club; --",
        "\\'",
        "$1",
        "${7*7}",
        "' OR '1'='1",
        "\\'; --",
        '"',
        "\\",
    ),
    *(
        "x' UNION SELECT password_hash FROM account --",
        "{{7*7}}",
        "<b>&amp;</b>",
        "?",
        ":id",
        "%27",
        "%s",
    ),
    *(
        "$$; DROP TABLE club; $$",
        "'||pg_sleep(9)||'",
        "E'\\\\''",
        "#{7*7}",
        "\N{FULLWIDTH APOSTROPHE}",
        "{}",
    ),
)
TEXTS = (
    *(
        "مرحبا بالعالم",
        "東京スタジアム",
        "👩‍👩‍👧‍👦🏳️‍🌈",
        "é vs e\u0301",
        "Z\u0351\u036b\u0343a\u0323lgo",
    ),
    *(
        "\u202eleft",
        "I ı İ i ß ẞ",
        "\ufeffmark",
        "/</script>&'",
        "\N{MUSICAL SYMBOL G CLEF}",
        "a\u2028b\u2029",
    ),
    *("\u00a0 \u3000 \u200b", "\uffff\U0010ffff", "tab\tline\nend\r\x08\x0c\x01\x1f", '"\\/'),
)
BEYOND = "\N{MUSICAL SYMBOL G CLEF}"
"""Two units of UTF-16, four bytes of UTF-8, one code point."""
NOT_UTF_8 = (
    *(b"\xbf\x27", b"\xc0\xa7", b"\xc0\x80", b"\xe0\x80\xa7", b"\xf0\x80\x80\xa7", b"\xed\xa0\x80"),
    *(b"\xff", b"\xc3", b"\xf4\x90\x80\x80", b"\x80", b"\xed\xa0\x81\xed\xb0\x80", b"\xe2\x82"),
)
"""A quote behind a byte of GBK, then overlong forms, half a pair, and what UTF-8 does not have."""
LONE = (
    b"\\ud800",
    b"\\udc00",
    b"\\ud800a",
    b"\\udc00\\ud800",
    b"\\ud834\\ud834",
    b"\\uD834\\u0041",
)
ADDRESS = re.compile(r"[a-z0-9._%+-]{1,64}@[a-z0-9.-]{3,189}")
TEXTS_OF_CLUBS = ("name", "city", "description")
TEXTS_OF = {
    "sign-up": ("email", "name", "password"),
    "log-in": ("email", "password"),
    "create-club": TEXTS_OF_CLUBS,
    "replace-club": TEXTS_OF_CLUBS,
    "add-facility": ("name",),
    "replace-facility": ("name",),
    "reserve": ("starts_at",),
    "rate": ("comment",),
}
"""Members that any text can be, or that are texts of a form; by operation."""


@with_stand(
    "H1", "what looks like SQL is stored as it is in every text, and no other row is touched"
)
def stored_attacks(subject: Subject) -> None:
    scene = new_scene(subject)
    before = fingerprints(subject)
    for attack in ATTACKS:
        for text in (attack, f"{attack} and more"):
            for what, value in _stored(scene, text).items():
                expect_equal(value, text, f"{what}, which was sent as {text!r},")
        email = new_email()
        expect_status(
            sign_up(subject, email=email, password=f"{attack}12345678"), 201, "signing up"
        )
        expect_status(log_in(subject, email, f"{attack}12345678"), 200, "logging in")
    expect_equal(fingerprints(subject), before, "the rows of the seed behind the attacks")


@with_stand("H1", "what looks like SQL in a parameter, a path or a key finds nothing but itself")
def attacks_in_targets(subject: Subject) -> None:
    scene = new_scene(subject)
    owner, before = scene.owner, fingerprints(subject)
    for attack in ATTACKS:
        text = quote(attack, safe="")
        target = f"{CLUBS}?city={text}"
        found = page_of(get(subject, target, owner), CLUB, target).items
        cities = {each["city"] for each in found}
        expect(cities <= {attack}, f"{target} finds what is in {cities}")
        target = f"{FACILITIES}?city={text}"
        found = page_of(get(subject, target, owner), FACILITY, target).items
        expect_equal(found, [], f"what {target} finds")
        found = page_of(get(subject, f"{CLUBS}?q={text}", owner), CLUB, "what is found").items
        strange = [each["name"] for each in found if attack.lower() not in each["name"].lower()]
        expect_equal(strange, [], f"the names that q={attack} finds without being in them")
        wrong = (
            *(f"{CLUBS}?mine={text}", f"{CLUBS}?limit={text}", f"{CLUBS}?cursor={text}"),
            *(
                f"{FACILITIES}?sport={text}",
                f"{FACILITIES}?club_id={text}",
                f"{FACILITIES}?at={text}",
            ),
            *(f"{FACILITIES}?available={text}", f"{RESERVATIONS}?status={text}"),
            *(f"{RESERVATIONS}?facility_id={text}", f"{facility_path(1)}/slots?date={text}"),
            f"{facility_path(1)}/ratings?cursor={text}",
        )
        for target in wrong:
            expect_problem(get(subject, target, owner), "malformed", f"of {target}")
        for path in (f"{CLUBS}/{text}", f"{FACILITIES}/1{text}", f"{RESERVATIONS}/{text}"):
            expect_problem(get(subject, path, owner), "not-found", f"of {path}")
        is_key = all("!" <= letter <= "~" for letter in attack)
        body = {"facility_id": scene.facility, "starts_at": scene.slot()}
        if attack.isascii():
            answer = post(subject, RESERVATIONS, scene.player, body, (KEY, attack))
            if is_key:
                object_of(answer, 201, RESERVATION, f"a reservation with the key {attack}")
            else:
                expect_problem(answer, "malformed", f"of the key {attack}")
    expect_equal(fingerprints(subject), before, "the rows of the seed behind the attacks")


@check("H1", "what looks like SQL is refused where it is no address, role, sport or instant")
def refused_attacks(subject: Subject) -> None:
    scene = new_scene(subject)
    for attack in ATTACKS:
        for email in (attack, f"{attack}@booking.example", f"a@{attack}"):
            if ADDRESS.fullmatch(email) is None:  # `%s` and the like are letters of an address
                answer = sign_up(subject, email=email)
                expect_invalid(answer, ("/email", "format"), when=f"of the address {email}")
                answer = log_in(subject, email, "no")
                expect_problem(answer, "bad-credentials", f"of the address {email}")
        answer = log_in(subject, "owner-1@booking.example", attack)
        expect_problem(answer, "bad-credentials", f"of the password {attack}")
        expect_invalid(sign_up(subject, role=attack), ("/role", "unknown-value"))
        answer = add_facility(subject, scene.owner, scene.club, sport=attack)
        expect_invalid(answer, ("/sport", "unknown-value"))
        body = {"facility_id": scene.facility, "starts_at": attack}
        answer = post(subject, RESERVATIONS, scene.player, body)
        expect_invalid(answer, ("/starts_at", "format"))


@check("H2", "every script comes back as it was, unescaped, from escapes and from bytes")
def scripts(subject: Subject) -> None:
    scene = new_scene(subject)
    for text in TEXTS:
        for what, value in _stored(scene, text).items():
            expect_equal(value, text, f"{what}, which was sent as {text!r},")
        texts = dict.fromkeys(TEXTS_OF_CLUBS, text)
        body = compact(club_body(**texts))
        answer = ask(subject, "POST", CLUBS, scene.owner, JSON, body=body)
        object_of(answer, 201, CLUB, f"a club of the bytes of {text!r}", **texts)
    target = f"{CLUBS}?mine=true&limit=100"
    page = page_of(get(subject, target, scene.owner), CLUB, "the clubs")
    expect(set(TEXTS) <= {each["name"] for each in page.items}, "a name is not in the list")


@check("H3", "a hundred characters beyond U+FFFF fit into a name, a hundred and one do not")
def lengths(subject: Subject) -> None:
    scene = new_scene(subject)
    owner = scene.owner
    writes: tuple[tuple[Shape, Callable[..., Answer]], ...] = (
        (ACCOUNT, partial(sign_up, subject)),
        (CLUB, partial(create_club, subject, owner)),
        (FACILITY, partial(add_facility, subject, owner, scene.club)),
    )
    for letter in (BEYOND, "é", "\N{COMBINING ACUTE ACCENT}"):
        name, longer = letter * 100, letter * 101
        for shape, write in writes:
            object_of(write(name=name), 201, shape, f"a name of 100 {letter}", name=name)
            answer = write(name=longer)
            expect_invalid(answer, ("/name", "too-long"), when=f"of 101 {letter}")
        description = letter * 1000
        right = create_club(subject, owner, city=name, description=description)
        object_of(right, 201, CLUB, "the longest texts", city=name, description=description)
        wrong = create_club(subject, owner, city=longer, description=description + letter)
        expect_invalid(wrong, ("/city", "too-long"), ("/description", "too-long"))
        for parameter, most in (("q", 50), ("city", 100)):
            target = f"{CLUBS}?{parameter}={quote(letter * most)}"
            page_of(get(subject, target, owner), CLUB, f"a list by {most} {letter}")
            answer = get(subject, f"{target}{quote(letter)}", owner)
            expect_problem(answer, "malformed", f"of one {letter} more in {parameter}")


@check("H4", "U+0000 is 422 in every text, with its pointer")
def zeros(subject: Subject) -> None:
    for writing in writings(subject):
        for name in TEXTS_OF[writing.operation]:
            for text in ("\0", "a\0b", "\0" * 8, "abcdefgh\0"):
                answer = writing.send(subject, compact({**writing.body(), name: text}))
                what = f"of {writing.operation} with {name} {text!r}"
                if writing.operation == "log-in":
                    # No account has such a text: which of the two rules is first, is open.
                    expect(answer.status in (401, 422), f"the status {what} is {answer.status}")
                else:
                    expect_invalid(answer, (f"/{name}", "format"), when=what)


@check("H4", "bytes that are no UTF-8 and halves of pairs are 400 or 422")
def not_utf_8(subject: Subject) -> None:
    for writing in writings(subject):
        for name in TEXTS_OF[writing.operation]:
            for wrong in (*NOT_UTF_8, *LONE):
                body = compact({**writing.body(), name: "WRONG"})
                answer = writing.send(subject, body.replace(b"WRONG", b"a" + wrong + b"b"))
                what = f"of {writing.operation} with {name} of {wrong!r}"
                if answer.status == 400:
                    expect_problem(answer, "malformed", what)
                else:
                    expect_status(answer, 422, what)


def _stored(scene: Scene, text: str) -> dict[str, object]:
    """What is read back of each text that can be stored."""
    subject, owner = scene.subject, scene.owner
    found: dict[str, object] = {}
    made = object_of(sign_up(subject, name=text), 201, ACCOUNT, "an account")
    me = object_of(get(subject, ME, caller(made["id"], PLAYER)), 200, ACCOUNT, "me")
    found["name of an account"] = me["name"]
    texts = dict.fromkeys(TEXTS_OF_CLUBS, text)
    club = object_of(create_club(subject, owner, **texts), 201, CLUB, "a club")["id"]
    for how in ("created", "replaced"):
        if how == "replaced":
            expect_status(replace_club(subject, owner, club, **texts), 200, "replacing a club")
        there = object_of(get(subject, club_path(club), owner), 200, CLUB, "the club")
        found |= {f"{name} of a club, {how}": there[name] for name in TEXTS_OF_CLUBS}
    added = object_of(add_facility(subject, owner, scene.club, name=text), 201, FACILITY, "one")
    found["name of a facility"] = get_facility(subject, owner, added["id"])["name"]
    answer = replace_facility(subject, owner, scene.facility, name=text)
    expect_status(answer, 200, "replacing a facility")
    found["name of a facility, replaced"] = get_facility(subject, owner, scene.facility)["name"]
    rated = scene.rated(scene.reserved()["id"], 5, text)
    found["a comment"] = rated["comment"]
    target = f"{facility_path(scene.facility)}/ratings?limit=100"
    listed = ratings_of(get(subject, target, owner), target).page.items
    found["a comment, listed"] = listed[-1]["comment"] if listed else None
    return found
