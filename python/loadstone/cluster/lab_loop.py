"""What a lab does with the commands that it is given, one after the other, until they end."""

import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

from loadstone.cluster.apart.inboxes import Inboxes
from loadstone.cluster.apart.messages import FromParts, PartCommand, PartsAt
from loadstone.cluster.apart.parts_lab import PartsLab
from loadstone.cluster.apart.remote_parts import RemoteParts
from loadstone.cluster.builds import builds_of
from loadstone.cluster.engines.engine_lab import EngineLab, engine_cpus
from loadstone.cluster.engines.messages import FromEngine
from loadstone.cluster.engines.remote_load import RemoteEngines
from loadstone.cluster.lab_process import STARTER_VARIABLE
from loadstone.cluster.line_writer import LineWriter
from loadstone.cluster.lines import (
    Begin,
    BlockDone,
    Command,
    DoBlock,
    Line,
    Prepare,
    Prepared,
    Ready,
    Refused,
    digest_of,
    read_command,
)
from loadstone.cluster.site_facts import site_facts
from loadstone.deploy import leftovers
from loadstone.deploy.confinement.choose import choose, own_groups_here
from loadstone.deploy.dependencies.registry import require_servers
from loadstone.deploy.interruptible import interruptible
from loadstone.deploy.placement import (
    Placement,
    available_cores,
    available_cpus,
    cpus_of,
    lab_on,
)
from loadstone.deploy.ports import LOOPBACK
from loadstone.errors import ExitCode, Interrupted, LoadstoneError, Unavailable
from loadstone.machine import ownership
from loadstone.machine.priority import nice_of, oom_score_of
from loadstone.measure.environment import observe_environment
from loadstone.measure.loading.engine import POLL_SECONDS
from loadstone.measure.site import Block, RunBlocks, Site
from loadstone.measure.this_machine import ThisMachine, this_machine
from loadstone.results import folder
from loadstone.results.environment import Environment
from loadstone.results.record import Place, ProcessFacts
from loadstone.simulate.site import simulated_site
from loadstone.study.design.order import runs_by_block
from loadstone.study.design.resolve import ResolvedPlan, resolve_plan
from loadstone.study.systems.catalogue import open_catalogue

LEAVING_SECONDS = 0.5
"""For a process that has closed its pipes to be gone."""
LOOK_SECONDS = 0.1
"""Between two looks at whether a part of the system has ended of itself."""
PIPE_BYTES = 1 << 16
"""What a pipe holds (pipe(7))."""


def obey() -> int:
    """Do what the standard input says until it ends; return the exit code."""
    with _lines_out() as lines:
        try:
            with interruptible():
                _obey(lines)
        except LoadstoneError as error:
            lines.write(Refused(message=error.message, remedy=error.remedy).model_dump_json())
            return ExitCode.COULD_NOT_RUN
        except Interrupted:
            return ExitCode.OK
        finally:
            _sweep_behind(os.environ.get(STARTER_VARIABLE, ""))
    return ExitCode.OK


def _sweep_behind(starter: str) -> None:
    """Remove the folder of whoever started this lab, if that is gone: its end is seen by its pipes a
    little before.
    """
    deadline = time.monotonic() + LEAVING_SECONDS
    while not ownership.is_orphan(starter) and time.monotonic() < deadline:
        time.sleep(0.01)
    leftovers.sweep()


@contextmanager
def _lines_out() -> Iterator[LineWriter]:
    """Keep standard output for lines alone: what is printed goes to standard error."""
    descriptor = os.dup(1)
    os.dup2(2, 1)
    lines = LineWriter(descriptor)
    try:
        yield lines
    finally:
        lines.close()


def _obey(lines: LineWriter) -> None:
    """Raises LoadstoneError for what cannot be done here, Interrupted at the end of the input."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    commands: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
    said = _Said(queue.SimpleQueue(), Inboxes())
    _read_commands(commands, said)
    with ExitStack() as held:
        lab = _Lab(lines, held, said)
        while True:
            try:
                command = commands.get(timeout=lab.look())
            except queue.Empty:
                continue
            if command is None:
                return
            lab.do(command)


class _Said(NamedTuple):
    """What the other machines of the site say, for the run at hand."""

    engines: "queue.SimpleQueue[FromEngine]"
    parts: Inboxes


def _read_commands(commands: "queue.SimpleQueue[Command | None]", said: _Said) -> None:
    """Read commands in a thread; their end is none, and a signal, since a run may be at hand.

    Both, since what a signal raises is lost where it comes into the middle of a destructor. What
    other machines say is for the run at hand, and does not wait for its end.
    """

    def read() -> None:
        rest = b""
        try:
            while part := os.read(0, PIPE_BYTES):  # sys.stdin would hold a lock at the end
                *whole, rest = (rest + part).split(b"\n")
                for line in whole:
                    command = read_command(line.decode())
                    if isinstance(command, FromEngine):
                        said.engines.put(command)
                    elif isinstance(command, FromParts):
                        said.parts.put(command)
                    else:
                        commands.put(command)
        except LoadstoneError as error:
            sys.stderr.write(f"{error.message}\n")
        finally:
            commands.put(None)
            said.parts.end()
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=read, name="commands", daemon=True).start()


def _refuse_giving_way() -> None:
    """Raise Unavailable where this process gives way to others: so would all that it starts."""
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    score = int(Path("/proc/self/oom_score_adj").read_text())
    if nice != 0 or score != 0:
        raise Unavailable(
            f"the lab was started with nice {nice} and OOM score {score}, and what it measures would "
            "have them, too",
            "join the cluster by `loadstone cluster join`, from a shell that has neither",
        )


class _Lab:
    """One study on this machine."""

    def __init__(
        self,
        lines: LineWriter,
        held: ExitStack,
        said: _Said,
    ) -> None:
        self._lines, self._held, self._said = lines, held, said
        self._engine: EngineLab | None = None
        self._apart: PartsLab | None = None
        self._begin: Begin | None = None
        self._resolved: ResolvedPlan | None = None
        self._site: Site | None = None
        self._run_blocks: RunBlocks | None = None

    def do(self, command: Command) -> None:
        """Carry a command out. Raises LoadstoneError where it cannot be, Interrupted on a signal."""
        match command:
            case Begin():
                self._tell(self._ready(command))
            case Prepare():
                self._tell(self._prepared())
            case DoBlock():
                self._do_block(command)
                self._tell(BlockDone(block=command.block))
            case FromEngine() | FromParts():
                raise AssertionError("what other machines say is for the run at hand")
            case _ if isinstance(command, PartCommand):
                assert self._apart is not None, "this machine has no parts"
                self._apart.do(command)
            case _:
                assert self._engine is not None, "this is no machine of engines"
                self._engine.do(command)

    def look(self) -> float | None:
        """Look after the engine or the parts, if they are here; return after how long to look again.

        Raises Interrupted where nobody takes the lines any more.
        """
        if self._apart is not None and self._apart.is_busy:
            self._apart.look()
            self._refuse_stuck()
            return LOOK_SECONDS
        if self._engine is None or not self._engine.is_loading:
            return None
        self._engine.look()
        self._refuse_stuck()
        return POLL_SECONDS

    def _ready(self, begin: Begin) -> Ready:
        if begin.simulation is None:
            _refuse_giving_way()
        swept = leftovers.sweep()
        resolved = resolve_plan(Path(begin.study), open_catalogue(), begin.profile)
        if digest_of(resolved.plan) != begin.plan:
            raise LoadstoneError(
                "the study's files come to another plan here than where the study was begun",
                "use the same version of Loadstone on all machines",
            )
        self._begin, self._resolved = begin, resolved
        if begin.is_engine:
            environment = self._meet_engine()
        elif begin.has is not None:
            environment = self._meet_parts()
        else:
            environment = self._meet_site()
        return Ready(
            pid=os.getpid(),
            environment=environment,
            facts=site_facts(environment, clock=begin.clock),
            swept=swept,
            engine_cpus=() if self._engine is None else self._engine.cpus,
        )

    def _meet_site(self) -> Environment:
        """Make this machine the site of the study, or the one that leads it."""
        assert self._begin is not None
        assert self._resolved is not None
        begin = self._begin
        if begin.simulation is not None:
            self._site = simulated_site(self._resolved, Path(begin.simulation))
            return self._site.environment
        engines = None
        if begin.engines:
            engines = RemoteEngines(
                begin.engines, Path(begin.results), self._tell, self._said.engines
            )
        machines = {each.machine: self._remote(each) for each in begin.services.values()}
        is_called_from_elsewhere = bool(begin.engines or begin.services)
        self._site = this_machine(
            self._resolved,
            _cluster(begin.cluster_pid),
            engines,
            None if begin.dependencies is None else self._remote(begin.dependencies),
            {name: machines[each.machine] for name, each in begin.services.items()},
            begin.address if is_called_from_elsewhere else LOOPBACK,
        )
        return self._site.environment

    def _remote(self, at: PartsAt) -> RemoteParts:
        """A machine that has parts of the system, as this one asks it."""
        assert self._begin is not None
        inbox = self._said.parts.of(at.machine)
        return RemoteParts(at, Path(self._begin.results), self._tell, inbox)

    def _meet_engine(self) -> Environment:
        """Make this machine one of the engines of a site."""
        assert self._begin is not None
        assert self._resolved is not None
        begin = self._begin
        self._engine = EngineLab(
            self._resolved,
            begin.address,
            Path(begin.results),
            _cluster(begin.cluster_pid),
            self._tell,
        )
        self._held.callback(self._engine.close)
        return self._leave(self._engine.cpus)

    def _meet_parts(self) -> Environment:
        """Make this machine one of those with parts of a site's system.

        Raises Unavailable where a server of a dependency is not here.
        """
        assert self._begin is not None
        assert self._resolved is not None
        begin, cpus = self._begin, engine_cpus(available_cores())
        if begin.simulation is None and begin.has == "dependencies":
            require_servers(self._resolved.system)
        self._apart = PartsLab(
            self._resolved,
            begin.address,
            Path(begin.results),
            cpus,
            choose(own_groups_here()).confine,
            _cluster(begin.cluster_pid),
            self._tell,
        )
        self._held.callback(self._apart.close)
        return self._leave(cpus)

    def _leave(self, cpus: tuple[int, ...]) -> Environment:
        """Leave these CPUs to what the machine is there for, and return what it is."""
        assert self._begin is not None
        assert self._resolved is not None
        if self._begin.simulation is not None:
            return simulated_site(self._resolved, Path(self._begin.simulation)).environment
        placement = Placement(service=(), bench=cpus)
        environment = observe_environment(self._resolved.root, placement, {}, {}, {})
        own = tuple(cpu for cpu in available_cpus() if cpu not in cpus)
        self._held.enter_context(lab_on(own or cpus))
        return environment

    def _prepared(self) -> Prepared:
        assert self._resolved is not None
        assert self._begin is not None
        if self._apart is not None:
            logs = Path(self._begin.results) / folder.LOGS
            logs.mkdir(parents=True, exist_ok=True)
            if self._begin.simulation is None:
                self._apart.make_ready(logs)
            return Prepared(builds=())
        assert self._site is not None
        preparing = self._site.prepare(
            self._resolved.plan.arms, Path(self._begin.results), self._tell
        )
        self._run_blocks = self._held.enter_context(preparing)
        if not isinstance(self._site, ThisMachine):
            return Prepared(builds=())
        return Prepared(builds=builds_of(self._site.sources.values(), self._resolved.builds))

    def _do_block(self, command: DoBlock) -> None:
        assert self._resolved is not None
        assert self._begin is not None
        assert self._run_blocks is not None
        runs = runs_by_block(self._resolved.plan)[command.block - 1]
        place = Place(self._begin.site, command.attempt)
        for run in runs:
            if run.id in command.runs:
                self._run_blocks([Block(command.block, runs, (run,), place)])
                self._refuse_stuck()

    def _refuse_stuck(self) -> None:
        if self._lines.is_stuck():
            raise Interrupted("nobody takes the lines of this lab")

    def _tell(self, line: Line) -> None:
        self._lines.write(line.model_dump_json())


def _cluster(pid: int | None) -> tuple[ProcessFacts, ...]:
    """What joins this machine to the others, to be probed beside its runs."""
    if pid is None:
        return ()
    return (
        ProcessFacts(
            role="cluster",
            name="cluster",
            command=" ".join(psutil.Process(pid).cmdline()[:1]),
            pid=pid,
            nice=nice_of(pid),
            oom_score=oom_score_of(pid),
            cpus=cpus_of(pid),
        ),
    )
