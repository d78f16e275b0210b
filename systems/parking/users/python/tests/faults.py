"""What a body is refused for."""

from collections.abc import Callable

from users.problem import Problem


def faults_of(work: Callable[[], object]) -> list[str]:
    """What a function refuses, as `pointer code`."""
    try:
        work()
    except Problem as problem:
        return [f"{fault.pointer} {fault.code}" for fault in problem.faults]
    return []
