import math
from pathlib import Path

import numpy as np
import pytest
from hdrh.histogram import HdrHistogram
from hypothesis import given, settings
from hypothesis import strategies as st

from loadstone.errors import InputError
from loadstone.metrics.outcomes import Clock, ConnectionClock, Outcome
from loadstone.results import folder, histogram_log
from loadstone.results.histogram_log import Key, read_histograms
from loadstone.results.histograms import EMPTY, Histogram, merge
from loadstone.simulate.engine_files import write_operations
from loadstone.simulate.requests import Requests

SECOND_NS = 1_000_000_000
OK = Key("echo", Clock.RESPONSE_TIME, ok=True)
VALUES = st.lists(st.integers(1_000, 3_600 * SECOND_NS), min_size=1, max_size=50)


def always(_start_ns: int, _end_ns: int) -> bool:
    return True


def line(values: list[int], tag: str = "echo/response_time/ok", highest: int = 2**43) -> str:
    histogram = HdrHistogram(1_000, highest, 3)
    for value in values:
        histogram.record_value(value)
    return f"Tag={tag},0.000000,1.000000,1.000,{histogram.encode().decode()}\n"


def read(path: Path, text: str) -> dict[Key, Histogram]:
    path.write_text(text)
    return read_histograms(path, always)


def of(values: list[int]) -> HdrHistogram:
    histogram = HdrHistogram(1_000, 2**43, 3)
    for value in values:
        histogram.record_value(value)
    return histogram


@given(values=VALUES)
@settings(max_examples=50)
def test_merged_values_and_mean_are_those_of_the_hdrhistogram_package(
    values: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("log") / folder.HISTOGRAMS
    half = len(values) // 2
    text = "".join(line(part) for part in (values[:half], values[half:]) if part)
    merged, expected = read(path, text)[OK], of(values)
    recorded, counts = merged.recorded
    assert merged.count == expected.total_count
    assert recorded.tolist() == sorted({expected.get_highest_equivalent_value(v) for v in values})
    assert counts.sum() == len(values)
    assert merged.mean_ns() == pytest.approx(expected.get_mean_value())


def test_intervals_that_grew_to_different_ranges_add_up(tmp_path: Path) -> None:
    text = line([5_000], highest=2**20) + line([5_000, 7 * SECOND_NS], highest=2**43)
    merged = read(tmp_path / "log", text)[OK]
    assert merged.recorded[1].tolist() == [2, 1]


def test_histograms_of_different_precision_are_not_merged() -> None:
    coarse = Histogram(np.ones(3, dtype=np.int64), unit_magnitude=9, half_magnitude=7)
    fine = Histogram(np.ones(3, dtype=np.int64), unit_magnitude=9, half_magnitude=10)
    with pytest.raises(ValueError, match="precision"):
        merge([coarse, fine])


def test_nothing_merged_is_empty_and_has_no_mean() -> None:
    assert merge([]) is EMPTY
    assert EMPTY.mean_ns() is None
    assert EMPTY.count == 0


def test_only_kept_intervals_are_merged(tmp_path: Path) -> None:
    done = np.array([500, 1500, 2500]) * 1_000_000
    requests = Requests(
        done - 2_000_000, done - 1_000_000, done, np.full(3, Outcome.OK), np.zeros_like(done)
    )
    write_operations(tmp_path, {"echo": requests}, 3 * SECOND_NS, SECOND_NS)
    path = tmp_path / folder.HISTOGRAMS
    kept = read_histograms(path, lambda start_ns, _: start_ns == SECOND_NS)
    assert kept[OK].count == 1
    assert read_histograms(path, always)[OK].count == 3


def test_every_tag_has_its_own_histogram(tmp_path: Path) -> None:
    text = line([5_000], tag="a/b/engine_lag/failed") + line([6_000, 7_000], tag="a/first_byte/ok")
    found = read(tmp_path / "log", text)
    assert {key: histogram.count for key, histogram in found.items()} == {
        Key("a/b", Clock.ENGINE_LAG, ok=False): 1,
        Key("a", Clock.FIRST_BYTE, ok=True): 2,
    }


def test_connections_have_tags_of_two_parts_beside_an_operation_of_the_same_name(
    tmp_path: Path,
) -> None:
    text = (
        line([5_000], tag="connect/ok")
        + line([6_000, 7_000], tag="tls/failed")
        + line([8_000], tag="connect/service_time/ok")
    )
    found = read(tmp_path / "log", text)
    assert {key: histogram.count for key, histogram in found.items()} == {
        Key("", ConnectionClock.CONNECT, ok=True): 1,
        Key("", ConnectionClock.TLS, ok=False): 2,
        Key("connect", Clock.SERVICE_TIME, ok=True): 1,
    }


@given(cut=st.floats(0, 1))
@settings(max_examples=50)
def test_a_last_line_that_is_cut_anywhere_is_left_out(
    cut: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole, torn = line([5_000]), line([6_000, 7_000])
    kept = torn[: math.floor(cut * (len(torn) - 2))]
    merged = read(tmp_path_factory.mktemp("log") / "log", whole + kept)[OK]
    assert merged.count == 1


def test_a_broken_line_before_the_last_is_an_error_with_its_number(tmp_path: Path) -> None:
    text = "#[a comment]\n" + line([5_000])[:-20] + "\n" + line([5_000])
    with pytest.raises(InputError, match=r"log:2: not an interval") as error:
        read(tmp_path / "log", text)
    assert error.value.remedy


@pytest.mark.parametrize("broken", ["Tag=", "no interval", line([5_000])[:-20]])
def test_the_first_of_several_broken_lines_is_named(tmp_path: Path, broken: str) -> None:
    text = line([5_000]) + broken + "\n" + line([5_000])[:-9] + "\n" + line([5_000])
    with pytest.raises(InputError, match="log:2"):
        read(tmp_path / "log", text)


def test_a_line_of_another_precision_is_an_error_with_its_number(tmp_path: Path) -> None:
    coarse = HdrHistogram(1_000, 2**43, 2).encode().decode()
    text = line([5_000]) + f"Tag=tls/ok,0.0,1.0,1.000,{coarse}\n" + line([5_000])
    with pytest.raises(InputError, match=r"log:2.*another precision"):
        read(tmp_path / "log", text)


def test_a_log_of_many_batches_is_that_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(
        line([5_000 + 600 * number, 10**6], tag=TAGS[number % 3]) for number in range(40)
    )
    whole = read(tmp_path / "log", text)
    monkeypatch.setattr(histogram_log, "_BATCH_BYTES", 30)
    parts = read(tmp_path / "log", text)
    assert whole.keys() == parts.keys()
    assert all(np.array_equal(whole[key].counts, parts[key].counts) for key in whole)
    with pytest.raises(InputError, match="log:41"):
        read(tmp_path / "log", text + line([5_000])[:-20] + "\n" + line([5_000]))


TAGS = ("echo/response_time/ok", "echo/service_time/failed", "tls/ok")


@pytest.mark.parametrize(
    "tag",
    [
        "echo",
        "ok",
        "echo/ok",
        "tls/maybe",
        "/response_time/ok",
        "echo/response_time/maybe",
        "echo/no_clock/ok",
        "echo/tls/ok",
    ],
)
def test_a_foreign_tag_is_an_error(tmp_path: Path, tag: str) -> None:
    with pytest.raises(InputError, match="log:1"):
        read(tmp_path / "log", line([5_000], tag=tag) + line([5_000]))


def test_a_missing_log_is_an_error_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"histograms\.hlog: the histogram log is missing"):
        read_histograms(tmp_path / folder.HISTOGRAMS, always)
