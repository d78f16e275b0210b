"""The factors that an analysis of variance explains a metric by.

They are the study's, but for a service whose levels are stacks on runtimes: where several stacks share
several runtimes, what the stack does and what the runtime does are two questions. The service is then
two factors, `SERVICE stack` and `SERVICE runtime`. Where they do not cross, a runtime tells its stack,
and nothing could be told apart.
"""

from collections.abc import Sequence

from loadstone.study.values.model import Arm
from loadstone.study.values.service_choice import ServiceChoice, StackChoice

Factors = dict[str, str]


def analysed_factors(arms: Sequence[Arm]) -> dict[str, Factors]:
    """Return the factors of each arm, by its id and in the study's order."""
    split = {
        service
        for service in {choice.service for arm in arms for choice in arm.services}
        if _cross([_choice_of(arm, service) for arm in arms])
    }
    return {arm.id: _factors(arm, split) for arm in arms}


def _factors(arm: Arm, split: set[str]) -> Factors:
    found: Factors = {}
    for factor, level in arm.factors.items():
        choice = _choice_of(arm, factor) if factor in split else None
        if isinstance(choice, StackChoice):
            found |= {f"{factor} stack": choice.stack, f"{factor} runtime": choice.runtime}
        else:
            found[factor] = level
    return found


def _cross(choices: Sequence[ServiceChoice | None]) -> bool:
    """Whether some stacks share a runtime, and some runtimes a stack, and no two levels are alike."""
    stacks = [choice for choice in choices if isinstance(choice, StackChoice)]
    if len(stacks) < len(choices):
        return False
    levels = {choice.label: (choice.stack, choice.runtime) for choice in stacks}
    pairs = set(levels.values())
    if len(pairs) < len(levels):
        return False  # the same stack on the same runtime twice: the label is what differs
    names, runtimes = {stack for stack, _ in pairs}, {runtime for _, runtime in pairs}
    return len(names) < len(pairs) and len(runtimes) < len(pairs)


def _choice_of(arm: Arm, service: str) -> ServiceChoice | None:
    return next((choice for choice in arm.services if choice.service == service), None)
