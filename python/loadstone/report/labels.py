"""The words of the report: how metrics, workloads and runs are called where people read them."""

from collections.abc import Mapping
from shlex import quote

from loadstone.analysis.compare.compare_output import Design
from loadstone.analysis.model import Adaptive, Analysis, ApdexThresholds
from loadstone.analysis.sentences.not_held import not_held_sentences
from loadstone.analysis.sentences.warmth import unjudged_sentence
from loadstone.study.values.model import Plan
from loadstone.study.values.service_choice import OwnAddress, OwnCommand, ServiceChoice
from loadstone.text import units
from loadstone.text.words import counted

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
ANSWERS_READING = (
    "In brackets: the 95 % interval of each figure by itself. Who is best is told by comparing all "
    "pairs within a question, all together at 95 %: what they do not tell apart shares a place."
)
STEADY_READING = (
    "What users bear after each deployment. The time to steady and the first seconds count from the "
    "load's begin, a ramp included."
)
STEADY_SPREAD = "Mean over the runs, with the smallest and the largest run."


def choice_text(choice: ServiceChoice) -> str:
    """What stands for a service: a stack on its runtime, or a team's own."""
    if isinstance(choice, OwnCommand):
        return f"own service, `{choice.command}` in {choice.directory}"
    if isinstance(choice, OwnAddress):
        return f"own service, running already at {choice.url}"
    revision = "" if choice.revision is None else f" of {choice.revision}"
    return f"{choice.stack}{revision} on {choice.runtime}"


def blocks_text(blocks: Mapping[str, int]) -> str:
    """`6 blocks`; where workloads differ, `20 blocks of starts, 6 blocks of footprint-50b`."""
    if len(set(blocks.values())) == 1:
        return counted(next(iter(blocks.values())), "block")
    return ", ".join(f"{counted(number, 'block')} of {name}" for name, number in blocks.items())


def design_notes(design: Analysis | Design) -> tuple[str, ...]:
    """What is not usual in what was loaded, in how runs were repeated and ordered, and in what services
    are held to, in sentences.
    """
    return (
        *(() if design.entry is None else (_entry_text(design.entry),)),
        *(() if design.adaptive is None else (_adaptive_text(design.adaptive),)),
        *((AS_LISTED,) if design.order == "as-listed" else ()),
        *(
            not_held_sentences({arm.id: arm.not_held for arm in design.arms})
            if isinstance(design, Analysis)
            else ()
        ),
    )


def _entry_text(entry: str) -> str:
    return f"Loaded was {entry} itself, with what it needs alone, and not the entry of its system."


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


def nothing_found(analysis: Analysis) -> str:
    """What stands in the place of findings where there are none."""
    return unjudged_sentence(analysis.cells) or "No rule found a reason to doubt these results."


def rerun_commands(plan: Plan) -> tuple[str, ...]:
    """The commands that repeat a study, and that rebuild its report, from its results folder."""
    profile = f" --profile {quote(plan.profile)}" if plan.profile else ""
    return f"loadstone run study.yaml{profile}", "loadstone report ."
