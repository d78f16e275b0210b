"""Published rows that fit the study of `study_builder.py`, and rankings of its arms."""

from loadstone.analysis.multi_arm_model import RankedArm, Ranking, UnrankedArm
from loadstone.study.values.manifest import Scenario
from loadstone.study.values.model import Protocol
from loadstone.study.values.published import Published, PublishedRow, PublishedSource

PLAIN = Scenario(operation="pass-through", legs={"client": Protocol.H1C, "upstream": Protocol.H1C})
SECURE = Scenario(operation="pass-through", legs={"client": Protocol.H1, "upstream": Protocol.H1})


def row(**changes: object) -> PublishedRow:
    values: dict[str, object] = {
        "scenario": PLAIN,
        "users": 50,
        "message_bytes": 0,
        "delay_ms": 0,
        "failures_percent": 0.0,
        "throughput_per_second": 20_562.73,
        "mean_ms": 4.82,
        "standard_deviation_ms": 3.02,
        "p99_ms": 13.0,
        "gc_throughput_percent": 99.44,
        "memory_after_full_gc_mib": 19.922,
    }
    return PublishedRow.model_validate(values | changes)


def published(*rows: PublishedRow, stack: str = "Elsewhere") -> Published:
    return Published(
        scenarios=(PLAIN, SECURE),
        sources=(
            PublishedSource(
                source="elsewhere",
                stack=stack,
                origin="somebody's table",
                machine="a larger one",
                validity=("Its throughput counts failures.",),
                rows=rows or (row(),),
            ),
        ),
    )


def ranking(
    *arms: str, unranked: tuple[str, ...] = (), metric: str = "throughput", question: str = "q"
) -> Ranking:
    """The first arm is told to be better than all others, of which none is told from another."""
    return Ranking(
        question=question,
        workload="closed-50",
        metric=metric,
        level=0.95,
        arms=tuple(
            RankedArm(
                arm=arm, rank=rank, low=min(rank, 2), high=1 if rank == 1 else len(arms), value=1
            )
            for rank, arm in enumerate(arms, start=1)
        ),
        best=arms[:1],
        pairs=3,
        told=2,
        unranked=tuple(UnrankedArm(arm=arm, reason="fewer than 3 runs") for arm in unranked),
    )
