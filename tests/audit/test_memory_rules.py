"""Want of memory and growth that does not end are found; caches, teeth and warm-ups are not."""

from pathlib import Path

import numpy as np
import pytest
from changes import OfSecond, held, with_process, with_ticks
from hypothesis import given
from hypothesis import strategies as st

from loadstone.audit.service.memory_growth import GROWN_SHARE, PARTS, memory_grows, rises_evenly
from loadstone.audit.service.out_of_memory import out_of_memory
from loadstone.findings.model import Finding, Severity
from observed import observed
from results_builder import Behaviour, rate

NOTE, WARNING, WITHHOLD = Severity.NOTE, Severity.WARNING, Severity.WITHHOLD
MIB = 2**20


def test_a_kill_for_want_of_memory_withholds(tmp_path: Path) -> None:
    run = with_process(
        observed(tmp_path), "gateway", **held(out_of_memory_kills=1, memory_bytes=64 * MIB)
    )
    (finding,) = out_of_memory(run)
    assert (finding.code, finding.severity) == ("out-of-memory", WITHHOLD)
    assert "killed 1 process of gateway for want of memory within its limit of 64.0 MiB" in (
        finding.evidence
    )
    assert {"throughput", "startup", "rss_peak"} < set(finding.metrics)


@pytest.mark.parametrize(
    ("charged_mib", "rss_mib", "severities"),
    [(98.9, 98, []), (99, 90, [WARNING]), (100, 89, [NOTE]), (100, 100, [WARNING])],
)
def test_a_full_group_is_a_doubt_only_where_processes_fill_it(
    tmp_path: Path, charged_mib: float, rss_mib: int, severities: list[Severity]
) -> None:
    """What is charged holds files that the kernel keeps for as long as there is room."""
    run = with_process(
        observed(tmp_path, Behaviour(rss_mib=rss_mib)),
        "gateway",
        **held(
            out_of_memory_kills=0,
            memory_bytes=100 * MIB,
            memory_peak_bytes=round(charged_mib * MIB),
        ),
    )
    assert [each.severity for each in out_of_memory(run)] == severities


def test_a_service_without_limits_is_never_out_of_memory(tmp_path: Path) -> None:
    assert list(out_of_memory(observed(tmp_path))) == []
    run = with_process(observed(tmp_path / "held"), "gateway", **held(memory_peak_bytes=MIB))
    assert list(out_of_memory(run)) == []


def grown(directory: Path, seconds: int, rss_mib: OfSecond) -> list[Finding]:
    """A window of so many seconds after 2 of warm-up, with this memory at each second."""
    run = observed(directory, workload=rate(20, seconds=seconds + 2))
    return list(memory_grows(with_ticks(run, {"rss_bytes": lambda s: rss_mib(s) * MIB})))


@pytest.mark.parametrize(
    "rss_mib",
    [lambda s: 100 + 0.5 * s, lambda s: 100 + 0.5 * s + 20 * (s % 2)],
    ids=["straight", "teeth over a leak"],
)
def test_memory_that_rises_to_the_end_is_told(tmp_path: Path, rss_mib: OfSecond) -> None:
    (finding,) = grown(tmp_path, 30, rss_mib)
    assert (finding.code, finding.severity) == ("memory-grows", WARNING)
    assert finding.metrics == ("rss_peak",)
    assert "rose in each of 6 parts of the window, from 10" in finding.evidence


@pytest.mark.parametrize(
    "rss_mib",
    [
        lambda s: 100.0,
        lambda s: 100 + 0.14 * s,  # 3.5 % from the first part to the last
        lambda s: 200 - 100 * 0.5 ** (s / 10),  # three quarters of the way to its bound
        lambda s: 100 + min(s, 20),
        lambda s: 100 + 5 * (s % 7),
        lambda s: 100 + 3 * (s % 13),
        lambda s: 150 - s,
    ],
    ids=["flat", "slight", "warm-up", "plateau", "teeth", "long teeth", "shrinking"],
)
def test_memory_that_comes_to_rest_or_is_collected_is_not(
    tmp_path: Path, rss_mib: OfSecond
) -> None:
    assert grown(tmp_path, 30, rss_mib) == []


LOWS = st.lists(st.floats(1.0, 1e12), min_size=PARTS, max_size=PARTS)


@given(LOWS)
def test_only_what_rises_from_part_to_part_rises_evenly(lows: list[float]) -> None:
    if rises_evenly(np.array(lows)):
        assert lows == sorted(lows)
        assert lows[-1] > (1 + GROWN_SHARE) * lows[0]
        assert not rises_evenly(np.array(lows[::-1]))


@given(st.floats(1.0, 1e12), st.floats(0.02, 10.0))
def test_a_straight_line_rises_evenly_whatever_its_unit(first: float, share: float) -> None:
    """By 2 % of the first in each part or more."""
    assert rises_evenly(first * (1 + share * np.arange(PARTS)))


def test_a_window_below_30_s_is_too_short_to_tell(tmp_path: Path) -> None:
    assert grown(tmp_path, 29, lambda s: 100 + s) == []
