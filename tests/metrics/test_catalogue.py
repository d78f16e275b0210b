import pytest

from loadstone.analysis.sentences.words import verdict_of, words_of
from loadstone.errors import InputError
from loadstone.metrics.catalogue import (
    COMPARED,
    METRICS,
    QUANTILES,
    compared_metric,
    covers,
    is_time,
    metric,
)
from loadstone.metrics.model import MetricInfo
from loadstone.stats.comparison.verdict import Relation


def test_every_name_is_there_once() -> None:
    names = [info.name for info in METRICS]
    assert len(names) == len(set(names))
    assert set(QUANTILES) <= set(names)


def test_an_unknown_metric_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="unknown metric 'p99'") as error:
        metric("p99")
    assert "response_time.p99" in str(error.value.remedy)


@pytest.mark.parametrize("name", ["offered", "bytes_sent", "users_in_system", "load_average"])
def test_no_arms_are_compared_by_what_is_neither_better_nor_worse(name: str) -> None:
    with pytest.raises(InputError, match="neither better nor worse") as error:
        compared_metric(name)
    known = str(error.value.remedy)
    assert "throughput" in known
    assert name not in known
    assert compared_metric("throughput") == metric("throughput")


def test_metrics_that_are_shown_together_stand_together() -> None:
    groups = [info.group for info in METRICS]
    assert groups == sorted(groups, key=groups.index)


def test_what_a_metric_is_made_of_is_in_the_catalogue() -> None:
    for info in METRICS:
        for part in info.made_of:
            assert part != info.name
            assert metric(part).made_of == ()  # no chains: `covers` looks one step down


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("response_time.*", "apdex", True),
        ("service_time.*", "apdex", False),
        ("throughput", "bytes_received", True),
        ("cpu_per_ok", "ok_per_cpu_second", True),
        ("response_time.*", "response_time.standard_deviation", True),
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


@pytest.mark.parametrize("info", [metric(name) for name in COMPARED], ids=lambda info: info.name)
def test_better_is_the_direction_of_the_metric(info: MetricInfo) -> None:
    better = Relation.ABOVE if info.direction == "higher" else Relation.BELOW
    worse = Relation.BELOW if info.direction == "higher" else Relation.ABOVE
    assert (verdict_of(info, better), verdict_of(info, worse)) == ("better", "worse")
    words = {words_of(info, Relation.BELOW), words_of(info, Relation.ABOVE)}
    assert words == ({"faster", "slower"} if is_time(info.name) else {"lower", "higher"})
    for same in (Relation.EQUIVALENT, Relation.CANNOT_TELL):
        assert verdict_of(info, same) == words_of(info, same) == same
