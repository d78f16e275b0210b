"""The payload generator against the published documents and their digests."""

import hashlib
import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.study.values.payload import PayloadKind, payload


@pytest.mark.parametrize(
    ("kind", "size_bytes", "expected"),
    [
        ("simple", 50, '{"size":"50B","payload":"0123456789ABCDEFGHIJKLM"}'),
        ("array", 50, '{"size":"50B","payload":["0123456789","ABCDEFGH"]}'),
        ("array", 55, '{"size":"55B","payload":["0123456789","ABCDEFGHIJKLM"]}'),
        ("array", 56, '{"size":"56B","payload":["0123456789","ABCDEFGHIJ","K"]}'),
    ],
)
def test_small_payloads_are_the_published_documents(
    kind: PayloadKind, size_bytes: int, expected: str
) -> None:
    assert payload(kind, size_bytes) == expected


@pytest.mark.parametrize(
    ("kind", "size_bytes", "digest"),
    [
        ("array", 50, "13f3c7112575fbed983c54f9f740539eb49618c0b2884f9719946c4763e5d4e4"),
        ("array", 1024, "b96bac8d1b15544b398cebf9da4af25a123b6262464e619e3bad53d658e86363"),
        ("simple", 1024, "1cee4c1776b1dc36906369a4665a84f7030ac43167f8905771a81586215d0f33"),
    ],
)
def test_payloads_have_the_published_digests(
    kind: PayloadKind, size_bytes: int, digest: str
) -> None:
    assert hashlib.sha256(payload(kind, size_bytes).encode()).hexdigest() == digest


@pytest.mark.parametrize("kind", get_args(PayloadKind))
def test_every_size_from_50_to_5000_is_met_to_the_byte(kind: PayloadKind) -> None:
    for size_bytes in range(50, 5001):
        text = payload(kind, size_bytes)
        assert len(text.encode()) == size_bytes
        assert json.loads(text)["size"] == f"{size_bytes}B"


@given(size_bytes=st.integers(50, 200_000))
def test_strings_of_an_array_have_10_characters_and_the_last_1_to_13(size_bytes: int) -> None:
    *strings, last = json.loads(payload("array", size_bytes))["payload"]
    assert {len(string) for string in strings} <= {10}
    assert 1 <= len(last) <= 13


@pytest.mark.parametrize("size_bytes", [49, 0, -1])
def test_a_payload_below_50_bytes_is_refused(size_bytes: int) -> None:
    with pytest.raises(ValueError, match="at least 50 bytes"):
        payload("array", size_bytes)
