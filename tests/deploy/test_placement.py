"""Which CPUs each role may use."""

from hypothesis import given
from hypothesis import strategies as st

from loadstone.deploy.placement import place


def test_on_two_cpus_the_service_has_the_second_alone() -> None:
    placement = place((0, 1))
    assert placement.service == (1,)
    assert placement.bench == (0,)
    assert not placement.shared


def test_one_cpu_is_shared_and_says_so() -> None:
    assert place((3,)).shared


@given(st.sets(st.integers(0, 255), min_size=2))
def test_roles_never_overlap_and_leave_no_cpu_out(cpus: set[int]) -> None:
    placement = place(tuple(cpus))
    assert not placement.shared
    assert sorted(placement.service + placement.bench) == sorted(cpus)
    assert placement.service
    assert placement.bench
