"""Labs that do runs at once and on demand die, and a study that is done at them."""

import queue
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from test_study_plan import study_of

from loadstone.cluster.lines import BlockDone, DoBlock, Prepared, Ready, Refused
from loadstone.cluster.remote_lab import Gone, Heard
from loadstone.cluster.several_sites import meet
from loadstone.errors import LoadstoneError
from loadstone.measure.execute import TakeLook, execute
from loadstone.measure.told import RunBegan, RunEnded, Step, Told
from loadstone.results import folder
from loadstone.results.environment import Environment, Machine, SiteFacts
from loadstone.results.looks import Look
from loadstone.results.record import RunIdentity, RunRecord
from loadstone.study.design.plan import make_plan
from loadstone.study.design.resolve import ResolvedPlan
from loadstone.study.values.model import Plan, PlannedRun

KERNEL = "6.1"


@dataclass
class FakeLab:
    """A site that has done its runs as soon as it is asked to, or is lost behind so many."""

    site: str
    plan: Plan
    heard: "queue.SimpleQueue[Heard]"
    directory: Path
    runs_until_lost: int | None = None
    """None: it is never lost."""
    is_lost_preparing: bool = False
    refuses: str | None = None
    kernel: str = KERNEL
    given: list[object] = field(default_factory=list)
    """The builds that it got."""
    done: list[str] = field(default_factory=list)

    def begin(self, profile: str | None, plan: str) -> None:
        if self.refuses is not None:
            self._say(Refused(message=self.refuses, remedy="install it"))
            return
        machine = Machine(cpu_model="one", cpus=4, kernel=self.kernel, memory_bytes=1 << 30)
        environment = Environment(machine=machine, versions={"go": "1.24"}, code={"lab": "abc"})
        self._say(
            Ready(
                pid=1,
                environment=environment,
                facts=SiteFacts(machine=machine, service_cpus=(1,), bench_cpus=(0,)),
                swept="1 process (node)" if self.site == "b" else None,
            )
        )

    def prepare(self, builds: object) -> None:
        if self.is_lost_preparing:
            self._say(Gone("its raylet died"))
            return
        self.given.append(builds)
        logs = self._new("logs")
        (logs / "build-go.log").write_text(f"built at {self.site}")
        self._say(Step(text="build go"))
        self._say(Prepared(builds=("go-1",)), logs, builds or f"made at {self.site}")

    def do_block(self, command: DoBlock) -> None:
        by_id = {run.id: run for run in self.plan.runs}
        for name in command.runs:
            self._say(RunBegan(run=name))
            if self.runs_until_lost is not None:
                if not self.runs_until_lost:
                    self._say(Gone("its machine is off"))
                    return
                self.runs_until_lost -= 1
            self.done.append(name)
            self._say(*self._ended(by_id[name], command.attempt))
        self._say(BlockDone(block=command.block))

    def close(self) -> None:
        """Nothing goes on here."""

    def _ended(self, planned: PlannedRun, attempt: int) -> tuple[RunEnded, Path]:
        record = RunRecord(
            run=RunIdentity(
                index=planned.index,
                id=planned.id,
                study=self.plan.study,
                arm=planned.arm,
                factors={},
                workload=planned.workload,
                block=planned.block,
                seed=planned.seed,
                site=self.site,
                attempt=attempt,
            ),
            status="completed",
            started_at="",
            finished_at="",
        )
        directory = self._new(planned.id)
        (directory / folder.RECORD).write_text(record.model_dump_json())
        return RunEnded.of(record), directory

    def _new(self, name: str) -> Path:
        directory = self.directory / self.site / name
        directory.mkdir(parents=True)
        return directory

    def _say(self, line: Any, files: Path | None = None, builds: object = None) -> None:
        self.heard.put(Heard(self.site, line, files, builds))


@dataclass
class Listener:
    """Progress that is kept."""

    heard: list[Told] = field(default_factory=list)
    looks: list[int] = field(default_factory=list)

    def plan_began(self, plan: Plan, remaining: Sequence[PlannedRun], until: int) -> None:
        self.remaining = [run.id for run in remaining]

    def look_taken(self, look: Look, remaining: Sequence[PlannedRun], until: int) -> None:
        self.looks.append(look.after_block)

    def told(self, told: Told) -> None:
        self.heard.append(told)


class Study:
    """A study of so many arms and blocks, at sites that are made anew for each sitting."""

    def __init__(self, directory: Path, *, arms: int = 2, blocks: int = 4, looks: Any = ()) -> None:
        study = study_of(arms, 1, blocks, 3).model_copy(update={"looks": looks})
        self.plan = make_plan(study)
        self.directory, self.results = directory, directory / "results"
        self.listener = Listener()
        self._sittings = 0
        path = directory / "study.yaml"
        path.write_text("study: any\n")
        self.resolved = cast("ResolvedPlan", _Resolved(plan=self.plan, path=path, published=None))

    def sit(
        self,
        *sites: str,
        take_look: TakeLook = lambda results, block: never_stopping(block),
        resume: bool = False,
        **changed: dict[str, Any],
    ) -> dict[str, FakeLab]:
        """Begin or resume it at these sites, some with fields of their labs changed; return the labs,
        also where the study did not come to its end.
        """
        self._sittings += 1
        heard: queue.SimpleQueue[Heard] = queue.SimpleQueue()
        directory = self.directory / f"fetched-{self._sittings}"
        self.labs = {
            site: FakeLab(site, self.plan, heard, directory, **changed.get(site, {}))
            for site in sites
        }
        addresses = {site: f"10.0.0.{number}" for number, site in enumerate(sites)}
        site = meet(self.labs, heard, self.plan, "digest", addresses)
        self.listener = Listener()
        execute(self.resolved, site, self.results, self.listener, take_look, resume=resume)
        return self.labs

    def sit_in_vain(self, *sites: str, **changed: Any) -> LoadstoneError:
        """Sit, and return the error that ended it."""
        try:
            self.sit(*sites, **changed)
        except LoadstoneError as error:
            return error
        raise AssertionError("the study came to its end")

    def records(self) -> dict[str, tuple[str | None, int]]:
        """Site and attempt of every run that is done."""
        found = {}
        for path in sorted(self.results.glob("runs/*/run.json")):
            record = RunRecord.model_validate_json(path.read_text())
            found[record.run.id] = (record.run.site, record.run.attempt)
        return found

    def sites_of_blocks(self) -> list[set[tuple[str | None, int]]]:
        """Where the runs of each block were done; one place, or half a block is elsewhere."""
        records = self.records()
        return [
            {records[run.id] for run in self.plan.runs if run.block == block}
            for block in range(1, self.plan.blocks + 1)
        ]


@dataclass
class _Resolved:
    """What `execute` reads of a resolved plan."""

    plan: Plan
    path: Path
    published: None


def never_stopping(block: int) -> Look:
    return Look(after_block=block, runs=0, taken_at="", level=0.95, comparisons=(), stop=False)
