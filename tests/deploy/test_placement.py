"""Which CPUs each role may use."""

import os
from threading import Event, Thread

from hypothesis import given
from hypothesis import strategies as st

from loadstone.deploy.placement import available_cpus, lab_on, place


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


def test_every_thread_of_the_lab_is_moved_and_moved_back() -> None:
    before = available_cpus()
    ready, leave = Event(), Event()

    def other() -> None:
        ready.set()
        leave.wait()

    thread = Thread(target=other)
    thread.start()
    ready.wait()
    assert thread.native_id is not None
    try:
        with lab_on(before[:1]):
            assert available_cpus() == before[:1]
            assert os.sched_getaffinity(thread.native_id) == set(before[:1])
        assert os.sched_getaffinity(thread.native_id) == set(before)
    finally:
        leave.set()
        thread.join()
