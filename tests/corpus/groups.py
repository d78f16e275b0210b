"""What the engine writes of each group of a simulated load."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from corpus.scenario import Scenario
from corpus.service import Simulated
from loadstone.metrics.outcomes import Outcome
from loadstone.results.group_facts import CookieFacts, GroupFacts
from loadstone.results.load_facts import OperationFacts
from loadstone.simulate.group_load import GroupLoad
from loadstone.simulate.groups import simulated_groups
from loadstone.simulate.load import stays_in
from loadstone.simulate.perform import Performed
from loadstone.simulate.requests import Requests
from loadstone.study.values.model import Workload
from simulated_load import SECOND_NS

JAR = 32
"""Cookies that a session keeps at most."""


def group_loads(workload: Workload, simulated: Simulated) -> list[GroupLoad]:
    """Each group with its requests and sessions."""
    return [
        GroupLoad(
            group,
            simulated.requests.where(simulated.group == at),
            simulated.steps.where(simulated.group == at),
            stays_in(group),
            Performed(
                planned=simulated.planned[at],
                held_paces=simulated.paces[at][0],
                missed_paces=simulated.paces[at][1],
            ),
            workload.duration_ns,
        )
        for at, group in enumerate(simulated_groups(workload))
    ]


def by_operation(loads: Sequence[GroupLoad]) -> dict[str, Requests]:
    """The requests of each operation, as the record names it."""
    return {key: requests for each in loads for key, requests in each.by_operation().items()}


def operation_facts_of(loads: Sequence[GroupLoad]) -> dict[str, OperationFacts]:
    """What the record says of each operation."""
    return {key: facts for each in loads for key, facts in each.operation_facts().items()}


def group_facts_of(loads: Sequence[GroupLoad], scenario: Scenario) -> dict[str, GroupFacts]:
    """What the record says of each group."""
    return {
        each.group.name: each.facts().model_copy(update={"cookies": _cookies(each, scenario)})
        for each in loads
    }


def _cookies(load: GroupLoad, scenario: Scenario) -> CookieFacts:
    """The service sets one with each answer to a session, of so many names in turn; of a group that
    keeps none the engine looks at an answer a second.
    """
    names = scenario.service.sets_cookies
    ok = load.requests.outcome == Outcome.OK
    if not load.group.keeps_cookies:
        seconds = np.unique(load.requests.done_ns[ok] // SECOND_NS).size
        return CookieFacts(kept=0, dropped=0, ignored=seconds if names else 0)
    answers = Counter(load.steps.session[ok].tolist()).values()
    different = [min(count, names) for count in answers]
    return CookieFacts(
        kept=sum(min(count, JAR) for count in different),
        dropped=sum(max(0, count - JAR) for count in different),
        ignored=0,
    )
