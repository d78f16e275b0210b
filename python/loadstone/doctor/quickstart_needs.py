"""What `loadstone quickstart` cannot do without, from its own study: nothing is listed twice."""

import shlex

from loadstone.errors import InputError, Unavailable
from loadstone.frozen import Frozen
from loadstone.study.design.resolve import resolve_plan
from loadstone.study.systems.catalogue import Catalogue

STUDY = "quickstart"


class Needs(Frozen):
    """Names of what the arms of the study need."""

    runtimes: frozenset[str] = frozenset()
    """Their runtimes."""
    programs: frozenset[str] = frozenset()
    """What their build commands begin with."""
    problem: str | None = None
    """Why the study cannot be read; none where it can."""
    remedy: str | None = None
    """What to do then."""


def quickstart_needs(catalogue: Catalogue) -> Needs:
    """Read the study, its stacks and its workloads."""
    try:
        resolved = resolve_plan(catalogue.study(STUDY), catalogue)
    except (InputError, Unavailable) as error:  # and not Interrupted, which ends the command
        return Needs(problem=error.message, remedy=error.remedy)
    return Needs(
        runtimes=frozenset(resolved.runtimes),
        programs=frozenset(shlex.split(stack.build)[0] for stack in resolved.stacks.values()),
    )
