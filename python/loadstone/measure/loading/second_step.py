"""A second, shorter load with half of the users, or of the streams of each, for what one load does not
tell: see `audit/service/waits_not_on_cpu.py`.
"""

import math

from loadstone.results.second_step import SecondStep
from loadstone.results.timeline import OperationInterval
from loadstone.results.window import WindowedRun
from loadstone.study.values.arrivals import Users, steady
from loadstone.study.values.model import Workload

FEWEST = 4
"""Users of the first load, or streams of each. Half of fewer differs too little from one alone."""
USUAL_NS = 5 * 10**9
RESPONSES = 10
"""Mean response times that the step takes at least, each followed by that of the same user."""
MOST_NS = 30 * 10**9
WARM_UP_NS = 10**9
"""In which all users come at once."""


def second_step_workload(workload: Workload, run: WindowedRun) -> Workload | None:
    """The same with half of the users, for 5 s or a few response times; none where the load was stopped
    early, has too few users, or several groups of them.

    Users of several streams stay, with half of these: a service that works on one stream of a
    connection after the other gives each connection a throughput of its own.
    """
    stop, users, streams = run.load.stop, run.load.users, run.load.streams or 1
    if (
        users is None
        or workload.only_group is None
        or (stop is not None and stop.reason != "duration")
    ):
        return None
    if streams >= FEWEST:
        streams //= 2
    elif users >= FEWEST:
        users //= 2
    else:
        return None
    inside = [each.response_time for each in _operations(run)]
    ended = sum(split.count() for split in inside)
    mean_ns = sum(split.sum_ns() for split in inside) / ended if ended else 0.0
    seconds_ns = math.ceil(RESPONSES * mean_ns / 1e9) * 10**9
    fewer = workload.with_group(arrivals=Users(stages=steady(users)), start_ns=0)
    return fewer.model_copy(
        update={
            "streams": streams,
            "duration_ns": min(max(USUAL_NS, seconds_ns), MOST_NS),
            "warm_up_ns": WARM_UP_NS,
            "steady_within_ns": None,
        }
    )


def second_step_facts(run: WindowedRun) -> SecondStep | None:
    """What the step came to; none where nothing ended in it, or it was stopped early."""
    stop, users = run.load.stop, run.load.users
    splits = [each.response_time for each in _operations(run)]
    ended = sum(split.count() for split in splits)
    if not ended or users is None or (stop is not None and stop.reason != "duration"):
        return None
    return SecondStep(
        users=users,
        streams=run.load.streams or 1,
        length_ns=run.load.load_ns,
        throughput_per_second=ended / run.inside_ns * 1e9,
        response_mean_ns=sum(split.sum_ns() for split in splits) / ended,
    )


def _operations(run: WindowedRun) -> list[OperationInterval]:
    return [each for interval in run.inside for each in interval.operations.values()]
