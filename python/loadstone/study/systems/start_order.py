"""In which order the services of a system are started: each behind those that it needs."""

from collections.abc import Mapping, Sequence

from loadstone.errors import LoadstoneError


class CycleError(LoadstoneError):
    """Services that need each other in a circle, so that none of them can be the first."""

    def __init__(self, circle: tuple[str, ...]) -> None:
        super().__init__(" needs ".join((*circle, circle[0])))
        self.circle = circle
        """Each needs the next, and the last the first."""


def start_order(needs: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Order services by what they need of each other; else the order of the mapping is kept.

    Names that are not keys are left out. Raises CycleError.
    """
    ordered: list[str] = []
    path: list[str] = []

    def visit(name: str) -> None:
        if name in path:
            raise CycleError(tuple(path[path.index(name) :]))
        if name in ordered:
            return
        path.append(name)
        for need in needs[name]:
            if need in needs:
                visit(need)
        path.pop()
        ordered.append(name)

    for name in needs:
        visit(name)
    return tuple(ordered)
