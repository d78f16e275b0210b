"""The words of the report: how metrics, workloads and runs are called where people read them."""

from collections.abc import Mapping
from shlex import quote
from typing import get_args

from loadstone.analysis.compared_model import Design
from loadstone.analysis.model import Adaptive, Analysis, ApdexThresholds, MetricGroup
from loadstone.report import units
from loadstone.results.service_facts import Mark
from loadstone.study.model import Plan
from loadstone.study.service_choice import OwnAddress, OwnCommand, ServiceChoice

SIMULATED = (
    "Simulated: these records come from a fake, not from a measurement. Nothing is compared."
)
AS_LISTED = (
    "Order as listed, not random: in every block the arms came in the order of the study's file."
)
VARIATION = "Mean over the runs, with the smallest and the largest run; times are response times."
DEVIATION = (
    "CV is the coefficient of variation between runs; SD their standard deviation, where a metric "
    "can be 0."
)

_LONG = {
    "cpu_per_ok": "CPU per ok",
    "dependency_cpu_per_ok": "dependencies' CPU per ok",
    "rss_peak": "RSS peak",
    "startup": "start-up",
    "startup_cpu": "CPU at start-up",
    "startup_rss": "RSS at start-up",
    **{f"pss.{mark}": f"PSS {mark.replace('_', ' ')}" for mark in get_args(Mark)},
    "ok_per_cpu_second": "ok per CPU second",
    "apdex": "Apdex",
    "gc_share": "GC share",
    "heap_after_gc": "heap after GC",
    "tls.median": "TLS median",
    "tls.p99": "TLS p99",
}


def metric_label(metric: str) -> str:
    """`response_time.p99` reads `response time p99`."""
    return _LONG.get(metric) or metric.replace(".", " ", 1).replace("_", " ")


def label_in(group: MetricGroup, metric: str) -> str:
    """The metric where the group stands above it: `p99` of the response times."""
    prefix = f"{group.replace(' ', '_')}."
    return (
        metric.removeprefix(prefix).replace("_", " ")
        if metric.startswith(prefix)
        else metric_label(metric)
    )


def column_label(metric: str) -> str:
    """The metric as a column of the result table, whose times are response times."""
    return label_in("response time", metric)


def choice_text(choice: ServiceChoice) -> str:
    """What stands for a service: a stack on its runtime, or a team's own."""
    if isinstance(choice, OwnCommand):
        return f"own service, `{choice.command}` in {choice.directory}"
    if isinstance(choice, OwnAddress):
        return f"own service, running already at {choice.url}"
    return f"{choice.stack} on {choice.runtime}"


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """`1 block`, `6 blocks`, `2 processes`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def blocks_text(blocks: Mapping[str, int]) -> str:
    """`6 blocks`; where workloads differ, `20 blocks of starts, 6 blocks of footprint-50b`."""
    if len(set(blocks.values())) == 1:
        return counted(next(iter(blocks.values())), "block")
    return ", ".join(f"{counted(number, 'block')} of {name}" for name, number in blocks.items())


def design_notes(design: Analysis | Design) -> tuple[str, ...]:
    """What is not usual in how runs were repeated and ordered, a sentence each."""
    adaptive = () if design.adaptive is None else (_adaptive_text(design.adaptive),)
    return (*adaptive, AS_LISTED) if design.order == "as-listed" else adaptive


def _adaptive_text(adaptive: Adaptive) -> str:
    most = counted(adaptive.looks[-1], "block")
    ended = (
        f"not ended yet, at most {most}"
        if adaptive.stopped_after is None
        else f"stopped after {adaptive.stopped_after} of at most {most}"
    )
    return f"Adaptive: {ended}, intervals at level {units.percent(adaptive.level)} before Holm."


def apdex_text(thresholds: ApdexThresholds) -> str:
    """What the study's Apdex was computed with."""
    satisfied, tolerated = (
        units.duration(each) for each in (thresholds.satisfied_ns, thresholds.tolerated_ns)
    )
    return f"Apdex counts up to {satisfied} as satisfied and up to {tolerated} as tolerating."


def capitalized(text: str) -> str:
    """The first letter a capital, the others as they are: `CPU` stays."""
    return text[:1].upper() + text[1:]


def spaced(name: str) -> str:
    """`cpu_model` reads `CPU model`."""
    return name.replace("_", " ").replace("cpu", "CPU")


def rerun_commands(plan: Plan) -> tuple[str, ...]:
    """The commands that repeat a study, and that rebuild its report, from its results folder."""
    profile = f" --profile {quote(plan.profile)}" if plan.profile else ""
    return f"loadstone run study.yaml{profile}", "loadstone report ."
