"""Live progress of a study on standard error: a bar in a terminal, a line for each run elsewhere."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import timedelta
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)

from loadstone.cli.heartbeat import heartbeat
from loadstone.cli.remaining_time import RemainingTime
from loadstone.measure.told import (
    LoadSecond,
    RunBegan,
    RunEnded,
    RunsLost,
    SiteLost,
    Step,
    Told,
)
from loadstone.report.terminal.load_progress import phase_text
from loadstone.results.looks import Look
from loadstone.study.design.order import runs_until
from loadstone.study.values.model import Plan, PlannedRun
from loadstone.text import units
from loadstone.text.plain import plain
from loadstone.text.words import counted


class LiveProgress:
    """Shows what is running, in which block, and how long the rest will take."""

    def __init__(self, console: Console, sites: int = 1) -> None:
        """`sites` do the blocks side by side."""
        self._console, self._sites = console, sites
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
        self._plan: Plan | None = None
        self._planned: dict[str, PlannedRun] = {}
        self._time: RemainingTime | None = None
        self._began_s: dict[str, float] = {}
        self._remaining: list[PlannedRun] = []
        self._until = 0
        self._step = ExitStack()

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._step.close()
        self._bar.stop()

    def plan_began(self, plan: Plan, remaining: Sequence[PlannedRun], until: int) -> None:
        """Set the bar's length."""
        self._plan, self._planned = plan, {each.id: each for each in plan.runs}
        self._time = RemainingTime(plan)
        self._go_until(remaining, until)
        self._say(f"{plan.study}: {self._ahead()}")

    def look_taken(self, look: Look, remaining: Sequence[PlannedRun], until: int) -> None:
        """Say what the look came to, and lengthen the bar where the study goes on."""
        self._step.close()
        self._go_until(remaining, until)
        decided = sum(each.decided for each in look.comparisons)
        self._console.print(
            f"look after block {look.after_block}: {decided} of "
            f"{counted(len(look.comparisons), 'comparison')} decided; "
            + ("the study ends here" if look.stop else self._ahead()),
            markup=False,
            soft_wrap=True,
        )

    def told(self, told: Told) -> None:
        """Show what happened."""
        match told:
            case Step():
                self._step_began(_at(told) + told.text)
            case RunBegan():
                self._run_began(told)
            case LoadSecond():
                self._second(told)
            case RunEnded():
                self._run_ended(told)
            case SiteLost():
                self._site_lost(told)
            case RunsLost():
                self._runs_lost(told)

    def _step_began(self, text: str) -> None:
        self._bar.update(self._task, description=text)
        self._say(text)
        self._step.close()
        if not self._console.is_terminal:  # in a terminal the bar counts the seconds
            self._step.enter_context(heartbeat(text, self._say))

    def _run_began(self, told: RunBegan) -> None:
        planned = self._planned[told.run]
        self._step.close()
        self._began_s[told.run] = time.monotonic()
        self._bar.update(
            self._task,
            description=f"{_at(told)}block {planned.block}/{self._until}  {planned.arm}  "
            f"{planned.workload}",
            note=f"{self._left()} left",
        )

    def _second(self, told: LoadSecond) -> None:
        event = told.event
        p99_ns = event.get("response_time_p99_ns")
        phase = phase_text(event)
        p99 = "" if p99_ns is None else f", p99 {units.duration(p99_ns)}"
        limits = ", ".join(event.get("limited_by", ()))
        limited = f", limited by the engine: {limits}" if limits else ""
        self._bar.update(
            self._task,
            note=f"{self._left()} left; {phase}{event['throughput']:,.0f} ok/s{p99}{limited}",
        )

    def _run_ended(self, told: RunEnded) -> None:
        """Advance, and say what failed where it did."""
        self._remaining = [each for each in self._remaining if each.id != told.run]
        self._bar.advance(self._task)
        began_s = self._began_s.pop(told.run, None)
        if self._time is not None and began_s is not None and told.status == "completed":
            self._time.took(self._planned[told.run], time.monotonic() - began_s)
        if told.failure is not None:
            self._console.print(
                f"{_at(told)}{told.run} failed: {told.failure.step}: {told.failure.reason}",
                markup=False,
                soft_wrap=True,
            )
            for line in told.failure.log_tail.splitlines():
                self._console.print(f"    | {plain(line)}", markup=False, soft_wrap=True)
        else:
            self._say(f"{_at(told)}{told.run} {told.status}, about {self._left()} left")
            for broken in told.broken:
                text = f"{_at(told)}{told.run}: {plain(broken)}"
                self._console.print(text, markup=False, soft_wrap=True)

    def _site_lost(self, told: SiteLost) -> None:
        in_hand = "" if told.block is None else f"; block {told.block} is done again elsewhere"
        self._console.print(
            f"site {told.site} was lost: {told.reason}{in_hand}", markup=False, soft_wrap=True
        )
        self._sites = max(1, self._sites - 1)

    def _runs_lost(self, told: RunsLost) -> None:
        """Finished runs of half a block are done again, too."""
        again = [each for each in self._planned.values() if each.id in told.runs]
        self._remaining += again
        self._bar.advance(self._task, -len(again))
        self._say(
            f"{_at(told)}block {told.block} is done again from its begin: "
            f"{counted(len(again), 'finished run')} of it kept apart"
        )

    def _go_until(self, remaining: Sequence[PlannedRun], until: int) -> None:
        """The bar ends where the study may end: what is behind a look is not promised."""
        self._remaining, self._until = list(remaining), until
        total = self._runs_until(until)
        self._bar.update(self._task, total=total, completed=total - len(remaining))

    def _ahead(self) -> str:
        """`12 runs, about 0:02:12`, and of an adaptive study how many it may become."""
        text = f"{counted(len(self._remaining), 'run')}, about {self._left()}"
        if self._plan is None or self._until not in self._plan.looks[:-1]:
            return text
        most = [*self._remaining, *self._plan.runs[self._runs_until(self._until) :]]
        return (
            f"{text}, to the look after block {self._until}; at most {counted(len(most), 'run')}, "
            f"about {self._time_of(most)}"
        )

    def _runs_until(self, block: int) -> int:
        return runs_until(self._plan, block) if self._plan else 0

    def _say(self, text: str) -> None:
        if not self._console.is_terminal:
            self._console.print(text, markup=False, soft_wrap=True)

    def _left(self) -> str:
        return self._time_of(self._remaining)

    def _time_of(self, runs: Sequence[PlannedRun]) -> str:
        seconds = self._time.seconds(runs) if self._time else 0.0
        side_by_side = min(self._sites, len({each.block for each in runs}) or 1)
        return str(timedelta(seconds=round(seconds / side_by_side)))


def _at(told: Told) -> str:
    """`a: ` of a site, where there are several."""
    return "" if told.site is None else f"{told.site}: "
