"""Builds small analyses, findings and plans for the report's tests: no statistics in it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import cycle

from made_up_figures import (
    BASE,
    BLOCKS,
    CURVE,
    OUTCOMES,
    QUANTILES,
    SESSIONS,
    TOTALS,
    box,
    figure,
    series,
    without_value,
)

from loadstone.analysis.answer_model import Answer
from loadstone.analysis.chart_model import CurvePoint, RunSeries
from loadstone.analysis.figures.run_figures import GROUP_METRICS, OPERATION_METRICS
from loadstone.analysis.model import (
    Analysis,
    ArmFigure,
    ArmInfo,
    Cell,
    Comparison,
    GroupFigures,
    OperationFigures,
    Verdict,
)
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.findings.scope import Subject
from loadstone.metrics.catalogue import METRICS
from loadstone.metrics.catalogue import metric as info
from loadstone.results.environment import Environment
from loadstone.results.record import SteadyBy
from loadstone.study.design.order import run_id
from loadstone.study.values.arrivals import Users, steady
from loadstone.study.values.model import (
    Arm,
    Operation,
    Plan,
    PlannedRun,
    Protocol,
    Question,
    Workload,
)
from loadstone.study.values.service_choice import StackChoice
from standing_builder import answer_of

QUESTION = "is node slower than go?"


def comparison(**changes: object) -> Comparison:
    values: dict[str, object] = {
        "question": QUESTION,
        "workload": "closed-50",
        "metric": "response_time.p99",
        "primary": True,
        "baseline": "go",
        "other": "node",
        "scale": "ratio",
        "estimate": 1.42,
        "low": 1.31,
        "high": 1.54,
        "level": 0.95,
        "margin": 0.03,
        "p_value": 0.0004,
        "method": "paired t on logarithms",
        "runs": (6, 6),
        "verdict": Verdict.WORSE,
        "words": "slower",
    }
    return Comparison.model_validate(values | changes)


def run_of(arm: str, index: int, workload: str = "closed-50") -> Subject:
    return Subject(kind="run", run=run_id(index, arm, workload), arm=arm, workload=workload)


def finding(**changes: object) -> Finding:
    values: dict[str, object] = {
        "code": "generator-saturated",
        "severity": Severity.WARNING,
        "subject": run_of("go", 1),
        "metrics": ("response_time.*",),
        "evidence": "The generator used 91 % of its CPU, more than 85 %.",
        "advice": "Give the generator another CPU, or lower the number of users.",
    }
    return Finding.model_validate(values | changes)


@dataclass
class StudyBuilder:
    """A study of two arms under one workload; every method returns the builder."""

    arms: dict[str, float] = field(default_factory=lambda: {"go": 1.0, "node": 1.42})
    """Arm to the factor by which its durations are longer than the base."""
    workloads: tuple[str, ...] = ("closed-50",)
    operations: tuple[str, ...] = ("pass-through",)
    comparisons: tuple[Comparison, ...] = (
        comparison(),
        comparison(
            metric="throughput", primary=False, estimate=0.704, low=0.689, high=0.719, words="lower"
        ),
        comparison(
            metric="failures",
            primary=False,
            scale="difference",
            estimate=-0.0004,
            low=-0.0012,
            high=0.0003,
            method="paired t",
            verdict=Verdict.CANNOT_TELL,
            words="cannot tell",
            reason="the interval holds 0 and is wider than the margin",
        ),
    )
    findings: tuple[Finding, ...] = (
        finding(),
        finding(subject=run_of("go", 2), evidence="The generator used 93 % of its CPU."),
        finding(
            code="too-few-runs",
            severity=Severity.NOTE,
            subject=scope.STUDY,
            metrics=(),
            evidence="6 blocks detect differences of 4 % or more.",
            advice="Add blocks if smaller differences matter.",
        ),
    )
    failed_runs: tuple[str, ...] = ()
    simulated: bool = False
    steady_by: tuple[SteadyBy, ...] = ()
    """Why the windows of each arm's runs began, in turn; empty: no warm-up was watched."""
    is_rate: bool = False
    groups: tuple[str, ...] = ()
    """Several groups, each of which performs all operations; empty for one of single requests."""
    replaced: dict[tuple[str, str], ArmFigure] = field(default_factory=dict)

    def with_figure(self, arm: str, replacement: ArmFigure) -> "StudyBuilder":
        self.replaced[(arm, replacement.metric)] = replacement
        return self

    def analysis(self) -> Analysis:
        return Analysis(
            study="mediation-smoke",
            goal="what Express costs a pass-through gateway beside net/http",
            system="mediation",
            profile="smoke",
            blocks=dict.fromkeys(self.workloads, BLOCKS),
            simulated=self.simulated,
            arms=tuple(ArmInfo(id=arm, factors={"gateway": arm}) for arm in self.arms),
            workloads=self.workloads,
            metrics=METRICS,
            cells=tuple(
                self._cell(arm, workload) for workload in self.workloads for arm in self.arms
            ),
            comparisons=self.comparisons,
            answers=(self._answer(),),
            failed_runs=self.failed_runs,
        )

    def plan(self) -> Plan:
        return Plan(
            study="mediation-smoke",
            goal="what Express costs a pass-through gateway beside net/http",
            system="mediation",
            profile="smoke",
            seed=20240915,
            blocks=BLOCKS,
            allow_target=(),
            arms=tuple(_arm(arm) for arm in self.arms),
            workloads=tuple(_workload(workload) for workload in self.workloads),
            questions=(
                Question(
                    question=QUESTION,
                    compare="gateway",
                    metrics=("response_time.p99", "throughput", "failures"),
                    margin=0.03,
                    workloads=self.workloads,
                ),
            ),
            runs=tuple(
                PlannedRun(
                    index=index + 1,
                    id=f"{index + 1:03d}-{arm}-{workload}",
                    arm=arm,
                    workload=workload,
                    block=index // (len(self.arms) * len(self.workloads)) + 1,
                    seed=7 + index,
                )
                for index, (arm, workload) in enumerate(
                    (arm, workload)
                    for _ in range(BLOCKS)
                    for workload in self.workloads
                    for arm in self.arms
                )
            ),
        )

    def _answer(self) -> Answer:
        """By response time p99 under the first workload, as the figures are."""
        name = "response_time.p99"
        found = {arm: self.replaced.get((arm, name)) for arm in self.arms}
        figures = {
            arm: BASE[name] * self.arms[arm]
            for arm in sorted(self.arms, key=self.arms.__getitem__)
            if found[arm] is None
        }
        reasons = {arm: each.reason for arm, each in found.items() if each is not None}
        return answer_of(QUESTION, figures, reasons, name, self.workloads[0])

    def _cell(self, arm: str, workload: str) -> Cell:
        factor = self.arms[arm]
        known = BASE | (SESSIONS if self.groups else {})
        higher_is_worse = {name for name in known if info(name).direction == "lower"} - {"failures"}

        def figure_of(name: str) -> ArmFigure:
            if name not in known:
                return without_value(name, "not measured", "each session is one request")
            return figure(name, factor if name in higher_is_worse else 1 / factor)

        def figures(names: Iterable[str]) -> tuple[ArmFigure, ...]:
            return tuple(self.replaced.get((arm, name)) or figure_of(name) for name in names)

        def operations(prefix: str = "", group: str = "") -> tuple[OperationFigures, ...]:
            return tuple(
                OperationFigures(
                    operation=f"{prefix}{name}",
                    group=group,
                    outcomes=OUTCOMES,
                    figures=figures(OPERATION_METRICS),
                )
                for name in self.operations
            )

        first = 1 + BLOCKS * list(self.arms).index(arm)
        return Cell(
            arm=arm,
            workload=workload,
            runs_planned=BLOCKS,
            runs_completed=BLOCKS - len(self.failed_runs),
            outcomes=OUTCOMES,
            figures=figures(each.name for each in METRICS if "load" in each.kinds),
            sessions=TOTALS if self.groups else {},
            groups=tuple(
                GroupFigures(
                    group=group,
                    outcomes=OUTCOMES,
                    sessions=TOTALS,
                    figures=figures(GROUP_METRICS),
                )
                for group in self.groups
            ),
            operations=tuple(
                each for group in self.groups for each in operations(f"{group}.", group)
            )
            or operations(),
            over_groups=operations() if self.groups else (),
            curve=tuple(
                CurvePoint(
                    quantile=quantile,
                    value_ns=round(BASE["response_time.median"] * height * factor),
                )
                for quantile, height in zip(QUANTILES, CURVE, strict=True)
            ),
            series=self._watched(series(arm, workload, factor, first)),
            boxes=(box(factor),),
        )

    def _watched(self, runs: tuple[RunSeries, ...]) -> tuple[RunSeries, ...]:
        reasons = cycle(self.steady_by or (None,))
        startup_ns = round(BASE["startup"]) if self.steady_by else None
        users = () if self.is_rate else runs[0].users
        by_group = {
            group: tuple(users / (at + 2) for users in runs[0].users)
            for at, group in enumerate(self.groups)
        }
        changed = {"startup_ns": startup_ns, "users": users, "users_by_group": by_group}
        return tuple(
            run.model_copy(update={"steady_by": by, **changed})
            for run, by in zip(runs, reasons, strict=False)
        )


def _arm(arm: str) -> Arm:
    return Arm(
        id=arm,
        factors={"gateway": arm, "client": "h1c"},
        services=(StackChoice(service="gateway", label=arm, stack=arm, runtime=arm),),
        legs={"client": Protocol.H1C, "upstream": Protocol.H1C},
    )


def _workload(workload: str) -> Workload:
    return Workload(
        workload=workload,
        group="clients",
        arrivals=Users(stages=steady(50)),
        session=(Operation(operation="pass-through", method="POST", path="/passthrough"),),
        duration_ns=10_000_000_000,
        warm_up_ns=2_000_000_000,
        connect_timeout_ns=1_000_000_000,
        timeout_ns=5_000_000_000,
        grace_ns=1_000_000_000,
    )


ENVIRONMENT = Environment.model_validate(
    {
        "machine": {
            "cpu_model": "Example CPU 3000",
            "cpus": 2,
            "memory_bytes": 8 * 2**30,
            "kernel": "6.1.0-18-amd64",
            "virtualisation": "hypervisor",
            "clock_source": "tsc",
        },
        "versions": {"loadstone": "0.1.0", "loadstone-engine": "0.1.0", "go": "go1.22.1"},
        "code": {"lab": "3f" * 32, "stack go": "ab" * 32},
        "service_cpus": [1],
        "bench_cpus": [0],
        "commit": "unknown",
        "load_average": [0.31005859375, 0.44, 0.52],
    }
)
