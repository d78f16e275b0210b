import pytest

from booking.body import parse_json


def is_json(content: bytes) -> bool:
    try:
        parse_json(content)
    except ValueError:
        return False
    return True


def test_numbers_are_read_as_what_they_are() -> None:
    assert parse_json(b"[5,-0,9223372036854775808]") == [5, 0, 2**63]
    assert parse_json(b"[1e400,5.5]") == [float("inf"), 5.5]
    assert isinstance(parse_json(b"9" * 10_000), float)
    assert isinstance(parse_json(b"5.0"), float)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"{}{}",
        b'{"a":1,}',
        b"'a'",
        b"NaN",
        b"-Infinity",
        b"01",
        b'"\xbf\x27"',
        b'"\xc0\xaf"',
        b'"\xed\xa0\x80"',
        '"a"'.encode("utf-16"),
        b'"\n"',
        b"[" * 7000,
        b"[" * 7000 + b"]" * 7000,
        b'{"a":' * 7000 + b"1" + b"}" * 7000,
    ],
)
def test_other_bytes_are_no_json(content: bytes) -> None:
    assert not is_json(content)


def test_a_half_of_a_surrogate_pair_is_left_to_the_members() -> None:
    assert parse_json(rb'"\ud800"') == "\ud800"
