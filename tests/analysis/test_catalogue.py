import pytest

from loadstone.analysis.catalogue import METRICS, QUANTILES, covers, is_time, metric
from loadstone.analysis.model import MetricInfo
from loadstone.analysis.words import verdict_of, words_of
from loadstone.errors import InputError
from loadstone.stats.verdict import Relation


def test_every_name_is_there_once() -> None:
    names = [info.name for info in METRICS]
    assert len(names) == len(set(names))
    assert set(QUANTILES) <= set(names)


def test_an_unknown_metric_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="unknown metric 'p99'") as error:
        metric("p99")
    assert "response_time.p99" in str(error.value.remedy)


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("response_time.*", "response_time.p99", True),
        ("response_time.*", "service_time.p99", False),
        ("response_time.p99", "response_time.p99.9", False),
        ("throughput", "throughput", True),
    ],
)
def test_a_pattern_covers_what_is_below_it(pattern: str, name: str, expected: bool) -> None:
    assert covers((pattern,), name) is expected


def test_a_finding_without_metrics_covers_none() -> None:
    assert not covers((), "throughput")


@pytest.mark.parametrize("info", METRICS, ids=lambda info: info.name)
def test_better_is_the_direction_of_the_metric(info: MetricInfo) -> None:
    better = Relation.ABOVE if info.direction == "higher" else Relation.BELOW
    worse = Relation.BELOW if info.direction == "higher" else Relation.ABOVE
    assert (verdict_of(info, better), verdict_of(info, worse)) == ("better", "worse")
    words = {words_of(info, Relation.BELOW), words_of(info, Relation.ABOVE)}
    assert words == ({"faster", "slower"} if is_time(info.name) else {"lower", "higher"})
    for same in (Relation.EQUIVALENT, Relation.CANNOT_TELL):
        assert verdict_of(info, same) == words_of(info, same) == same
