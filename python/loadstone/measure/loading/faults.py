"""The faults of one load, each at its time, in a thread of their own: starting a process takes seconds,
and the load must be looked after meanwhile.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread
from typing import NamedTuple

from loadstone.deploy.deployment import Deployment
from loadstone.deploy.faults import FaultHands
from loadstone.errors import LoadstoneError
from loadstone.measure.loading.probe import Probe
from loadstone.results.fault_facts import FaultFacts
from loadstone.results.record import ProcessFacts
from loadstone.study.values.faults import Fault

_LOOK_SECONDS = 0.05
"""Between two looks at whether the window's begin is known: the engine tells it a second before."""


class _LoadOver(LoadstoneError):
    """The load ended while a process started, which is not waited for."""


class _Step(NamedTuple):
    """The begin of a fault, or the end of one that lasts."""

    at_ns: int
    """Since the window began."""
    is_end: bool
    fault: Fault


class Faults:
    """Does what is planned, and keeps what was done."""

    def __init__(
        self,
        planned: Sequence[Fault],
        hands: FaultHands,
        facts_of: Callable[[Deployment], ProcessFacts],
        window_start_ns: int | None,
    ) -> None:
        """`facts_of` describes a process that is added. `window_start_ns` is since the load began;
        none: it is told by `window_begins`.
        """
        self._steps = _steps(planned)
        self._hands, self._facts_of = hands, facts_of
        self._window_start_ns = window_start_ns
        self._began_unix_ns = 0
        self._is_known, self._is_over = Event(), Event()
        self._failed: Exception | None = None
        self._lasting: dict[str, FaultFacts] = {}
        self._done: list[FaultFacts] = []
        self.added: list[ProcessFacts] = []
        """Processes that were started."""

    @property
    def facts(self) -> tuple[FaultFacts, ...]:
        """What was done, in the order in which it began."""
        return tuple(sorted(self._done, key=lambda each: each.began_ns))

    def load_began(self, unix_ns: int) -> None:
        """The load began at this moment."""
        self._began_unix_ns = unix_ns
        if self._window_start_ns is not None:
            self._is_known.set()

    def window_begins(self, start_ns: int) -> None:
        """The window begins then, since the load began."""
        self._window_start_ns = start_ns
        self._is_known.set()

    def refuse_failed(self) -> None:
        """Raise what kept a fault from being done: StepFailed('load'), or an error of the lab."""
        if self._failed is not None:
            raise self._failed

    @contextmanager
    def running(self, probe: Probe) -> Iterator[None]:
        """Do what is due while the block runs. Behind it nothing is frozen or stopped any more.

        The probe is told which processes come and go.
        """
        thread = Thread(target=self._run, args=(probe,))
        thread.start()
        try:
            yield
        finally:
            self._is_over.set()
            thread.join()
            self._hands.undo()
            for part in tuple(self._lasting):
                self._end(part)
        self.refuse_failed()

    def _run(self, probe: Probe) -> None:
        try:
            for step in self._steps:
                if not self._comes(step.at_ns):
                    return
                if step.is_end:
                    self._undo(step.fault, probe)
                else:
                    self._do(step.fault, probe)
        except Exception as error:  # for the thread that looks after the load
            self._failed = error

    def _comes(self, at_ns: int) -> bool:
        """Wait until a moment of the window; whether it came before the load was over."""
        while not self._is_known.wait(_LOOK_SECONDS):
            if self._is_over.is_set():
                return False
        due_unix_ns = self._began_unix_ns + (self._window_start_ns or 0) + at_ns
        return not self._is_over.wait(max(0.0, (due_unix_ns - time.time_ns()) / 1e9))

    def _do(self, fault: Fault, probe: Probe) -> None:
        facts = FaultFacts(fault=fault.fault, part=fault.part, began_ns=self._now_ns())
        try:
            process = self._act(fault, probe)
        except _LoadOver:
            self._done.append(facts)
            return
        facts = facts.model_copy(update={"process": process, "done_ns": self._now_ns()})
        if fault.for_ns is None:
            self._done.append(facts)
        else:
            self._lasting[fault.part] = facts

    def _act(self, fault: Fault, probe: Probe) -> str | None:
        """Do it, and return the name of the process that it started; none of another fault."""
        part = fault.part
        match fault.fault:
            case "kill":
                probe.let_go(part)
                self._hands.kill(part)
            case "remove":
                probe.let_go(part)
                self._hands.remove(part)
            case "add":
                added = self._hands.add(part, self._leave_over)
                self.added.append(self._facts_of(added))
                probe.watch(added.name, added.child.pid, added.confinement)
                return added.name
            case "freeze":
                self._hands.freeze(part)
            case "stop":
                self._hands.stop(part)
        return None

    def _undo(self, fault: Fault, probe: Probe) -> None:
        if fault.fault == "freeze":
            self._hands.thaw(fault.part)
        else:
            probe.follow(fault.part, self._hands.start(fault.part))
        self._end(fault.part)

    def _end(self, part: str) -> None:
        facts = self._lasting.pop(part)
        self._done.append(facts.model_copy(update={"ended_ns": self._now_ns()}))

    def _leave_over(self) -> None:
        if self._is_over.is_set():
            raise _LoadOver("the load was over")

    def _now_ns(self) -> int:
        return max(0, time.time_ns() - self._began_unix_ns)


def _steps(planned: Sequence[Fault]) -> tuple[_Step, ...]:
    """In the order of time; of one moment ends come first."""
    steps = [_Step(fault.at_ns, False, fault) for fault in planned]
    steps += [_Step(fault.end_ns, True, fault) for fault in planned if fault.for_ns is not None]
    return tuple(sorted(steps, key=lambda step: (step.at_ns, not step.is_end)))
