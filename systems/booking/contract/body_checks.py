"""T4, T5 and T8: what a body is, of which type, and what of it is looked at."""

import json
from functools import partial

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import account, sign_up
from .lib.clubs import add_facility, club_body, create_club, facility_path
from .lib.problems import expect_invalid, expect_problem
from .lib.scenes import new_scene, reservation_path
from .lib.service import (
    ACCOUNTS,
    CLUBS,
    JSON,
    LIVE,
    MANY_SECONDS,
    MOST_BODY_BYTES,
    RESERVATIONS,
    ask,
    compact,
    expect_status,
    get,
    post,
)
from .lib.shapes import ACCOUNT, CLUB, FACILITY, RESERVATION, object_of, page_of
from .lib.tokens import OWNER, caller
from .lib.writings import writings

check = partial(declare.check, seconds=MANY_SECONDS)
quick = partial(declare.check, quick=True)

READER = caller(1, OWNER)
NO_OBJECTS: tuple[object, ...] = (None, 5, 1.5, "a", True, [], [{}], "{}")

WRONG_TYPES = (
    *("text/plain", "text/json", "application/xml", "application/jsonp", "application/*", "*/*"),
    *("application/merge-patch+json", "application/problem+json", "application/json-seq", "json"),
    *("application/x-www-form-urlencoded", "multipart/form-data; boundary=a", "", "application/"),
    *("text/plain; a=application/json", "application/json5", "xapplication/json"),
)
RIGHT_TYPES = (
    *("application/json; charset=utf-8", "application/json;charset=UTF-8", "Application/JSON"),
    *(
        "application/json;charset=iso-8859-1",
        "application/json; charset=utf-16",
        "APPLICATION/JSON",
    ),
    *('application/json; charset="utf-8"', "application/json ; a=b", "application/json;charset=x"),
)
TEXT = ("Content-Type", "text/plain")


@quick("T4", "a body that is no JSON is 400")
def no_json(subject: Subject) -> None:
    for body in (b"", b"{", b"{}{}"):
        answer = ask(subject, "POST", CLUBS, READER, JSON, body=body)
        expect_problem(answer, "malformed", f"of the body {body!r}")


@check("T4", "every body that is not one JSON value in UTF-8 is 400, in every operation")
def every_kind_of_no_json(subject: Subject) -> None:
    for writing in writings(subject):
        for body in _broken(compact(writing.body())):
            answer = writing.send(subject, body)
            expect_problem(answer, "malformed", f"of {writing.operation} by {body[-40:]!r}")


@check("T4", "JSON that is no object is 422")
def no_object(subject: Subject) -> None:
    for writing in writings(subject):
        for value in NO_OBJECTS:
            answer = writing.send(subject, compact(value))
            expect_invalid(answer, ("", "type"), when=f"of {writing.operation} by {value!r}")


@check("T4", "white space around and within JSON is accepted")
def white_space(subject: Subject) -> None:
    for writing in writings(subject):
        body = json.dumps(writing.body(), indent="\t").replace("\n", "\r\n ").encode()
        answer = writing.send(subject, b"\n\t " + body + b" \r\n")
        expect_status(answer, writing.status, f"{writing.operation} with white space")


@check("T5", "another media type, and none, is 415")
def other_types(subject: Subject) -> None:
    for writing in writings(subject):
        body = compact(writing.body())
        for media_type in WRONG_TYPES:
            answer = writing.send(subject, body, ("Content-Type", media_type))
            what = f"of {writing.operation} with the type {media_type!r}"
            expect_problem(answer, "unsupported-media-type", what)
        answer = ask(subject, writing.method, writing.target, writing.caller, body=body)
        expect_problem(answer, "unsupported-media-type", f"of {writing.operation} without a type")
        answer = ask(subject, writing.method, writing.target, writing.caller)
        what = f"of {writing.operation} with neither body nor type"
        expect_problem(answer, "unsupported-media-type", what)


@check("T5", "parameters and case of the media type do not matter")
def types_with_parameters(subject: Subject) -> None:
    for writing in writings(subject):
        for media_type in RIGHT_TYPES:
            answer = writing.send(subject, compact(writing.body()), ("Content-Type", media_type))
            expect_status(answer, writing.status, f"{writing.operation} with {media_type}")
    scene = new_scene(subject)
    for media_type in RIGHT_TYPES:
        body = club_body(name="Zürich 東京 \N{TENNIS RACQUET AND BALL}")
        fields = ("Content-Type", media_type)
        answer = ask(subject, "POST", CLUBS, scene.owner, fields, body=compact(body))
        object_of(answer, 201, CLUB, f"a club of {media_type}", name=body["name"])


@check("T5", "a decision takes any body, of any type")
def decisions_with_bodies(subject: Subject) -> None:
    scene = new_scene(subject)
    bodies: tuple[tuple[list[tuple[str, str]], bytes], ...] = (
        *(([JSON], b""), ([JSON], b"{"), ([JSON], b'{"status":"pending"}'), ([JSON], b"\xff\xfe")),
        *(([TEXT], b"no"), ([("Content-Type", "")], b"{}")),
        *(([TEXT], b"x" * (MOST_BODY_BYTES + 1)), ([], b""), ([], b"{}")),
    )
    for decision, who in (
        ("accept", scene.owner),
        ("reject", scene.owner),
        ("cancel", scene.player),
    ):
        for fields, body in bodies:
            target = f"{reservation_path(scene.reserved()['id'])}/{decision}"
            answer = ask(subject, "POST", target, who, *fields, body=body)
            what = f"to {decision} with {fields} and {body[:20]!r}"
            object_of(answer, 200, RESERVATION, what)


@check("T5", "the body of a GET and of a DELETE is ignored")
def reads_with_bodies(subject: Subject) -> None:
    scene = new_scene(subject)
    for fields, body in ((JSON, b"{"), (TEXT, b"no"), (JSON, b'{"name":5}')):
        answer = ask(subject, "GET", CLUBS, scene.owner, fields, body=body)
        page_of(answer, CLUB, f"a list with the body {body!r}")
        path = facility_path(scene.facility)
        answer = ask(subject, "GET", path, scene.owner, fields, body=body)
        object_of(answer, 200, FACILITY, f"a facility with the body {body!r}")
        answer = ask(subject, "DELETE", path, scene.owner, fields, body=body)
        expect_equal((answer.status, answer.body), (204, b""), f"a DELETE with the body {body!r}")


@check("T5", "Accept, Accept-Encoding and cookies are ignored")
def other_fields(subject: Subject) -> None:
    target = f"{CLUBS}?limit=100"
    whole = get(subject, target, READER)
    page_of(whole, CLUB, "a list")
    fields = (
        *(("Accept", "text/html"), ("Accept", "application/xml;q=1, application/json;q=0")),
        *(("Accept-Encoding", "gzip, br, deflate"), ("Accept-Encoding", "identity;q=0, gzip")),
        *(("Cookie", "token=x; role=owner"), ("Accept-Charset", "utf-16"), ("Accept", "nonsense")),
        ("Accept-Language", "de"),
    )
    for each in fields:
        answer = get(subject, target, READER, each)
        page_of(answer, CLUB, f"a list with {each}")
        expect_equal(answer.body, whole.body, f"the list with {each}")
        answer = get(subject, "/nothing", READER, each)
        expect_problem(answer, "not-found", f"of an unknown path with {each}")
        expect_status(get(subject, LIVE, None, each), 200, f"/healthz with {each}")


@check("T8", "members that are not named are ignored")
def further_members(subject: Subject) -> None:
    more = {
        "x": None,
        "tags": [{"a": [1, {}]}],
        "": 5,
        "Name": 5,
        "NAME": [],
        "nested": {"name": 1},
    }
    for writing in writings(subject):
        for body in ({**more, **writing.body()}, {**writing.body(), **more}):
            answer = writing.send(subject, compact(body))
            expect_status(answer, writing.status, f"{writing.operation} with further members")


@check("T8", "members of answers are not those of requests")
def members_of_answers(subject: Subject) -> None:
    scene = new_scene(subject)
    moment = "2001-01-01T00:00:00Z"
    forged = {"id": 1, "created_at": moment, "password_hash": "x", "account_id": 1}
    found = object_of(sign_up(subject, **forged), 201, ACCOUNT, "signing up", role="player")
    _expect_own(found, moment)
    answer = create_club(subject, scene.owner, **forged, owner_id=1)
    found = object_of(answer, 201, CLUB, "a club", owner_id=scene.owner.id)
    _expect_own(found, moment)
    more = {"club_id": 1, "retired": True, "retired_at": moment}
    answer = add_facility(subject, scene.owner, scene.club, **forged, **more)
    found = object_of(answer, 201, FACILITY, "a facility", club_id=scene.club, retired=False)
    _expect_own(found, moment)
    starts_at = scene.slot()
    body = {"facility_id": scene.facility, "starts_at": starts_at, **forged}
    more = {"player_id": 11, "ends_at": moment, "status": "accepted", "decided_at": moment}
    answer = _reserve(subject, scene.player.token, {**body, **more, "price_cents": 1})
    wanted = {"player_id": scene.player.id, "status": "pending", "price_cents": scene.price}
    found = object_of(answer, 201, RESERVATION, "a reservation", **wanted, decided_at=None)
    _expect_own(found, moment)


@check("T8", "the names of members are compared exactly")
def names_of_members(subject: Subject) -> None:
    scene = new_scene(subject)
    club = {"Name": "a", "CITY": "b", " name": "c", "name ": "d"}
    answer = post(subject, CLUBS, scene.owner, club)
    expect_invalid(answer, ("/name", "required"), ("/city", "required"))
    answer = post(subject, CLUBS, scene.owner, {**club_body(), "Description": "x" * 2000})
    object_of(answer, 201, CLUB, "a club with Description")
    body = {"facilityId": scene.facility, "startsAt": scene.slot(), "FACILITY_ID": 1}
    answer = _reserve(subject, scene.player.token, body)
    expect_invalid(answer, ("/facility_id", "required"), ("/starts_at", "required"))
    wrong = {key.upper(): value for key, value in account().items()}
    answer = post(subject, ACCOUNTS, None, wrong)
    missing = [(f"/{name}", "required") for name in ("email", "name", "password")]
    expect_invalid(answer, *missing)


def _reserve(subject: Subject, token: str, body: dict[str, object]) -> Answer:
    fields = (JSON, ("Authorization", f"Bearer {token}"))
    return subject.ask(RESERVATIONS, fields, compact(body))


def _expect_own(found: dict[str, object], moment: str) -> None:
    expect(found["id"] != 1, "the id is the caller's")
    expect(found["created_at"] != moment, "created_at is the caller's")


def _broken(text: bytes) -> tuple[bytes, ...]:
    """What is no JSON, or more than one value, around a good body and within."""
    cut = text[:-1]
    values = (
        *(
            b"01",
            b"+1",
            b".5",
            b"1.",
            b"-",
            b"1e",
            b"0x1",
            b"NaN",
            b"Infinity",
            b"-Infinity",
            b"True",
        ),
        *(b"None", b"undefined", b"'a'", b'"a', b'"\n"', b'"\t"', b'"\\q"', b'"\\u12"', b'"\\x41"'),
        *(
            b"[1,]",
            b"[,1]",
            b"{,}",
            b'{"a"}',
            b'{"a":}',
            b"{a:1}",
            b"{1:1}",
            b'"\xff"',
            b'"\xc3"',
            b"//",
        ),
        *(b"1/**/", b"1 2", b"[1 2]", b'"a""b"', b"nul", b"truefalse", b"[", b"]", b"{", b"1;"),
    )
    return (
        *(b"", b" ", b"{", b"}", b"nothing", b"{}{}", b"\x00", b"\xff", b'"', cut, text * 2),
        *(text + b" x", text + b",", text + b"]", text + b"}", text + b"\x00", b"\x0b" + text),
        *(
            text + b"\x0c",
            b"\xc2\xa0" + text,
            b"/**/" + text,
            text + b"//",
            cut + b",}",
            b"," + text,
        ),
        *(text.decode().encode(f"utf-{name}") for name in ("16-le", "16-be", "32-le", "32-be")),
        *(cut + b',"x":' + value + b"}" for value in values),
        text.replace(b'"', b"'"),
    )
