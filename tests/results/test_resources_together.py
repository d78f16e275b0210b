"""What several processes of one arm used, added up."""

import pytest

from loadstone.results.record import ResourceFacts
from loadstone.results.window import together

SECOND = 10**9
SHARED_NS = 10 * SECOND
"""Ten seconds of one CPU."""


def used(cpu_ns: int | None, share: float | None, rss: int | None = 100) -> ResourceFacts:
    return ResourceFacts(cpu_ns=cpu_ns, cpu_share=share, rss_peak_bytes=rss)


def test_time_and_memory_are_sums() -> None:
    found = together([used(SECOND, 0.1, 100), used(3 * SECOND, 0.3, 50)], SHARED_NS)
    assert (found.cpu_ns, found.rss_peak_bytes) == (4 * SECOND, 150)


def test_services_that_fill_their_cpus_together_are_full() -> None:
    found = together([used(4 * SECOND, 0.4), used(6 * SECOND, 0.6)], SHARED_NS)
    assert found.cpu_share == pytest.approx(1.0)


def test_a_service_that_fills_its_own_quota_is_full_whatever_the_others_leave() -> None:
    quota_of_a_fifth = used(2 * SECOND, 1.0)
    found = together([quota_of_a_fifth, used(SECOND, 0.1)], SHARED_NS)
    assert found.cpu_share == 1.0


def test_several_that_use_half_of_their_quotas_are_not_full_together() -> None:
    half_of_a_quota_of_a_fifth = used(SECOND, 0.5)
    found = together([half_of_a_quota_of_a_fifth] * 4, SHARED_NS)
    assert found.cpu_share == 0.5
    found = together([half_of_a_quota_of_a_fifth] * 8, SHARED_NS)
    assert found.cpu_share == pytest.approx(0.8), "of the CPU that they share"


def test_what_is_not_known_of_one_is_not_known_of_all() -> None:
    found = together([used(SECOND, 0.1, 100), used(None, None, None)], SHARED_NS)
    assert found == ResourceFacts(cpu_ns=None, cpu_share=None, rss_peak_bytes=None)


def test_services_that_did_nothing_used_nothing() -> None:
    found = together([used(0, 0.0), used(0, 0.0)], SHARED_NS)
    assert (found.cpu_ns, found.cpu_share) == (0, 0.0)


def test_where_nobody_knows_their_cpus_the_fullest_counts() -> None:
    found = together([used(4 * SECOND, 0.4), used(6 * SECOND, 0.6)], 0)
    assert found.cpu_share == 0.6


def test_the_most_throttled_part_holds_all_back() -> None:
    slow = ResourceFacts(cpu_ns=1, cpu_share=0.5, throttled_share=0.4, rss_peak_bytes=1)
    assert together([slow, used(1, 0.1)], SHARED_NS).throttled_share == 0.4
