"""`requests.bin`: a row for every request."""

import json
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loadstone.errors import InputError
from loadstone.metrics.outcomes import NotSent, Outcome
from loadstone.results.requests import read_requests

NEVER = 2**64 - 1
LAYOUT = struct.Struct("<QQQQQQIIHHHBBQHHI")
FIRST_LAYOUT = struct.Struct("<QQQQQQIIHHHBB")
HEADER = (
    json.dumps(
        {
            "format": "loadstone requests",
            "version": 2,
            "operations": ["login", "facilities"],
            "groups": ["adders", "bookers"],
        }
    ).encode()
    + b"\n"
)
OK = (0, 10, 20, 30, 40, 500, 60, 7, 1, 1, 200, 0, 0, 12, 1, 3, 0)


def file_of(directory: Path, *rows: tuple[int, ...], header: bytes = HEADER) -> Path:
    path = directory / "requests.bin"
    path.write_bytes(header + b"".join(LAYOUT.pack(*row) for row in rows))
    return path


def test_a_row_is_a_request(tmp_path: Path) -> None:
    assert LAYOUT.size == 80
    (row,) = read_requests(file_of(tmp_path, OK)).to_dicts()
    assert row == {
        "sequence": 0,
        "worker": 1,
        "connection": 7,
        "operation": "facilities",
        "group": "bookers",
        "session": 12,
        "step": 3,
        "intended_ns": 10,
        "written_ns": 20,
        "first_byte_ns": 30,
        "done_ns": 40,
        "bytes_sent": 60,
        "bytes_received": 500,
        "status": 200,
        "outcome": Outcome.OK,
        "not_sent": None,
    }


def test_a_file_of_before_tells_no_session(tmp_path: Path) -> None:
    assert FIRST_LAYOUT.size == 64
    path = tmp_path / "requests.bin"
    header = HEADER.replace(b": 2,", b": 1,").replace(b"groups", b"users")
    path.write_bytes(header + FIRST_LAYOUT.pack(*OK[:13]) * 2)
    table = read_requests(path)
    assert table["operation"].to_list() == ["facilities", "facilities"]
    assert table["done_ns"].to_list() == [40, 40]
    for name in ("group", "session", "step"):
        assert table[name].to_list() == [None, None]
    assert table.columns == read_requests(file_of(tmp_path, OK)).columns


def test_what_never_happened_is_null(tmp_path: Path) -> None:
    outcome = list(Outcome).index(Outcome.NOT_SENT)
    unsent = (1, 10, NEVER, NEVER, 15, 0, 0, 2**32 - 1, 0, 0, 0, outcome, 1, 0, 0, 0, 0)
    (row,) = read_requests(file_of(tmp_path, unsent)).to_dicts()
    assert (row["outcome"], row["not_sent"]) == (Outcome.NOT_SENT, NotSent.NO_CONNECTION)
    for name in ("written_ns", "first_byte_ns", "connection", "status"):
        assert row[name] is None


def test_a_load_without_requests_is_an_empty_table(tmp_path: Path) -> None:
    table = read_requests(file_of(tmp_path))
    assert table.height == 0
    assert "response_time" not in table.columns


@given(cut=st.integers(1, 79), rows=st.integers(1, 3))
@settings(max_examples=20)
def test_a_file_that_is_cut_within_a_row_is_an_error_with_how_much_is_whole(
    cut: int, rows: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = file_of(tmp_path_factory.mktemp("cut"), *[OK] * rows)
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(InputError, match=f"{rows - 1} rows of 80 bytes, and {80 - cut}") as caught:
        read_requests(path)
    assert caught.value.remedy
    assert str(path) in caught.value.message


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"", "ends within its header"),
        (b'{"operations"', "ends within its header"),
        (b"\x7fELF\n", "first line is not that of loadstone requests, version 1 or 2"),
        (b"[]\n", "first line is not"),
        (b"{}\n", "first line is not"),
        (HEADER.replace(b": 2,", b": 3,"), "first line is not"),
        (HEADER.replace(b"groups", b"users"), "first line is not"),
        (HEADER.replace(b"operations", b"operators"), "first line is not"),
    ],
)
def test_a_file_that_is_cut_within_its_header_or_foreign_is_an_error(
    tmp_path: Path, header: bytes, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_requests(file_of(tmp_path, header=header))


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (9, 2, "row 2 has the operation 2, and there are 2"),
        (11, 11, "row 2 has the outcome 11, and there are 11"),
        (12, 5, "row 2 has the not_sent 5, and there are 5"),
        (14, 2, "row 2 has the group 2, and there are 2"),
    ],
)
def test_a_row_with_a_number_that_nothing_has_is_an_error(
    tmp_path: Path, place: int, value: int, message: str
) -> None:
    wrong = list(OK)
    wrong[place] = value
    with pytest.raises(InputError, match=message):
        read_requests(file_of(tmp_path, OK, tuple(wrong)))


def test_a_missing_file_says_how_to_keep_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="missing") as caught:
        read_requests(tmp_path / "requests.bin")
    assert "--requests" in (caught.value.remedy or "")
