"""Files that are not what k6 wrote: each is refused with its place and a remedy, and leaves nothing."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imports import imported

import k6_files
from k6_files import HEADER, SECOND_NS, Sent, Told
from loadstone.errors import InputError
from loadstone.importers import k6, source_file
from loadstone.importers.import_file import run_folders
from loadstone.importers.registry import format_of

LOAD = [Sent(done_ns=second * SECOND_NS) for second in range(1, 4)]
LINES = k6_files.lines(LOAD)


def refused(path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        imported(path)
    error = caught.value
    assert error.path == path
    assert str(path) in str(error)
    assert error.remedy
    assert list(path.parent.iterdir()) == [path]
    return error


def refused_text(directory: Path, text: str | bytes, name: str = "a.csv") -> InputError:
    path = directory / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return refused(path)


def changed(line: int, old: str, new: str) -> str:
    """The good file with a text of one line, from 1, replaced."""
    lines = LINES.copy()
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new)
    return "".join(lines)


FIRST_TIME = LINES[1].split(",")[1]


@pytest.mark.parametrize(
    ("text", "line", "key", "message"),
    [
        ("", None, None, "the file is empty"),
        ("time,elapsed,label\n1,2,3\n", 1, "metric_name", "not a CSV of k6"),
        ("\n", 1, "metric_name", "not a CSV of k6"),
        (LINES[0], None, "http_reqs", "there is no HTTP request in it"),
        ("".join(LINES).replace("error_code", "code", 1), 1, "error_code", "column is missing"),
        (changed(3, "5.000000", "5,0"), 3, None, "20 columns, and the header has 19"),
        (changed(3, "5.000000", "five"), 2, "http_req_duration", "'five' is no number"),
        (changed(3, "5.000000", "-5"), 2, "http_req_duration", "'-5' is no number of 0 or more"),
        (changed(3, "5.000000", "NaN"), 2, "http_req_duration", "'NaN' is no number"),
        (changed(3, "5.000000", "1e300"), 2, "http_req_duration", "longer than an hour"),
        (changed(3, "5.000000", "3600001"), 2, "http_req_duration", "longer than an hour"),
        (changed(2, FIRST_TIME, "yesterday"), 2, "timestamp", "is no time"),
        (changed(2, FIRST_TIME, "0"), 2, "timestamp", "0 is no time since 1970"),
        (changed(2, FIRST_TIME, "9" * 40), 2, "timestamp", "is no time since 1970"),
        (changed(11, FIRST_TIME[:-1], FIRST_TIME[:-3]), 11, "timestamp", "goes back by"),
        (changed(11, FIRST_TIME[:3], "9" + FIRST_TIME[:2]), 11, "timestamp", "more than a week"),
        (changed(3, "http_req_duration", "http_reqs"), 2, "http_req_duration", "no such sample"),
        (changed(2, "http_reqs", "other"), 3, "http_req_duration", "no http_reqs comes before it"),
        (changed(4, "facilities", "users"), 4, "http_req_blocked", "belongs to another request"),
        (changed(4, "blocked", "duration"), 4, "http_req_duration", "belongs to another request"),
        ("".join(LINES)[:-1], len(LINES), None, "the last line is cut"),
        ("".join(LINES)[:-30], len(LINES), None, "the last line is cut"),
        ("".join(LINES[:-3]), 20, "http_req_waiting", "no such sample"),
        (changed(5, "GET", '"GET'), None, None, "not CSV"),
    ],
)  # fmt: skip
def test_a_broken_file_is_refused_with_its_place(
    tmp_path: Path, text: str, line: int | None, key: str | None, message: str
) -> None:
    error = refused_text(tmp_path, text)
    assert message in str(error)
    assert error.key == key
    if line is not None:
        assert error.line == line


def test_what_is_not_gzip_or_is_cut_is_refused(tmp_path: Path) -> None:
    assert "is not gzip" in str(refused_text(tmp_path, "".join(LINES), "a.csv.gz"))
    (tmp_path / "a.csv.gz").unlink()
    whole = gzip.compress("".join(LINES).encode())
    for number, part in enumerate((whole[:-9], whole[:40], whole[:-2] + b"xx", whole + b"garbage")):
        error = refused_text(tmp_path, part, f"{number}.csv.gz")
        assert "the gzip stream is broken" in str(error), number
        assert error.line is not None
        (tmp_path / f"{number}.csv.gz").unlink()


def test_gzip_is_known_by_its_content_too(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(gzip.compress("".join(LINES).encode()))
    assert sum(imported(path).record.outcomes.values()) == 3


def test_text_that_is_none_is_refused(tmp_path: Path) -> None:
    broken = "".join(LINES).encode().replace(b"facilities", b"\xff\xfe", 1)
    error = refused_text(tmp_path, broken)
    assert (error.line, "not UTF-8" in str(error)) == (2, True)


def test_a_line_without_end_does_not_fill_the_memory(tmp_path: Path) -> None:
    endless = LINES[0].encode() + b"x" * (source_file.LONGEST_LINE_BYTES + 1)
    assert "longer than 1,048,576 bytes" in str(refused_text(tmp_path, endless))


def test_no_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.csv", tmp_path):
        with pytest.raises(InputError, match="there is no such file"):
            imported(path)


def test_more_names_than_anybody_compares_are_refused(tmp_path: Path) -> None:
    sent = [Sent(done_ns=SECOND_NS, name=f"/user/{n}") for n in range(k6.MOST_OPERATIONS + 1)]
    error = refused(k6_files.write(tmp_path / "a.csv", sent))
    assert error.key == "name"
    assert "tags: {name:" in error.remedy


def test_a_number_of_users_beyond_any_load_is_refused(tmp_path: Path) -> None:
    error = refused(k6_files.write(tmp_path / "a.csv", [Told("vus", 0, 1e12), *LOAD]))
    assert (error.key, error.line) == ("vus", 2)


def test_values_of_other_metrics_may_be_anything(tmp_path: Path) -> None:
    told = [Told("my_trend", SECOND_NS, float("nan")), Told("data_sent", SECOND_NS, 1e300)]
    assert imported(k6_files.write(tmp_path / "a.csv", [*told, *LOAD])).record.source is not None


def test_columns_may_come_in_any_order_and_optional_ones_may_be_missing(tmp_path: Path) -> None:
    header = [column for column in reversed(HEADER) if column not in ("metadata", "group", "proto")]
    run = imported(k6_files.write(tmp_path / "a.csv", LOAD, header=header))
    assert sum(run.record.outcomes.values()) == 3
    assert run.load.spoken is None
    assert run.record.source.absent["spoken"] == "the file has no column proto"


def test_an_unknown_format_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match="unknown format 'jtl'") as caught:
        format_of("jtl")
    assert caught.value.remedy == "one of: k6"


def test_two_files_for_one_folder_and_a_folder_that_is_there_are_refused(tmp_path: Path) -> None:
    paths = [tmp_path / "a" / "x.csv", tmp_path / "b" / "x.csv.gz"]
    with pytest.raises(InputError, match="as another of the files does"):
        run_folders(paths, tmp_path / "out")
    (tmp_path / "out" / "x").mkdir(parents=True)
    with pytest.raises(InputError, match="its run is there already"):
        run_folders(paths[:1], tmp_path / "out")
    for name in (".csv", "...csv.gz"):
        with pytest.raises(InputError, match="no name but endings"):
            run_folders([Path(name)], tmp_path)


def corrupted(draw: Callable[[st.SearchStrategy[int]], int]) -> bytes:
    """The good file with a piece cut out, doubled or overwritten."""
    whole = bytearray("".join(LINES).encode())
    start = draw(st.integers(0, len(whole) - 1))
    length = draw(st.integers(1, 200))
    piece = draw(st.binary(max_size=50))
    whole[start : start + length] = piece
    return bytes(whole)


@given(data=st.data())
@settings(max_examples=150)
def test_whatever_is_in_a_file_it_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    directory = tmp_path_factory.mktemp("corrupted")
    path = directory / "a.csv"
    path.write_bytes(corrupted(data.draw))
    run, error = None, None
    try:
        run = imported(path)
    except InputError as refusal:
        error = refusal
    if run is not None:
        assert sum(run.outcomes().values()) == sum(run.record.outcomes.values()) > 0
    else:
        assert error.path == path
        assert error.remedy
        assert list(directory.iterdir()) == [path]
