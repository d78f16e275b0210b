"""Who gives way to an engine that may not run in real time."""

import pytest

from loadstone.machine import real_time
from loadstone.measure.loading.giving_way import giving_way
from loadstone.results.record import ProcessFacts

PROCESSES = tuple(
    ProcessFacts.model_validate(
        {"role": role, "name": role, "command": role, "pid": pid, "cpus": (0,)}
    )
    for pid, role in enumerate(("dependency", "bench", "service"), start=100)
)


@pytest.mark.parametrize(
    ("is_allowed", "nice"), [(True, [0, 0, 0]), (False, [real_time.NICE, real_time.NICE, 0])]
)
def test_what_an_arm_asks_gives_way_and_what_is_measured_does_not(
    monkeypatch: pytest.MonkeyPatch, is_allowed: bool, nice: list[int]
) -> None:
    told: list[int] = []
    monkeypatch.setattr(real_time, "is_allowed", lambda: is_allowed)
    monkeypatch.setattr(real_time, "give_way", told.append)
    found = list(giving_way(PROCESSES))
    assert [each.nice for each in found] == nice
    assert told == [each.pid for each in found if each.nice]
    assert [each.name for each in found] == [each.name for each in PROCESSES]
