import pytest

from users.body import parse_json


@pytest.mark.parametrize(
    "content",
    [
        *[b"", b" ", b"{", b"{} {}", b"{}x", b"[1,]", b"{'a':1}", b"NaN", b"-Infinity", b"01"],
        *[b'"\xbf\'"', b'"\xc0\xaf"', b'"\t"', b"[" * 7000, "\ufeff{}".encode()],
    ],
)
def test_what_is_not_one_value_in_utf_8_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- of the parser, or its own
        parse_json(content)


def test_numbers_beyond_64_bits_are_no_integers() -> None:
    value = parse_json(b'{"a":9223372036854775808,"b":' + b"1" * 5000 + b',"c":1e400}')
    assert isinstance(value, dict)
    assert value["a"] == 2**63
    assert isinstance(value["b"], float)
    assert isinstance(value["c"], float)
