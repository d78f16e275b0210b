"""What `run --dry-run` prints: arms, order, hours and disk, and what sessions send."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from math import ceil
from pathlib import Path

from rich.console import Console
from rich.table import Table

from loadstone.analysis.sentences.not_held import not_held_sentences
from loadstone.report.labels import AS_LISTED, choice_text
from loadstone.report.terminal.sessions import print_sessions
from loadstone.study.design.order import runs_by_block, runs_until, turn_of
from loadstone.study.design.plan import estimate
from loadstone.study.values.model import Plan, StartupWorkload, Workload
from loadstone.study.values.service_choice import StackChoice
from loadstone.text import units
from loadstone.text.words import counted


def print_plan(
    console: Console, plan: Plan, folder: Path = Path(), sites: Sequence[str] = ()
) -> None:
    """Print a plan without starting anything; what its workloads are fed with is in a folder, and
    `sites` are those that do its blocks, where there are several.

    Raises InputError where that cannot be read.
    """
    ends = [runs_until(plan, block) for block in plan.looks] or [len(plan.runs)]
    least, most = (estimate(plan, runs) for runs in (ends[0], ends[-1]))
    duration = _range(_hours(each.seconds) for each in (least, most))
    size = _range(units.size(each.size_bytes) for each in (least, most))
    profile = f", profile {plan.profile}" if plan.profile else ""
    console.print(f"{plan.study}{profile}: {plan.goal}", markup=False)
    pruned = any(arm.workloads is not None for arm in plan.arms)
    under = " (not each under every workload)" if pruned else ""
    console.print(
        f"{len(plan.arms)} arms × {_repetitions(plan)}{under} = {_alternatives(ends)} runs, "
        f"about {duration} (h:mm:ss), {size} on disk, seed {plan.seed}"
    )
    if sites:
        turns = _range(
            _hours(estimate(plan, runs).seconds * ceil(block / len(sites)) / block)
            for runs, block in zip(ends, plan.looks or (plan.blocks,), strict=True)
        )
        console.print(
            f"on {counted(len(sites), 'site')}, side by side: about {turns} (h:mm:ss)",
            markup=False,
        )
    caps_ns = {
        cap_ns
        for each in plan.workloads
        if isinstance(each, Workload)
        for cap_ns in (each.steady_within_ns, each.warmed_within_ns)
        if cap_ns is not None
    }
    if caps_ns:
        longest = _range(units.duration(cap_ns) for cap_ns in sorted(caps_ns))
        console.print(
            f"at most {_hours(most.most_seconds)}, if every warm-up lasts as long as it may "
            f"({longest})"
        )
    looking = [run for run in plan.runs if run.late_look_ns]
    if looking:
        console.print(
            f"the first watched run of each arm goes on for {units.duration(looking[0].late_look_ns)} "
            f"behind its window, to look for a late step ({counted(len(looking), 'run')})",
            markup=False,
            soft_wrap=True,
        )
    if plan.order == "as-listed":
        console.print(AS_LISTED)
    arms = Table(title="Arms", title_justify="left")
    factors = list(plan.arms[0].factors)
    for heading in ("arm", *factors, *(["workloads"] if pruned else [])):
        arms.add_column(heading, overflow="fold")
    for arm in plan.arms:
        workloads = [each.workload for each in plan.workloads if arm.is_under(each.workload)]
        last = [", ".join(workloads)] if pruned else []
        arms.add_row(arm.id, *(arm.factors[factor] for factor in factors), *last)
    console.print(arms)
    _print_conditions(console, plan)
    for text in dict.fromkeys(
        f"{choice.label}: {choice_text(choice)}"
        for arm in plan.arms
        for choice in arm.services
        if not isinstance(choice, StackChoice)
    ):
        console.print(text, markup=False, soft_wrap=True)
    for sentence in not_held_sentences({arm.id: arm.not_held_text() for arm in plan.arms}):
        console.print(sentence, markup=False, soft_wrap=True)
    order = Table(title="Order", title_justify="left")
    for heading in ("run", "block", *(["site"] if sites else []), "arm", "workload"):
        order.add_column(heading, overflow="fold")
    for number, runs in enumerate(runs_by_block(plan), start=1):
        for planned in runs:
            order.add_row(
                str(planned.index),
                str(planned.block),
                *([turn_of(number, sites)] if sites else []),
                planned.arm,
                planned.workload,
                end_section=planned.index in ends,
            )
    console.print(order)
    for workload in plan.workloads:
        if isinstance(workload, Workload) and workload.plain_session is None:
            first = next(run for run in plan.runs if run.workload == workload.workload)
            print_sessions(console, workload, folder, plan.run_id(first))


def _print_conditions(console: Console, plan: Plan) -> None:
    """What is the same for all arms without being named: an entry of their own, settings at their first
    level, and which services stand on the bench's CPUs.
    """
    arm = plan.arms[0]
    if plan.entry is not None:
        console.print(f"loaded is {plan.entry} itself, with what it needs alone", markup=False)
    unnamed = [f"{name} {level}" for name, level in arm.settings.items() if name not in arm.factors]
    if unnamed:
        console.print(
            f"settings at their first level: {', '.join(unnamed)}", markup=False, soft_wrap=True
        )
    if arm.bench_services:
        cpus = "" if plan.placement is None else f" {', '.join(map(str, plan.placement.bench))}"
        console.print(
            f"with the engine on the bench's CPUs{cpus}, without limits, their figures apart from the "
            f"arms': {', '.join(arm.bench_services)}",
            markup=False,
            soft_wrap=True,
        )


def _hours(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))


def _repetitions(plan: Plan) -> str:
    """`2 workloads × 6 blocks`, `20 starts`, or both: `(1 workload × 6 blocks + 20 starts)`. An
    adaptive plan has `6, 12 or 24 blocks`.
    """
    starts = [each.starts for each in plan.workloads if isinstance(each, StartupWorkload)]
    loads = len(plan.workloads) - len(starts)
    ends = plan.looks or (plan.blocks,)
    blocks = f"{_alternatives(ends)} {'block' if ends == (1,) else 'blocks'}"
    parts = [f"{counted(loads, 'workload')} × {blocks}"] if loads else []
    parts += [
        f"{_alternatives([number * end // plan.blocks for end in ends])} "
        f"{'start' if number == 1 else 'starts'}"
        for number in starts
    ]
    return parts[0] if len(parts) == 1 else f"({' + '.join(parts)})"


def _alternatives(numbers: Sequence[int]) -> str:
    """`6`, or `6, 12 or 24`."""
    *first, last = (f"{number:,}" for number in numbers)
    return f"{', '.join(first)} or {last}" if first else last


def _range(texts: Iterable[str]) -> str:
    """One text, or `0:02:24 to 0:09:36`."""
    return " to ".join(dict.fromkeys(texts))
