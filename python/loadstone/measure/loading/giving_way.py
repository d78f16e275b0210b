"""What stands on the engine's CPUs gives way to it, where it cannot run in real time itself."""

from collections.abc import Iterator, Sequence

from loadstone.machine import real_time
from loadstone.results.record import ASKED_ROLES, ProcessFacts


def giving_way(processes: Sequence[ProcessFacts]) -> Iterator[ProcessFacts]:
    """Let dependencies and bench services give way, and yield all processes as they are then."""
    needs_way = not real_time.is_allowed()
    for each in processes:
        if needs_way and each.machine is None and each.role in ASKED_ROLES:
            real_time.give_way(each.pid)
            yield each.model_copy(update={"nice": real_time.NICE})
        else:
            yield each
