"""The plan of a large study: four factors, one load of three operations, a question for each factor."""

import numpy as np

from loadstone.study.design.arms import arm_ids, cross
from loadstone.study.values.arrivals import Users, steady
from loadstone.study.values.model import (
    Arm,
    Check,
    Operation,
    Plan,
    PlannedRun,
    Protocol,
    Question,
    Workload,
)
from loadstone.study.values.payload import payload
from loadstone.study.values.service_choice import StackChoice
from simulated_load import SECOND_NS

STUDY = "large"
WORKLOAD = "closed"
OPERATIONS = ("list", "read", "write")
USERS = 32
WARM_UP_SHARE = 1 / 6
FACTORS = {
    "gateway": ("express", "gin", "netty", "nginx"),
    "service": ("fastapi", "spring"),
    "runtime": ("current", "previous"),
    "client": ("h1c", "h1", "h2c", "h2"),
}
"""64 arms, all of which differ in the levels that vary."""
METRICS = ("response_time.p99", "throughput", "cpu_per_ok")
MARGIN = 0.03


def plan_of(arms: int, blocks: int, seconds: int, seed: int) -> Plan:
    """The first arms of the study, in blocks of random order."""
    rng = np.random.default_rng(seed)
    combinations = list(cross(FACTORS))
    chosen = tuple(
        _arm(name, levels)
        for name, levels in zip(arm_ids(combinations, "gateway"), combinations, strict=True)
    )[:arms]
    order = [(block, chosen[at]) for block in range(1, blocks + 1) for at in rng.permutation(arms)]
    return Plan(
        study=STUDY,
        goal="what gateway, service, runtime and protocol cost",
        system="mediation",
        profile=None,
        seed=seed,
        blocks=blocks,
        allow_target=(),
        arms=chosen,
        workloads=(_workload(seconds),),
        questions=tuple(
            Question(
                question=f"which {factor} is faster?",
                compare=factor,
                metrics=METRICS,
                margin=MARGIN,
                workloads=(WORKLOAD,),
            )
            for factor in FACTORS
            if len({arm.factors[factor] for arm in chosen}) > 1
        ),
        runs=tuple(
            PlannedRun(
                index=index,
                id=f"{index:03d}-{arm.id}-{WORKLOAD}",
                arm=arm.id,
                workload=WORKLOAD,
                block=block,
                seed=seed + index,
            )
            for index, (block, arm) in enumerate(order, start=1)
        ),
    )


def _arm(name: str, levels: dict[str, str]) -> Arm:
    return Arm(
        id=name,
        factors=levels,
        services=(
            StackChoice(
                service="gateway",
                label=levels["gateway"],
                stack=levels["gateway"],
                runtime=levels["runtime"],
            ),
        ),
        legs={"client": Protocol(levels["client"])},
    )


def _workload(seconds: int) -> Workload:
    return Workload(
        workload=WORKLOAD,
        group="callers",
        arrivals=Users(stages=steady(USERS)),
        session=tuple(
            Operation(
                operation=name,
                method="POST",
                path="/passthrough",
                headers=(("content-type", "application/json"),),
                body=payload("array", 50),
                check=Check(status=200),
            )
            for name in OPERATIONS
        ),
        duration_ns=seconds * SECOND_NS,
        warm_up_ns=round(seconds * WARM_UP_SHARE) * SECOND_NS,
        connect_timeout_ns=10 * SECOND_NS,
        timeout_ns=30 * SECOND_NS,
        grace_ns=5 * SECOND_NS,
    )
