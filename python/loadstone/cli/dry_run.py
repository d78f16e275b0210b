"""What `run --dry-run` prints: arms, order, hours and disk."""

from datetime import timedelta

from rich.console import Console
from rich.table import Table

from loadstone.report import units
from loadstone.report.labels import counted
from loadstone.study.model import Plan, StartupWorkload
from loadstone.study.plan import estimate


def print_plan(console: Console, plan: Plan) -> None:
    """Print a plan without starting anything."""
    expected = estimate(plan)
    duration, size = timedelta(seconds=round(expected.seconds)), units.size(expected.size_bytes)
    profile = f", profile {plan.profile}" if plan.profile else ""
    console.print(f"{plan.study}{profile}: {plan.goal}", markup=False)
    console.print(
        f"{len(plan.arms)} arms × {_repetitions(plan)} = {len(plan.runs)} runs, "
        f"about {duration} (h:mm:ss), {size} on disk, seed {plan.seed}"
    )
    arms = Table(title="Arms", title_justify="left")
    factors = list(plan.arms[0].factors)
    for heading in ("arm", *factors):
        arms.add_column(heading, overflow="fold")
    for arm in plan.arms:
        arms.add_row(arm.id, *(arm.factors[factor] for factor in factors))
    console.print(arms)
    order = Table(title="Order", title_justify="left")
    for heading in ("run", "block", "arm", "workload"):
        order.add_column(heading, overflow="fold")
    for planned in plan.runs:
        order.add_row(str(planned.index), str(planned.block), planned.arm, planned.workload)
    console.print(order)


def _repetitions(plan: Plan) -> str:
    """`2 workloads × 6 blocks`, `20 starts`, or both: `(1 workload × 6 blocks + 20 starts)`."""
    starts = [each.starts for each in plan.workloads if isinstance(each, StartupWorkload)]
    loads = len(plan.workloads) - len(starts)
    parts = [f"{counted(loads, 'workload')} × {counted(plan.blocks, 'block')}"] if loads else []
    parts += [counted(number, "start") for number in starts]
    return parts[0] if len(parts) == 1 else f"({' + '.join(parts)})"
