"""Live progress of a study on standard error: a bar in a terminal, a line for each run elsewhere."""

from datetime import timedelta
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)

from loadstone.report import units
from loadstone.results.record import RunRecord
from loadstone.study.model import AnyWorkload, Plan, PlannedRun
from loadstone.study.plan import run_seconds


class LiveProgress:
    """Shows what is running, in which block, and how long the rest will take."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[note]}"),
            console=console,
            refresh_per_second=1,  # drawing costs the CPU that the engine runs on
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("preparing", total=None, note="")
        self._workloads: dict[str, AnyWorkload] = {}
        self._remaining: list[PlannedRun] = []
        self._blocks = 0

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def plan_began(self, plan: Plan, remaining: int) -> None:
        """Set the bar's length."""
        self._workloads = {workload.workload: workload for workload in plan.workloads}
        self._remaining = list(plan.runs[len(plan.runs) - remaining :])
        self._blocks = plan.blocks
        self._bar.update(self._task, total=len(plan.runs), completed=len(plan.runs) - remaining)
        self._say(f"{plan.study}: {remaining} runs, about {self._left()}")

    def step(self, text: str) -> None:
        """Show a step of the preparation."""
        self._bar.update(self._task, description=text)
        self._say(text)

    def run_began(self, planned: PlannedRun) -> None:
        """Show the run and what remains after it."""
        self._bar.update(
            self._task,
            description=f"block {planned.block}/{self._blocks}  {planned.arm}  {planned.workload}",
            note=f"{self._left()} left",
        )

    def load_progress(self, event: dict[str, Any]) -> None:
        """Show the last second of the load."""
        p99_ns = event.get("response_time_p99_ns")
        p99 = "" if p99_ns is None else f", p99 {units.duration(p99_ns)}"
        limits = ", ".join(event.get("limited_by", ()))
        limited = f", limited by the engine: {limits}" if limits else ""
        self._bar.update(
            self._task,
            note=f"{self._left()} left; {event['throughput']:,.0f} ok/s{p99}{limited}",
        )

    def run_ended(self, planned: PlannedRun, record: RunRecord) -> None:
        """Advance, and say what failed where it did."""
        self._remaining = [each for each in self._remaining if each.id != planned.id]
        self._bar.advance(self._task)
        if record.failure is not None:
            self._console.print(
                f"{planned.id} failed: {record.failure.step}: {record.failure.reason}",
                markup=False,
                soft_wrap=True,
            )
            for line in record.failure.log_tail.splitlines():
                self._console.print(f"    | {line}", markup=False, soft_wrap=True)
        else:
            self._say(f"{planned.id} {record.status}, about {self._left()} left")

    def _say(self, text: str) -> None:
        if not self._console.is_terminal:
            self._console.print(text, markup=False, soft_wrap=True)

    def _left(self) -> str:
        seconds = sum(run_seconds(self._workloads[each.workload]) for each in self._remaining)
        return str(timedelta(seconds=round(seconds)))
