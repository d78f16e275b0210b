"""Templates: what is parsed is what is meant, bounds hold, and anything else is refused."""

import json
from collections.abc import Callable
from urllib.parse import parse_qsl, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.errors import WrongValueError
from loadstone.study.templates.bounds import LEAST, MOST, Interval, of_two
from loadstone.study.templates.names import Captured, Column, Names, Whole, Words
from loadstone.study.templates.resolve import Resolver
from loadstone.study.templates.syntax import split
from loadstone.study.templates.texts import (
    form_text,
    header_text,
    json_text,
    path_text,
    raw_text,
)
from loadstone.study.values.expression_text import text_shown
from loadstone.study.values.expressions import (
    OPERATORS,
    Arithmetic,
    Environment,
    Integer,
    Moment,
    Slot,
    Text,
    Value,
    calculated,
)
from loadstone.text.places import escaped

NAMES = Names(
    "bookers",
    has_users=True,
    seed={"clubs": 20, "city": "Norvale & Co"},
    values={
        "slot": Whole(Interval(-5, 7)),
        "user.email": Column("users.csv", is_number=False),
        "user.age": Column("users.csv", is_number=True),
        "at": Words(is_number=False, may_be_empty=False),
        "token": Captured(),
    },
)
RESOLVER = Resolver(NAMES, lambda _: None, in_repeat=True)


def whole(text: str) -> tuple[Integer, Interval]:
    (node,) = split(text)
    assert not isinstance(node, str)
    return RESOLVER.integer(node)


def refusal(read: Callable[[str, Resolver], object], text: str) -> WrongValueError | None:
    try:
        read(text, RESOLVER)
    except WrongValueError as error:
        return error
    return None


def slot(expression: object, place: str) -> Slot:
    return Slot.model_validate({"expression": expression, "place": place})


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("/items", "/items"),
        ("/a/{{token}}/b", ("/a/", slot(Value(value="token"), "segment"), "/b")),
        ("/a?q={{ token }}", ("/a?q=", slot(Value(value="token"), "query"))),
        ("/{{group}}/{{seed.clubs}}", "/bookers/20"),
        ("/{{seed.city}}?c={{seed.city}}", "/Norvale%20%26%20Co?c=Norvale%20%26%20Co"),
        ("{{path(token)}}", (slot(Value(value="token"), "location"),)),
        ("/{{'{{'}}x}}", "/{{x}}"),
        ("/{{3 * (seed.clubs - 1) / 2 % 10}}", "/8"),
        ("/{{-7 / 2}}/{{-7 % 2}}", "/-3/-1"),
    ],
)
def test_a_path_is_literals_and_what_is_filled_in(typed: str, text: Text) -> None:
    assert path_text(typed, RESOLVER) == text


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ({"a": "{{token}}"}, ('{"a":', slot(Value(value="token"), "json"), "}")),
        ({"a": "x {{token}}"}, ('{"a":"x ', slot(Value(value="token"), "json_string"), '"}')),
        (
            {"a": "{{number(user.age)}}"},
            ('{"a":', slot(Value(value="user.age"), "json_number"), "}"),
        ),
        ({"a": "{{seed.clubs}}", "b": "{{seed.city}}"}, '{"a":20,"b":"Norvale & Co"}'),
        ({"a": "{{seed.clubs}}."}, '{"a":"20."}'),
        ({"{{group}}": [None, True, 1.5, "é"]}, '{"bookers":[null,true,1.5,"é"]}'),
        ({"a": "{{'{{'}}"}, '{"a":"{{"}'),
        ({"a": "{{run_id}}"}, ('{"a":', slot("run_id", "json"), "}")),
    ],
)
def test_a_whole_value_of_json_keeps_its_type(typed: object, text: Text) -> None:
    assert json_text(typed, RESOLVER) == text


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("{{1 + slot * 2}}", "{{1 + slot * 2}}"),
        ("{{(1 + slot) * 2}}", "{{(1 + slot) * 2}}"),
        ("{{slot - (1 - slot)}}", "{{slot - (1 - slot)}}"),
        ("{{ random(1,6) }}", "{{random(1, 6)}}"),
        ("{{uuid()}}{{now()}}{{epoch_ms()}}", "{{uuid()}}{{now()}}{{epoch_ms()}}"),
        ("{{date(now, days: 1)}}", "{{date(now, days: 1)}}"),
        ("{{day(now)}}", "{{day(now)}}"),
        (
            "{{date('2041-01-01T06:00:00Z', hours: slot)}}",
            "{{date('2041-01-01T06:00:00Z', hours: slot)}}",
        ),
        ("{{day('2041-01-01', days: slot)}}", "{{day('2041-01-01T00:00:00Z', days: slot)}}"),
        ("Basic {{base64(at)}}", "Basic {{base64(at)}}"),
        ("{{base64('a:b')}}", "{{base64('a:b')}}"),
        ("{{env.TOKEN}}", "{{env.TOKEN}}"),
    ],
)
def test_what_is_parsed_is_shown_as_it_was_typed(typed: str, shown: str) -> None:
    text = raw_text(typed, RESOLVER)
    assert text_shown(text) == shown
    assert raw_text(shown, RESOLVER) == text


def test_a_secret_of_the_environment_is_only_named() -> None:
    text = header_text("Bearer {{env.TOKEN}}", RESOLVER)
    assert text == ("Bearer ", slot(Environment(env="TOKEN"), "header"))


def test_a_moment_has_parts_that_are_added() -> None:
    (filled,) = raw_text("{{date('1970-01-02', hours: 1, minutes: slot)}}", RESOLVER)
    assert filled == slot(Moment(base_s=86_400, hours=1, minutes=Value(value="slot")), "raw")


@given(st.text())
def test_any_text_is_a_template_or_told(text: str) -> None:
    for read in (path_text, header_text, raw_text, json_text):
        error = refusal(read, text)
        assert error is None or error.remedy


INSIDE = st.text(alphabet="(){}'+-*/%,:. 19abrandomdatenowslot_", max_size=40)


@given(INSIDE)
def test_anything_in_braces_is_an_expression_or_told(inside: str) -> None:
    typed = f"{{{{{inside}}}}}"
    error = refusal(raw_text, typed)
    if error is None:
        text = raw_text(typed, RESOLVER)
        assert raw_text(text_shown(text), RESOLVER) == text
    else:
        assert error.remedy


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_a_text_that_is_filled_in_stays_one_text(text: str) -> None:
    assert json.loads(f'["{escaped(text, "json_string")}"]') == [text]
    assert json.loads(escaped(text, "json")) == text
    for place in ("segment", "query"):
        written = escaped(text, place)
        assert not set(written) & set("/?#&= \r\n")
        assert unquote(written) == text
    fields = f"a={escaped(text, 'form')}&b=1"
    assert parse_qsl(fields, keep_blank_values=True) == [("a", text), ("b", "1")]


@given(st.text())
def test_what_may_not_stand_in_a_header_is_refused(text: str) -> None:
    try:
        written = escaped(text, "header")
    except WrongValueError:
        assert any(not "\t" <= each <= "~" or "\t" < each < " " for each in text)
    else:
        assert written == text
        assert not set(text) & set("\r\n\0")


@pytest.mark.parametrize(
    ("text", "is_path"),
    [
        ("/a/b?c=d%20e", True),
        ("/", True),
        ("//evil.example/", False),
        ("http://x.example/", False),
        ("a", False),
        ("/a b", False),
        ("/a%2", False),
        ("/a#b", False),
        ("/a\r\nHost: x", False),
    ],
)
def test_a_location_is_a_path_of_the_target_alone(text: str, is_path: bool) -> None:
    if is_path:
        assert escaped(text, "location") == text
    else:
        with pytest.raises(WrongValueError):
            escaped(text, "location")


def test_a_form_is_urlencoded() -> None:
    text = form_text({"a b": "c&d", "e": "{{token}}", "f": "{{seed.city}}"}, RESOLVER)
    assert text == ("a+b=c%26d&e=", slot(Value(value="token"), "form"), "&f=Norvale+%26+Co")


WHOLE = st.recursive(
    st.sampled_from(["slot", "session_number", "user_number", "turn", "seed.clubs"])
    | st.integers(0, 10**6).map(str),
    lambda inner: st.tuples(inner, st.sampled_from(OPERATORS), inner).map(
        lambda parts: (
            f"({parts[0]}) {parts[1]} {parts[2] if parts[1] in '+-*' else 1 + len(parts[2])}"
            if parts[1] in "/%"
            else f"({parts[0]}) {parts[1]} ({parts[2]})"
        )
    ),
    max_leaves=8,
)


@given(
    WHOLE,
    st.integers(0, 10**12),
    st.integers(0, 999_999),
    st.integers(0, 999),
    st.integers(-5, 7),
)
def test_a_whole_number_is_in_its_bounds(
    typed: str, session: int, user: int, turn: int, slot: int
) -> None:
    error = refusal(lambda text, _: whole(text), f"{{{{{typed}}}}}")
    if error is not None:
        assert "64 bits" in error.message or "brackets" in error.message
        return
    integer, interval = whole(f"{{{{{typed}}}}}")
    known = {"session_number": session, "user_number": user, "turn": turn}

    def value(of: Integer) -> int:
        match of:
            case Arithmetic():
                found = calculated(of.operator, value(of.left), value(of.right))
                assert LEAST <= found <= MOST
                return found
            case Value():
                return slot
            case str():
                return known[of]
            case _:
                return of

    assert interval.least <= value(integer) <= interval.most


@given(
    st.sampled_from(OPERATORS),
    st.tuples(st.integers(-50, 50), st.integers(-50, 50)),
    st.tuples(st.integers(-50, 50), st.integers(-50, 50)),
)
def test_bounds_of_two_numbers_are_those_of_all_pairs(
    operator: str, left: tuple[int, int], right: tuple[int, int]
) -> None:
    one = Interval(min(left), max(left))
    other = Interval(min(right), max(right))
    if operator in "/%":
        divisor = abs(right[0]) + 1
        other = Interval(divisor, divisor)
    found = of_two(operator, one, other)
    made = [
        calculated(operator, a, b)
        for a in range(one.least, one.most + 1)
        for b in range(other.least, other.most + 1)
    ]
    assert found.least <= min(made)
    assert max(made) <= found.most
    if operator != "%":
        assert found == (min(made), max(made))
