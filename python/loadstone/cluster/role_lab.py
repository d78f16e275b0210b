"""A site of several machines, as the driver follows it: one lab leads, the others have engines,
services or dependencies for it.

What the labs say to each other is passed on here, and what the leading one tells is told as the site's.
Where one of them is gone, the site is.
"""

import queue
import shutil
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

from loadstone.cluster.apart.messages import (
    FromParts,
    PartAnswer,
    PartsAt,
    ToParts,
)
from loadstone.cluster.engines.messages import (
    EngineAt,
    EngineSaid,
    FromEngine,
    LoadFailed,
    LoadLeft,
    LoadPrepared,
    ToEngine,
)
from loadstone.cluster.lines import DoBlock, Prepared, Ready, Refused
from loadstone.cluster.remote_lab import Broken, Gone, Heard, Part, RemoteLab
from loadstone.errors import LoadstoneError, Unavailable
from loadstone.results.environment import SiteFacts
from loadstone.text.words import listed

Queue = queue.SimpleQueue[Heard]

_END = Heard("", Gone("it is closed"))


class RoleLab:
    """One site. What it hears of its machines it passes on, to them or into a queue of all sites."""

    def __init__(
        self,
        site: str,
        leader: RemoteLab,
        others: Mapping[str, RemoteLab],
        apart: str | None,
        inner: Queue,
        heard: Queue,
        addresses: Mapping[str, str],
        services: Mapping[str, str] | None = None,
    ) -> None:
        """All labs put what they hear into the `inner` queue. `apart` is the one of the others that is
        for dependencies, if one is, `services` are those by name that others have; the rest have
        engines.
        """
        self._site, self._leader, self._others, self._apart = site, leader, others, apart
        self._services = services or {}
        self._prepared: Heard | None = None
        self._unprepared: set[str] = set()
        self._inner, self._heard, self._addresses = inner, heard, addresses
        self._ready: dict[str, Ready] = {}
        self._study: tuple[str | None, str] = (None, "")
        self._is_gone = False
        self._ending: list[threading.Thread] = []
        self._thread = threading.Thread(target=self._follow, name=f"{site} roles", daemon=True)

    def begin(self, profile: str | None, plan: str) -> None:
        """Begin with the others: the leading lab is told of them."""
        self._study = (profile, plan)
        self._thread.start()
        for machine, lab in self._others.items():
            part = Part(
                address=self._addresses[machine],
                is_engine=machine in self._engines,
                has=self._kept_by(machine),
            )
            lab.begin(profile, plan, part)

    def prepare(self, builds: object) -> None:
        """Let the leading lab make every arm ready."""
        self._leader.prepare(builds)

    def do_block(self, command: DoBlock) -> None:
        """Let it do runs of a block."""
        self._leader.do_block(command)

    def close(self) -> None:
        """End the leading lab, which still has a use for the others, and then these; wait for all."""
        self._is_gone = True  # nobody is lost who is told to go
        self._leader.close()
        with ThreadPoolExecutor(len(self._others)) as pool:
            for lab in self._others.values():
                pool.submit(lab.close)
        self._inner.put(_END)
        if self._thread.is_alive():
            self._thread.join()
        for thread in self._ending:
            thread.join()

    def _follow(self) -> None:
        while (heard := self._inner.get()) is not _END:
            if self._is_gone:
                if heard.files is not None:
                    shutil.rmtree(heard.files, ignore_errors=True)
                continue
            try:
                self._take(heard)
            except LoadstoneError as error:
                self._lose(Broken(error))

    def _take(self, heard: Heard) -> None:
        """Raises Unavailable where machines of the site do not fit together."""
        machine, line = heard.site, heard.line
        if isinstance(line, PartAnswer):
            self._leader.hear_parts(FromParts(machine=machine, answer=line), heard.files)
            return
        match line:
            case Ready():
                self._meet(machine, line)
            case Gone():
                self._lose(Gone(f"{machine}: {line.reason}"))
            case Refused():
                message = line.message if machine == self._site else f"{machine}: {line.message}"
                self._lose(Refused(message=message, remedy=line.remedy))
            case Broken():
                self._lose(line)
            case Prepared() if self._with_services:
                self._take_prepared(heard)
            case ToEngine():
                self._others[line.machine].do_engine(line.command)
            case ToParts():
                self._others[line.machine].do_parts(line.command)
            case LoadPrepared() | EngineSaid() | LoadLeft() | LoadFailed():
                self._leader.hear_engine(FromEngine(machine=machine, answer=line), heard.files)
            case _:
                self._heard.put(heard)

    def _take_prepared(self, heard: Heard) -> None:
        """Let machines of services find what the leading lab has built, before the site is prepared."""
        if heard.site == self._site:
            self._prepared, self._unprepared = heard, set(self._with_services)
            for machine in self._with_services:
                self._others[machine].prepare(heard.builds)
            return
        if heard.files is not None:
            shutil.rmtree(heard.files, ignore_errors=True)
        self._unprepared.discard(heard.site)
        if not self._unprepared and self._prepared is not None:
            self._heard.put(self._prepared)
            self._prepared = None

    def _meet(self, machine: str, ready: Ready) -> None:
        """Begin with the leading lab once all others are there; it is the site's answer."""
        self._ready[machine] = ready
        if machine == self._site:
            self._heard.put(Heard(self._site, self._together(ready)))
        elif len(self._ready) == len(self._others):
            engines = {
                name: EngineAt(address=self._addresses[name], cpus=self._ready[name].engine_cpus)
                for name in self._engines
            }
            part = Part(
                address=self._addresses[self._site],
                engines=engines,
                dependencies=None if self._apart is None else self._at(self._apart),
                services={name: self._at(machine) for name, machine in self._services.items()},
            )
            self._leader.begin(*self._study, part)

    def _kept_by(self, machine: str) -> Literal["dependencies", "services"] | None:
        """What parts of the system a machine has; none: it has an engine."""
        if machine == self._apart:
            return "dependencies"
        return "services" if machine in self._with_services else None

    def _at(self, machine: str) -> PartsAt:
        own = [name for name, other in self._services.items() if other == machine]
        return PartsAt(
            machine=machine,
            address=self._addresses[machine],
            has=f"the service{'s' if own[1:] else ''} {listed(own)}" if own else "the dependencies",
        )

    @property
    def _with_services(self) -> tuple[str, ...]:
        """The machines that have services."""
        return tuple(dict.fromkeys(self._services.values()))

    @property
    def _engines(self) -> tuple[str, ...]:
        taken = (self._apart, *self._with_services)
        return tuple(name for name in self._others if name not in taken)

    def _together(self, leading: Ready) -> Ready:
        """Return what the leading machine is, with the facts of the others."""
        for name in self._others:
            self._refuse_other_code(name, leading)
        facts: dict[str, SiteFacts] = {
            name: self._ready[name].facts.model_copy(update={"address": self._addresses[name]})
            for name in self._others
        }
        swept = [f"on {name}: {text}" for name in self._others if (text := self._ready[name].swept)]
        engines = {name: facts[name] for name in self._engines}
        services = {name: facts[name] for name in self._with_services}
        dependencies = {} if self._apart is None else {self._apart: facts[self._apart]}
        return leading.model_copy(
            update={
                "facts": leading.facts.model_copy(
                    update={
                        "engines": engines,
                        "services": services,
                        "dependencies": dependencies,
                    }
                ),
                "swept": "; ".join(filter(None, [leading.swept, *swept])) or None,
            }
        )

    def _refuse_other_code(self, name: str, leading: Ready) -> None:
        """Raise Unavailable where another machine has another Loadstone than the service's."""
        here, there = leading.environment, self._ready[name].environment
        for what, ours, theirs in (
            ("version", here.versions, there.versions),
            ("digest", here.code, there.code),
        ):
            for each, text in theirs.items():
                if ours.get(each) != text:
                    raise Unavailable(
                        f"the {what} of {each} is {ours.get(each)} on {self._site}, and {text} on "
                        f"{name}, which is of its site",
                        "install the same version of Loadstone on both",
                    )

    def _lose(self, line: Gone | Broken | Refused) -> None:
        """Tell that the site is no more, and end what is left of it: half of it is of no use."""
        self._is_gone = True
        self._heard.put(Heard(self._site, line))
        for lab in (self._leader, *self._others.values()):
            thread = threading.Thread(target=lab.close, name=f"{self._site} end", daemon=True)
            self._ending.append(thread)
            thread.start()
