"""What a published procedure says of single requests, and the runs' answer beside it, in words."""

from collections import Counter
from collections.abc import Sequence

from loadstone.analysis.per_request_model import (
    PerRequestComparison,
    RequestSample,
    RequestTest,
    RunsAnswer,
)
from loadstone.metrics.labels import metric_label
from loadstone.stats.comparison.published_procedure import ALPHA
from loadstone.text import units
from loadstone.text.words import counted

_STATISTICS = {
    "Student's t": "t",
    "Wilcoxon rank-sum": "W",
    "Shapiro-Wilk": "W",
    "Lilliefors": "D",
}
SMALLEST_P_VALUE = 1e-300
"""Below it a number of a computer has no digits left, and reads 0."""


def pair_text(compared: PerRequestComparison) -> str:
    """`node against go under closed, operation login`."""
    text = f"{compared.other} against {compared.baseline}"
    if compared.workload:
        text += f" under {compared.workload}"
    if compared.group is not None:
        text += f", group {compared.group}"
    if compared.operation is not None:
        text += f", operation {compared.operation}"
    return text


def published_text(test: RequestTest) -> str:
    """`slower: Wilcoxon rank-sum, W 87,285, p 2.93e-88`."""
    statistic = _statistic(test.test, test.statistic)
    return f"{test.told}: {test.test}, {statistic}, {p_text(test.p_value)}"


def samples_text(test: RequestTest) -> str:
    """What the procedure saw of each sample: baseline first."""
    return "; ".join(map(_sample_text, (test.baseline, test.other)))


def effect_text(test: RequestTest) -> str:
    """`Cliff's delta +0.94, median +7.75 ms`."""
    apart = units.difference(test.median_difference_ns, "ns")
    return f"Cliff's delta {test.cliffs_delta:+.2f}, median {apart}"


def independent_text(test: RequestTest) -> str:
    """`34.1 of 300 and 38.3 of 300; by second p 4.08e-11`."""
    both = " and ".join(
        f"{'not known' if each.independent is None else units.number(each.independent)} of "
        f"{each.requests:,}"
        for each in (test.baseline, test.other)
    )
    return f"{both}; by second {p_text(test.by_second_p_value)}"


def blocks_text(compared: PerRequestComparison) -> str:
    """`slower in 4 of 6 blocks, no difference in 2`; of two runs `one run a side`."""
    tests = compared.tests
    if any(each.block is None for each in tests):
        return "one run a side"
    told = Counter(each.told for each in tests)
    parts = [f"{word} in {number}" for word, number in told.most_common()]
    if parts:
        parts[0] += f" of {counted(len(tests), 'block')}"
    if compared.left_out:
        parts.append(f"not compared in {len(compared.left_out)}")
    return ", ".join(parts)


def runs_text(answer: RunsAnswer) -> str:
    """`slower: service time median 1.42 ×, 95 % interval [1.31, 1.54], 6 runs each`."""
    parts = []
    if answer.estimate is not None:
        parts.append(f"{metric_label(answer.metric)} {units.ratio(answer.estimate)}")
    if answer.low is not None and answer.high is not None and answer.level is not None:
        interval = units.ratio_interval(answer.low, answer.high)
        parts.append(f"{units.percent(answer.level)} interval {interval}")
    if answer.reason:
        parts.append(answer.reason)
    baseline, other = answer.runs
    each = f"{counted(other, 'run')} each"
    parts.append(each if baseline == other else f"{baseline} and {counted(other, 'run')}")
    return f"{answer.words}: {', '.join(parts)}"


def summary_text(compared: Sequence[PerRequestComparison]) -> str:
    """How often each of the two tells a difference, over all comparisons."""
    tests = [test for each in compared for test in each.tests]
    told = sum(test.told != "no difference" for test in tests)
    by_second = sum(test.by_second_p_value < ALPHA for test in tests)
    by_runs = sum(each.by_runs.words in ("faster", "slower") for each in compared)
    return (
        f"Of {counted(len(tests), 'test')} of single requests, one run a side, {told or 'none'} "
        f"{'tells' if told < 2 else 'tell'} a difference, and {by_second or 'none'} would by the means "
        f"of seconds. Of {counted(len(compared), 'pair')} of arms the runs tell "
        f"{by_runs or 'none'} apart."
    )


def p_text(p_value: float) -> str:
    """`p 0.0127`, `p < 1e-300`."""
    if p_value < SMALLEST_P_VALUE:
        return f"p < {SMALLEST_P_VALUE:g}"
    return f"p {units.number(p_value)}"


def _sample_text(sample: RequestSample) -> str:
    if sample.normality is None or sample.skewness is None:
        return f"{sample.run}: {counted(sample.requests, 'request')}, all alike"
    statistic = _statistic(sample.normality, sample.normality_statistic or 0.0)
    return (
        f"{sample.run}: {counted(sample.requests, 'request')}, "
        f"{'normal' if sample.is_normal else 'not normal'} ({sample.normality} {statistic}, "
        f"{p_text(sample.normality_p_value or 0.0)}), skewness {sample.skewness:.2f}"
    )


def _statistic(test: str, value: float) -> str:
    """`W 87,285.5`: ranks may be halves; every other statistic has three digits."""
    name = _STATISTICS[test]
    if test == "Wilcoxon rank-sum":
        return f"{name} {f'{value:,.1f}'.removesuffix('.0')}"
    return f"{name} {units.number(value)}"
