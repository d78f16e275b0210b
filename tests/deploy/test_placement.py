"""Which CPUs each role may use."""

import os
from pathlib import Path
from threading import Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.deploy.placement import available_cores, available_cpus, lab_on, place
from loadstone.errors import InputError
from loadstone.study.values.model import PlacementWish


def test_on_two_cpus_the_service_has_the_second_alone() -> None:
    placement = place(((0,), (1,)))
    assert placement.service == (1,)
    assert placement.bench == (0,)
    assert not placement.shared


def test_one_cpu_is_shared_and_says_so() -> None:
    assert place(((3,),)).shared


@given(st.sets(st.integers(0, 255), min_size=2), st.integers(1, 4))
def test_roles_never_overlap_and_leave_no_cpu_out(cpus: set[int], threads: int) -> None:
    ordered = sorted(cpus)
    cores = tuple(tuple(ordered[at : at + threads]) for at in range(0, len(ordered), threads))
    placement = place(cores)
    assert not placement.shared
    assert placement.shares_core == (len(cores) == 1)
    assert sorted(placement.service + placement.bench) == ordered
    assert placement.service
    assert placement.bench


def test_the_threads_of_a_core_stay_together() -> None:
    placement = place(((0, 4), (1, 5), (2, 6), (3, 7)))
    assert placement.bench == (0, 1, 4, 5)
    assert placement.service == (2, 3, 6, 7)


def test_a_wish_is_granted_and_what_it_costs_is_said() -> None:
    placement = place(((0, 2), (1, 3)), PlacementWish(service=(2,), bench=(0, 1)))
    assert (placement.service, placement.bench) == ((2,), (0, 1))
    assert placement.shares_core


def test_a_wish_for_a_cpu_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(InputError, match="names CPU 9") as caught:
        place(((0,), (1,)), PlacementWish(service=(9,), bench=(0,)))
    assert caught.value.remedy == "choose among 0, 1"


def test_cores_are_read_from_the_kernel(tmp_path: Path) -> None:
    for cpu in available_cpus():
        folder = tmp_path / f"cpu{cpu}" / "topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text("0-1\n")
    assert available_cores(tmp_path) == (available_cpus(),)
    assert available_cores(tmp_path / "nothing") == tuple((cpu,) for cpu in available_cpus())


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
