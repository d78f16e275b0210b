"""U3 and U4: what of the members is wrong, and how that is told."""

from functools import partial

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.subject import Subject

from .lib.objects import compact
from .lib.problems import expect_invalid, expect_problem
from .lib.users_members import MEMBERS, RULES, rules_of
from .lib.users_service import MANY_SECONDS, SERVICE
from .lib.users_writings import CREATE, DEBIT, GRANT, WRITINGS, Writing

check = partial(declare.check, service=SERVICE, seconds=MANY_SECONDS)

Fault = tuple[str, object, str]

BESIDE: dict[str, tuple[Fault, Fault]] = {
    "create-user": (("paymentMethod", "", "unknown-value"), ("nif", 0, "range")),
    "grant-coins": (("reason", "", "too-short"), ("amount", 0, "range")),
    "debit": (("maxCoins", -1, "range"), ("userId", 0, "range")),
}
"""A fault of another member, so that what is right can be told without being done."""
NO_JSON = (b"", b" ", b"{", b"}", b"nothing", b"{}{}", b'{"email":}')


@check("U3", "each rule of the password that is broken alone is 422 with its code")
def passwords(subject: Subject) -> None:
    for value, code in RULES["password"].faults:
        answer = _send(subject, CREATE, password=value)
        expect_invalid(answer, ("/password", code), when=f"of the password {value!r}")


@check("U3", "passwords at the ends of the rules, and of every kind of symbol, are right")
def right_passwords(subject: Subject) -> None:
    _expect_right(subject, CREATE, "password")


@check("U3", "a password that is missing is 422, and one that is no text is 400")
def no_passwords(subject: Subject) -> None:
    _expect_missing(subject, CREATE, "password")
    _expect_of_other_types(subject, CREATE, "password")


@check("U4", "each member that is wrong alone is 422 with its pointer and code")
def members(subject: Subject) -> None:
    for writing in WRITINGS:
        for name, rule in rules_of(writing.operation).items():
            if name == "password":
                continue
            for value, code in rule.faults:
                answer = _send(subject, writing, **{name: value})
                what = f"of {writing.operation} with {name} {_short(value)}"
                expect_invalid(answer, (f"/{name}", code), when=what)


@check("U4", "each member that is missing or null is 422")
def missing_members(subject: Subject) -> None:
    for writing in WRITINGS:
        for name in MEMBERS[writing.operation]:
            _expect_missing(subject, writing, name)
        answer = writing.send(subject, b"{}")
        every = [(f"/{name}", "required") for name in MEMBERS[writing.operation]]
        expect_invalid(answer, *every, when=f"of {writing.operation} without a member")


@check("U4", "each member of another type is 400: nothing is coerced")
def other_types(subject: Subject) -> None:
    for writing in WRITINGS:
        for name in MEMBERS[writing.operation]:
            _expect_of_other_types(subject, writing, name)


@check("U4", "what is right at its limits is no fault")
def right_members(subject: Subject) -> None:
    for writing in (CREATE, GRANT, DEBIT):
        for name in MEMBERS[writing.operation]:
            if name != "password":
                _expect_right(subject, writing, name)


@check("U4", "broken JSON and no body are 400 in every operation")
def no_json(subject: Subject) -> None:
    for writing in WRITINGS:
        for body in NO_JSON:
            answer = writing.send(subject, body)
            expect_problem(answer, "malformed", f"of {writing.operation} by {body!r}")


@check("U4", "the first fault of each member is told, in the order of the members")
def several(subject: Subject) -> None:
    answer = _send(subject, CREATE, nif=1, firstName="")
    expect_invalid(answer, ("/firstName", "too-short"), ("/nif", "range"))
    answer = _send(subject, CREATE, password="x", email="a b", vehicleType=None)
    faults = (("/email", "characters"), ("/password", "too-short"), ("/vehicleType", "required"))
    expect_invalid(answer, *faults)
    for writing in WRITINGS:
        rules = rules_of(writing.operation)
        wrong = {name: rule.faults[-1] for name, rule in rules.items() if rule.faults}
        if not wrong:
            continue
        # The body's order is the other way round.
        body = {name: wrong[name][0] for name in reversed(list(wrong))}
        told = [(f"/{name}", code) for name, (_, code) in wrong.items()]
        answer = writing.send(subject, compact(body))
        expect_invalid(answer, *told, when=f"of {writing.operation} with nothing right")


@check("U4", "a member of another type is told before what is wrong with others")
def types_first(subject: Subject) -> None:
    answer = _send(subject, CREATE, firstName="", nif="700000004", password="x")
    expect_problem(answer, "malformed", "of a tax number that is a text among wrong members")
    answer = _send(subject, GRANT, userIds=[], amount=1.5, reason="")
    expect_problem(answer, "malformed", "of half a coin among wrong members")
    answer = CREATE.send(subject, compact({"nif": True}))
    expect_problem(answer, "malformed", "of a tax number that is true, without other members")


def _send(subject: Subject, writing: Writing, **changes: object) -> Answer:
    return writing.send(subject, compact({**writing.body(), **changes}))


def _expect_missing(subject: Subject, writing: Writing, name: str) -> None:
    whole = writing.body()
    without = {key: value for key, value in whole.items() if key != name}
    for body in (without, {**whole, name: None}):
        answer = writing.send(subject, compact(body))
        what = f"of {writing.operation} by {body}"
        expect_invalid(answer, (f"/{name}", "required"), when=what)


def _expect_of_other_types(subject: Subject, writing: Writing, name: str) -> None:
    for value in rules_of(writing.operation)[name].of_other_types:
        answer = _send(subject, writing, **{name: value})
        what = f"of {writing.operation} with {name} {value!r}"
        expect_problem(answer, "malformed", what)


def _expect_right(subject: Subject, writing: Writing, name: str) -> None:
    """Expect of each right value that only the fault beside it is told."""
    beside, wrong, code = next(each for each in BESIDE[writing.operation] if each[0] != name)
    for value in rules_of(writing.operation)[name].right:
        answer = _send(subject, writing, **{name: value, beside: wrong})
        what = f"of {writing.operation} with {name} {_short(value)}, which is right,"
        expect_invalid(answer, (f"/{beside}", code), when=what)


def _short(value: object) -> str:
    return repr(value)[:60]
