"""The words of an answer, whole: by metric, for one arm to many, with ties and without a winner."""

import pytest

from loadstone.analysis.answer_model import Standing
from standing_builder import cold, late, standing

THREE = {"rust": 60_000.0, "netty": 40_000.0, "node": 5_000.0}
TEN = {f"s{number}": 60_000.0 / (1 + number) for number in range(10)}
TIMES = {"rust": 1e6, "netty": 1.5e6, "node": 8e6}


@pytest.mark.parametrize(
    ("found", "sentences"),
    [
        pytest.param(
            standing({"go": 5_610.0, "node": 2_440.0}),
            [
                "Go answers more: 2.30 times as many requests a second as node.",
                "Throughput is 5.61 k/s [5.50 to 5.72] for go and 2.44 k/s [2.39 to 2.49] for node.",
            ],
            id="two",
        ),
        pytest.param(
            standing(THREE),
            [
                "Rust answers most: 1.50 times as many requests a second as netty, and 12.0 times as "
                "many as node in last place.",
                "Throughput is 60.0 k/s [58.8 to 61.2] for rust, 40.0 k/s [39.2 to 40.8] for netty "
                "and 5.00 k/s [4.90 to 5.10] for node.",
            ],
            id="three",
        ),
        pytest.param(
            standing(TEN),
            [
                "S0 answers most: 2.00 times as many requests a second as s1, and 10.0 times as many "
                "as s9 in last place.",
                "Throughput is 60.0 k/s [58.8 to 61.2] for s0, 30.0 k/s [29.4 to 30.6] for s1 and "
                "6.00 k/s [5.88 to 6.12] for s9.",
            ],
            id="ten",
        ),
        pytest.param(
            standing({"go": 5_610.0}, outcome="one figure", missing=[late("node")]),
            [
                "No winner can be named: only go has a throughput that stands, "
                "5.61 k/s [5.50 to 5.72].",
                "Node has no place: the load generator was late (in 1 of 6 runs).",
            ],
            id="one",
        ),
        pytest.param(
            standing({}, outcome="no figure", missing=[cold("go", 5_610.0), cold("node", 4_000.0)]),
            ["Nobody can be ranked by throughput.", "Go and node have no place: still warming up."],
            id="all withheld",
        ),
        pytest.param(
            standing(THREE, missing=[cold("spring", 70_000.0, would_be_best=True), late("python")]),
            [
                "Rust answers most of the 3 that have a place: 1.50 times as many requests a second as "
                "netty, and 12.0 times as many as node in last place.",
                "Throughput is 60.0 k/s [58.8 to 61.2] for rust, 40.0 k/s [39.2 to 40.8] for netty "
                "and 5.00 k/s [4.90 to 5.10] for node.",
                "Spring has no place: still warming up.",
                "Python has no place: the load generator was late (in 1 of 6 runs).",
                "The figure of spring, 70.0 k/s, would be the best.",
            ],
            id="withheld winner",
        ),
        pytest.param(
            standing(THREE, best=2),
            [
                "Rust and netty share first place by throughput: at least 8.00 times as many requests "
                "a second as node.",
                "Throughput is 60.0 k/s [58.8 to 61.2] for rust, 40.0 k/s [39.2 to 40.8] for netty "
                "and 5.00 k/s [4.90 to 5.10] for node.",
            ],
            id="tie",
        ),
        pytest.param(
            standing(TEN, best=6),
            [
                "6 arms share first place by throughput: at least 1.17 times as many requests a second "
                "as s6, and at least 1.67 times as many as s9 in last place.",
                "Throughput of the 6 is between 60.0 k/s and 10.0 k/s.",
                "Throughput is 8.57 k/s [8.40 to 8.74] for s6 and 6.00 k/s [5.88 to 6.12] for s9.",
            ],
            id="tie of many",
        ),
        pytest.param(
            standing(THREE, best=2, over_next=None, over_last=None),
            [
                "Rust and netty share first place by throughput.",
                "Throughput is 60.0 k/s [58.8 to 61.2] for rust and 40.0 k/s [39.2 to 40.8] for netty.",
            ],
            id="tie whose lead is not told",
        ),
        pytest.param(
            standing({"go": 5_610.0, "node": 5_600.0}, outcome="cannot tell"),
            [
                "Which of go and node answers more cannot be told.",
                "Throughput is 5.61 k/s [5.50 to 5.72] for go and 5.60 k/s [5.49 to 5.71] for node.",
                "A difference of 4.1 % or more would probably have been found.",
            ],
            id="cannot tell",
        ),
        pytest.param(
            standing(TEN, outcome="cannot tell"),
            [
                "Which of 10 arms answers most cannot be told.",
                "Throughput of the 10 is between 60.0 k/s and 6.00 k/s.",
                "A difference of 4.1 % or more would probably have been found.",
            ],
            id="cannot tell of ten",
        ),
        pytest.param(
            standing({"go": 5_610.0, "node": 5_600.0}, outcome="equivalent"),
            [
                "Go and node are equal within 3 % by throughput.",
                "Throughput is 5.61 k/s [5.50 to 5.72] for go and 5.60 k/s [5.49 to 5.71] for node.",
            ],
            id="equal",
        ),
        pytest.param(
            standing(THREE, bound="netty"),
            [
                "Rust answers most: 1.50 times as many requests a second as netty, and 12.0 times as "
                "many as node in last place.",
                "Throughput is 60.0 k/s [58.8 to 61.2] for rust, at least 40.0 k/s [39.2 to 40.8] for "
                "netty and 5.00 k/s [4.90 to 5.10] for node.",
                "Netty may be better than shown, since the load generator was nearly full: the lead "
                "may be smaller.",
            ],
            id="loser is a bound",
        ),
        pytest.param(
            standing(THREE, bound="rust"),
            [
                "Rust answers most: 1.50 times as many requests a second as netty, and 12.0 times as "
                "many as node in last place.",
                "Throughput is at least 60.0 k/s [58.8 to 61.2] for rust, 40.0 k/s [39.2 to 40.8] for "
                "netty and 5.00 k/s [4.90 to 5.10] for node.",
                "Rust may be better than shown, since the load generator was nearly full.",
            ],
            id="winner is a bound",
        ),
        pytest.param(
            standing(
                {"go": 5_610.0, "node": 2_440.0},
                case={"client": "h2", "upstream": "h1"},
                names_workload=True,
            ),
            [
                "Under closed with client h2 and upstream h1, go answers more: 2.30 times as many "
                "requests a second as node.",
                "Throughput is 5.61 k/s [5.50 to 5.72] for go and 2.44 k/s [2.39 to 2.49] for node.",
            ],
            id="one case of several",
        ),
    ],
)
def test_an_answer_is_told_in_whole_sentences(found: Standing, sentences: list[str]) -> None:
    assert list(found.sentences) == sentences


@pytest.mark.parametrize(
    ("metric", "figures", "first"),
    [
        (
            "response_time.p99",
            TIMES,
            "Rust is fastest by response time p99: netty takes 1.50 times as long, and node in last "
            "place 8.00 times.",
        ),
        (
            "first_10s.response_time.p99",
            {"go": 1e6, "node": 2e6},
            "Go is faster by response time p99 in the first 10 s: node takes 2.00 times as long.",
        ),
        (
            "first_10s.throughput",
            {"go": 4e3, "node": 2e3},
            "Go answers more in the first 10 s: 2.00 times as many requests a second as node.",
        ),
        (
            "cpu_per_ok",
            TIMES,
            "Rust needs least CPU per request: netty needs 1.50 times as much, and node in last place "
            "8.00 times.",
        ),
        (
            "rss_peak",
            {"go": 2e8, "node": 4e8},
            "Go needs less memory (RSS peak): node needs 2.00 times as much.",
        ),
        (
            "artifact_size",
            {"go": 2e8, "node": 4e8},
            "Go has the smaller artifact: node has one 2.00 times as large.",
        ),
        ("startup", {"go": 2e8, "node": 4e8}, "Go starts faster: node takes 2.00 times as long."),
        (
            "time_to_steady",
            TIMES,
            "Rust is steady soonest: netty takes 1.50 times as long, and node in last place 8.00 "
            "times.",
        ),
        (
            "time_to_failure",
            {"go": 9e10, "node": 3e10},
            "Go lasts longer: 3.00 times as long as node.",
        ),
        (
            "users_before_failure",
            {"go": 900.0, "node": 300.0},
            "Go bears more users: 3.00 times as many as node.",
        ),
        (
            "failures",
            {"go": 0.001, "node": 0.004},
            "Go fails less: node fails 0.300 points more.",
        ),
        ("apdex", {"go": 0.98, "node": 0.9}, "Go has the higher Apdex: 0.0800 more than node."),
        (
            "gc_cpu_share",
            {"go": 0.01, "node": 0.04},
            "Go has the lower CPU of GC: node has 3.00 points more.",
        ),
        (
            "compile_cpu",
            {"go": 1e9, "node": 2e9},
            "Go has the lower compilers' CPU: node has 2.00 times as much.",
        ),
    ],
)
def test_each_family_of_metrics_has_its_words(
    metric: str, figures: dict[str, float], first: str
) -> None:
    assert standing(figures, metric).sentences[0] == first


def test_a_time_that_was_bounded_is_at_most() -> None:
    found = standing(TIMES, "response_time.p99", bound="node")
    assert "and at most 8.00 ms [7.84 to 8.16] for node." in found.sentences[1]
