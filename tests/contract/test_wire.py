from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.contract.wire import (
    BrokenMessage,
    Head,
    MessageReader,
    read_status,
    write_chunk,
    write_head,
)

NAMES = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-", min_size=1, max_size=12)
VALUES = st.text('abc 019,;="/\t\xe4', max_size=20).map(lambda text: text.strip(" \t"))
FIELDS = st.lists(st.tuples(NAMES.map(lambda name: f"X-{name}"), VALUES), max_size=6)
CUTS = st.lists(st.integers(1, 40), min_size=1, max_size=20)


def source(data: bytes, cuts: list[int]) -> Callable[[], bytes]:
    """A source that hands the bytes out in pieces of the given sizes, over and over."""

    def pieces() -> Iterator[bytes]:
        rest, turn = data, 0
        while rest:
            size = cuts[turn % len(cuts)]
            yield rest[:size]
            rest, turn = rest[size:], turn + 1

    iterator = pieces()
    return lambda: next(iterator, b"")


def read(data: bytes, cuts: list[int], *, until_close: bool = True) -> tuple[Head, bytes]:
    reader = MessageReader(source(data, cuts))
    head = reader.head()
    assert head is not None
    return head, b"".join(reader.pieces(head, until_close=until_close))


@given(FIELDS, st.binary(max_size=300), CUTS)
def test_a_message_with_a_length_is_read_back_however_it_is_cut(
    fields: list[tuple[str, str]], body: bytes, cuts: list[int]
) -> None:
    headers = [*fields, ("Content-Length", str(len(body)))]
    head, received = read(write_head("HTTP/1.1 200 OK", headers) + body, cuts)
    assert head == Head("HTTP/1.1 200 OK", tuple(headers))
    assert received == body


@given(st.lists(st.binary(min_size=1, max_size=60), max_size=5), CUTS)
def test_a_chunked_message_is_read_back_however_it_is_cut(
    chunks: list[bytes], cuts: list[int]
) -> None:
    data = write_head("HTTP/1.1 200 OK", [("Transfer-Encoding", "chunked")])
    data += b"".join(map(write_chunk, chunks)) + b"0\r\nX-Trailer: 1\r\n\r\n"
    assert read(data, cuts)[1] == b"".join(chunks)


@given(FIELDS, st.binary(min_size=1, max_size=60), st.data())
def test_a_message_that_ends_early_is_broken(
    fields: list[tuple[str, str]], body: bytes, data: st.DataObject
) -> None:
    for framed in (
        write_head("POST / HTTP/1.1", [*fields, ("Content-Length", str(len(body)))]) + body,
        write_head("POST / HTTP/1.1", [*fields, ("Transfer-Encoding", "chunked")])
        + write_chunk(body)
        + b"0\r\n\r\n",
    ):
        cut = framed[: data.draw(st.integers(1, len(framed) - 1))]
        with pytest.raises(BrokenMessage):
            read(cut, [7])


@given(st.binary(max_size=200), CUTS)
def test_any_bytes_are_a_message_or_broken(data: bytes, cuts: list[int]) -> None:
    reader = MessageReader(source(data, cuts))
    with suppress(BrokenMessage):  # nothing else may be raised, and it must come to an end
        while (head := reader.head()) is not None:
            list(reader.pieces(head, until_close=False))


def test_messages_that_follow_each_other_are_told_apart() -> None:
    one = write_head("POST /1 HTTP/1.1", [("Content-Length", "1")]) + b"a"
    two = write_head("POST /2 HTTP/1.1", [])
    reader = MessageReader(source(one + two, [1000]))
    for wanted, body in (("POST /1 HTTP/1.1", b"a"), ("POST /2 HTTP/1.1", b"")):
        head = reader.head()
        assert head is not None
        assert head.first_line == wanted
        assert b"".join(reader.pieces(head, until_close=False)) == body
    assert reader.head() is None


def test_an_answer_without_framing_ends_with_its_connection() -> None:
    assert read(write_head("HTTP/1.1 200 OK", []) + b"to the end", [3])[1] == b"to the end"


@pytest.mark.parametrize(
    "headers",
    [
        [("Content-Length", "1"), ("Transfer-Encoding", "chunked")],
        [("Content-Length", "1"), ("Content-Length", "1")],
        [("Content-Length", "-1")],
        [("Content-Length", "1_0")],
        [("Content-Length", "1" * 5000)],
        [("Transfer-Encoding", "gzip")],
        [("Bad Name ", "1")],
    ],
)
def test_framing_that_two_readers_could_take_differently_is_broken(
    headers: list[tuple[str, str]],
) -> None:
    with pytest.raises(BrokenMessage):
        read(write_head("HTTP/1.1 200 OK", headers) + b"a", [100])


def test_a_head_without_end_is_given_up() -> None:
    with pytest.raises(BrokenMessage, match="more than 65536 bytes"):
        MessageReader(lambda: b"a" * 1000).head()


@given(st.text(max_size=5) | st.sampled_from(["200", "\u00b200", "0200", "1" * 5000, "+20"]))
def test_a_status_is_three_digits_or_broken(text: str) -> None:
    if len(text) == 3 and text.isascii() and text.isdecimal() and text[0] != "0":
        assert read_status(text) == int(text)
    else:
        with pytest.raises(BrokenMessage, match="not a status"):
            read_status(text)
