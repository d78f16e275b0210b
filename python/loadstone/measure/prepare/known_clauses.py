"""Whether the contract has the clauses from which a service of one's own is said to deviate.

Of a stack `check` says it: a deviation that no check meets is an error there.
"""

from collections.abc import Iterable
from pathlib import Path

from loadstone.contract.model import Contract
from loadstone.errors import InputError
from loadstone.study.values.held_to import covers
from loadstone.study.values.service_choice import ServiceChoice, StackChoice
from loadstone.text.quoted import nearest
from loadstone.text.words import listed


def refuse_unknown_clauses(
    study: Path, choices: Iterable[ServiceChoice], contract: Contract
) -> None:
    """Raise InputError, with the study's path and the nearest clauses, for one that is not there."""
    clauses = [each.clause for each in contract.checks]
    known = dict.fromkeys([*clauses, *(each.clause for each in contract.sample_checks)])
    for choice in choices:
        if isinstance(choice, StackChoice):
            continue
        for each in choice.held_to.deviations:
            if not any(covers(each.clause, clause) for clause in known):
                near = nearest(each.clause, known)
                raise InputError(
                    f"{choice.label} deviates from {each.clause}, which no check of the contract names",
                    path=study,
                    key=f"arms.{choice.service}",
                    remedy=f"did you mean {listed(near)}?" if near else "see the system's SPEC.md",
                )
