"""Defects: users who wait for ever, and how generators have counted them."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.model import Defect
from corpus.runs import run_of
from corpus.scenario import Scenario
from corpus.service import Service
from corpus.workloads import load
from loadstone.metrics.outcomes import Outcome
from loadstone.results.load_facts import Outcomes
from loadstone.results.record import RunRecord
from loadstone.simulate.requests import Requests

USERS = 20
SHARES = (0.0, 0.05, 0.1, 0.2, 0.4)


def hanging(seed: int, share: float) -> Service:
    """A service that forgets a share of the users, one after another, between 5 and 15 s."""
    rng = np.random.default_rng([seed, 1])
    forgotten = rng.permutation(USERS)[: round(share * USERS)]
    from_second = {int(user): float(5 + 10 * rng.random()) for user in forgotten}
    return Service(hung_from=lambda user: from_second.get(user, np.inf))


def hung_users(seed: int, strength: float, directory: Path) -> Path:
    """What they wait for times out, or is unanswered when the load has ended."""
    return run_of(directory, seed, Scenario(service=hanging(seed, strength)), load(USERS))


def that_vanish(seed: int, strength: float, directory: Path) -> Path:
    """The generator keeps nothing of a request that has no answer, as JMeter's results do."""

    def answered(requests: Requests) -> NDArray[np.bool_]:
        return requests.outcome == Outcome.OK

    scenario = Scenario(service=hanging(seed, strength), noted=answered)
    return run_of(directory, seed, scenario, load(USERS))


def counted_as_ok(seed: int, strength: float, directory: Path) -> Path:
    """The generator counts a request as ok when it is sent."""

    def sent(outcomes: Outcomes) -> Outcomes:
        return {
            outcome: sum(outcomes.values()) if outcome is Outcome.OK else 0 for outcome in outcomes
        }

    def told(record: RunRecord) -> RunRecord:
        assert record.load is not None
        operations = {
            name: facts.model_copy(update={"outcomes": sent(facts.outcomes)})
            for name, facts in record.operations.items()
        }
        outcomes = sent(record.outcomes)
        of_load = {"outcomes": outcomes, "operations": operations, "unanswered_oldest_ns": None}
        summary = record.load.model_copy(update=of_load)
        update = {"outcomes": outcomes, "operations": operations, "load": summary}
        return record.model_copy(update=update)

    scenario = Scenario(service=hanging(seed, strength), told=told)
    return run_of(directory, seed, scenario, load(USERS))


DEFECTS = (
    Defect("hung users", ("unanswered", "failures"), SHARES, 0.2, "share of the users", hung_users),
    Defect(
        "hung users that vanish from the counts",
        ("littles-law",),
        SHARES,
        0.2,
        "share of the users",
        that_vanish,
    ),
    Defect(
        "hung requests counted as ok",
        ("conservation", "contradictory-summary"),
        SHARES,
        0.2,
        "share of the users",
        counted_as_ok,
    ),
)
