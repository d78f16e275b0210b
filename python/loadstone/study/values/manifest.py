"""System, stack and runtime as their files declare them, validated.

Reading them is `catalogue.py`.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.study.values.checkout import Checkout
from loadstone.study.values.dependency import DependencyKind, DependencyOptions
from loadstone.study.values.held_to import Deviation, HeldTo
from loadstone.study.values.hops import called_by
from loadstone.study.values.model import OPERATION, PAGE_CACHE, WORKLOAD, Operation, Protocol

RESERVED: Final = ("engine", "probe", PAGE_CACHE, WORKLOAD, OPERATION)
"""The names of the lab's own processes in a run record, the factor of every system, and what stands
for a workload and its operations among factors.
"""

LAB_VARIABLES: Final = ("HOST", "PORT", "TLS_CERT", "TLS_KEY", "TLS_CA")
"""The environment variables by which the lab tells a service where it listens, and how it does TLS."""


def protocol_variable(leg: str) -> str:
    """The environment variable by which a service is told what a leg of its speaks."""
    return f"{leg.upper().replace('-', '_')}_PROTOCOL"


class Ready(Frozen):
    """The start-up clock's request, and the answer that counts as correct."""

    operation: Operation
    body_equals_request: bool = False
    """The answer's body must be the request's, byte for byte."""
    any_status: bool = False
    """Every status below 500 counts, whatever the operation's check says."""


CLIENT_LEG: Final = "client"
"""The leg from the engine to the system's entry."""

SEED: Final = "seed"
"""Folder of a system: `seed/<dependency>/` holds what that dependency begins with, `seed/<size>/` what
is known of it."""
SEED_LEVELS: Final = "levels"
"""Folder of `seed/<dependency>/`: a file for each level that a setting can bring the data to, named
by it."""
WORKLOADS: Final = "workloads"
"""Folder of a system."""


class Service(Frozen):
    """One deployable part, with the dependencies and services that must stand before it."""

    service: str
    legs: tuple[str, ...]
    """Names of its legs. A leg is one hop: both services that it connects name it."""
    needs: tuple[str, ...] = ()
    """Dependencies and services; each one's address is handed over in `variables`."""
    variables: dict[str, str] = Field(default_factory=dict)
    """Environment variable to text; `{backend}` is the base URL of the `backend` that it needs, of a
    service with several instances those of all, joined by commas."""
    ready: Ready
    is_bench: bool = False
    """Whether it stands with what measures: on the bench's CPUs, without limits, its figures apart
    from the arm's."""

    def with_variables(self, variables: Mapping[str, str]) -> "Service":
        """The same with further variables."""
        return self.model_copy(update={"variables": self.variables | dict(variables)})


class Setting(Frozen):
    """A factor of the system's own, whose levels are told, seeded, or numbers of instances."""

    name: str
    """The factor."""
    levels: tuple[str, ...]
    """The first holds where a study does not name the setting."""
    variables: dict[str, str] = Field(default_factory=dict)
    """Service to the environment variable that has the level; empty where none is told."""
    seed: str | None = None
    """The dependency whose data is brought to the level; none where no data is."""
    instances: str | None = None
    """The service that has as many instances as the level says; none where no service has."""

    @property
    def default(self) -> str:
        """The level where none is chosen."""
        return self.levels[0]


def joined_levels(levels: Iterable[str]) -> str:
    """Return the name of the file that brings data to the levels of all settings that seed them."""
    return "-".join(levels)


class Scenario(Frozen):
    """An operation over a protocol on each leg of the system, as its contract is held and published."""

    operation: str
    """Its name in the workloads."""
    legs: dict[str, Protocol]
    """One protocol for each leg of the system."""

    @property
    def name(self) -> str:
        """The operation and its protocols, such as `passthrough h2 -> h1c`."""
        return f"{self.operation} {' -> '.join(self.legs.values())}"


class System(Frozen):
    """A reference application."""

    system: str
    title: str
    directory: Path
    services: tuple[Service, ...]
    """In start order: each stands behind those that it needs."""
    entry: str
    """The service that is called from outside."""
    entry_leg: str = CLIENT_LEG
    """The leg by which it is called: another one of a part that is called at another service."""
    dependencies: dict[str, DependencyKind]
    """Name to kind: `{backend: echo}`; each is needed by some service."""
    dependency_options: dict[str, DependencyOptions] = Field(default_factory=dict)
    """What is said of each beside its kind; one that is not in it has none."""
    settings: tuple[Setting, ...] = ()
    """Its own factors, in the order of its file."""
    scenarios: tuple[Scenario, ...] = ()
    """What is published of it; none: whatever its stacks speak first."""
    recorded: tuple[str, ...] | None = None
    """What the recording upstream stands in for while checks about another service are held; none: what
    `deploy/stand_ins.py` says."""

    @property
    def name(self) -> str:
        """What it is called for people: `parking`, or of a part of it `parking at users`."""
        return self.system if self.entry_leg == CLIENT_LEG else f"{self.system} at {self.entry}"

    def service(self, name: str) -> Service:
        """The service of this name."""
        return next(each for each in self.services if each.service == name)

    @property
    def workloads(self) -> Path:
        """The folder of its workloads, and of what they are fed with."""
        return self.directory / WORKLOADS

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the services, the entry first."""
        others = [each.service for each in self.services if each.service != self.entry]
        return (self.entry, *others)

    @property
    def bench_services(self) -> tuple[str, ...]:
        """Names of the services that stand with what measures, in start order."""
        return tuple(each.service for each in self.services if each.is_bench)

    @property
    def legs(self) -> tuple[str, ...]:
        """Names of all legs, each once, those of the entry first."""
        return tuple(dict.fromkeys(leg for name in self.names for leg in self.service(name).legs))

    @property
    def operations(self) -> tuple[str, ...]:
        """The operations of its scenarios, each once."""
        return tuple(dict.fromkeys(each.operation for each in self.scenarios))

    def leads_to(self, leg: str) -> str | None:
        """The service that is called by a leg; none where it leads to a dependency."""
        if leg == self.entry_leg:
            return self.entry
        return called_by(
            leg,
            {each.service: each.legs for each in self.services},
            {each.service: each.needs for each in self.services},
        )

    def inbound_leg(self, service: str) -> str | None:
        """The leg by which a service is called; none where nothing says which it is."""
        if service == self.entry:
            return self.entry_leg
        legs = self.service(service).legs
        return next((leg for leg in legs if self.leads_to(leg) == service), None)

    def leg_to(self, dependency: str) -> str | None:
        """The leg by which a dependency is called: the one that leads to no service.

        None where there is none, or more than one.
        """
        found = {
            leg
            for each in self.services
            if dependency in each.needs
            for leg in each.legs
            if self.leads_to(leg) is None
        }
        return found.pop() if len(found) == 1 else None

    def options_of(self, dependency: str) -> DependencyOptions:
        """What is said of a dependency beside its kind."""
        return self.dependency_options.get(dependency, DependencyOptions())

    def seed_of(self, dependency: str) -> tuple[Path, ...]:
        """The files that a dependency is seeded with, in the order of their names."""
        folder = self.directory / SEED / dependency
        return tuple(sorted(each for each in folder.glob("*") if each.is_file()))

    def seed_levels_of(self, dependency: str) -> tuple[Path, ...]:
        """The files that bring a dependency's data to a level, in the order of their names."""
        return tuple(sorted((self.directory / SEED / dependency / SEED_LEVELS).glob("*")))

    @property
    def seed_files(self) -> tuple[Path, ...]:
        """Every file that the data of its dependencies are made of."""
        return tuple(
            file
            for name in self.dependencies
            for file in (*self.seed_of(name), *self.seed_levels_of(name))
        )

    def chosen(self, factors: Mapping[str, str]) -> dict[str, str]:
        """The level of every setting: that of `factors`, else its first."""
        return {each.name: factors.get(each.name, each.default) for each in self.settings}

    def setting_variables(self, service: str, chosen: Mapping[str, str]) -> dict[str, str]:
        """The environment variables by which a service is told the chosen levels."""
        return {
            each.variables[service]: chosen[each.name]
            for each in self.settings
            if service in each.variables
        }

    def level_of(self, dependency: str, chosen: Mapping[str, str]) -> str | None:
        """The chosen level of a dependency's data; none where no setting names its seed."""
        found = [chosen[each.name] for each in self.settings if each.seed == dependency]
        return joined_levels(found) if found else None

    def instance_names(self, service: str, chosen: Mapping[str, str]) -> tuple[str, ...]:
        """Names of a service's processes at the chosen levels: the service's, and `users.2`, `users.3`.

        No service's own name has a dot.
        """
        levels = [int(chosen[each.name]) for each in self.settings if each.instances == service]
        count = levels[0] if levels else 1
        return (service, *(f"{service}.{number}" for number in range(2, count + 1)))

    def one_of_each(self) -> "System":
        """The same with one process of each service at any level."""
        settings = tuple(each.model_copy(update={"instances": None}) for each in self.settings)
        return self.model_copy(update={"settings": settings})


class JavaHome(Frozen):
    """A JDK of this feature version."""

    jdk: int


class ProgramHome(Frozen):
    """The folder whose `bin` has a program: named by a variable, else on the PATH, else `folder`."""

    program: str
    variable: str
    folder: Path | None = Field(default=None, exclude=True)
    """Absolute. No part of what the runtime is, and so of no build's digest."""


class Train(Frozen):
    """A run before the first: the service answers requests, ends by SIGTERM, and leaves a file."""

    launch: str
    creates: str
    """The file, in the built copy."""


RuntimeLog = Literal["jvm-gc-log", "go-gctrace"]
"""What can be read of a runtime's garbage collector: a JVM's own log, or Go's lines on stderr."""


class Exposes(Frozen):
    """What a runtime tells of its garbage collector."""

    log: RuntimeLog | None
    nothing: str | None
    """Why it tells nothing; none where there is a log."""
    environment: dict[str, str] = Field(default_factory=dict)
    """Of the deployed service alone: a build's own compiler might write such a log, too."""


LONGEST_THREAD_NAME = 15
"""Bytes: the kernel cuts what is longer (TASK_COMM_LEN, of which one is the end)."""


class Compiles(Frozen):
    """What a runtime compiles while it runs."""

    threads: tuple[str, ...]
    """Names of its compile threads, as the kernel has them: 15 bytes. Empty: it never compiles."""


class Runtime(Frozen):
    """What executes a stack, and how this machine shows that it is there.

    Its commands may hold `{home}`, `{artifacts}` (a folder in the built copy) and `{arguments}` (what
    follows the program in the stack's run command), `launch` also `{gc_log}` (the option by which a
    JVM writes its log).
    """

    runtime: str
    title: str
    detect: str
    """A command that prints its version; its failure means that the runtime is not here."""
    install: str
    """One sentence: how to get it."""
    home: JavaHome | ProgramHome | None = None
    """None: whatever is on the PATH."""
    environment: dict[str, str] = Field(default_factory=dict)
    """Of build and run."""
    replaces: str | None = None
    """The program of run commands that it stands for; none where it changes nothing in them."""
    launch: str | None = None
    """The command line in place of the stack's own."""
    prepare: str | None = None
    """Shell command, run once in the built copy."""
    train: Train | None = None
    proof: str | None = None
    """What the log of a service must hold after its start, if this runtime is really in use."""
    exposes: Exposes | None = None
    """None: its file does not say."""
    compiles: Compiles | None = Field(default=None, exclude=True)
    """None: nothing tells its compile threads from the others, or its file does not say. How it is
    watched is no part of any build's digest."""


class Stack(Frozen):
    """One implementation of a service: its manifest, at most 25 lines."""

    stack: str
    language: str
    framework: str
    build: str
    """Shell command, run in a copy of the folder."""
    run: str
    """Command line, run in the built copy."""
    runtimes: tuple[str, ...]
    """The first is the default."""
    claim: str | None = None
    """How its log states its own start-up time: `started in {seconds} seconds`."""
    operations: tuple[str, ...] | None = None
    """The operations that it has; none: all of the system's scenarios."""
    protocols: dict[str, tuple[Protocol, ...]]
    """Leg to the protocols that it speaks there."""
    protocols_on: dict[str, dict[str, tuple[Protocol, ...]]] = Field(default_factory=dict)
    """Runtime to what it speaks there, leg by leg, where that is less."""
    deviations: tuple[Deviation, ...] = ()
    """What it is known to do otherwise than its system's clauses say."""
    yardstick: tuple[str, ...] | None = None
    """The only clauses that it holds, where it stands beside the stacks of its service and is none;
    none: it is one, and holds all.
    """
    samples_alone: bool = False
    """Whether its contract is not run: see `HeldTo`."""
    directory: Path
    """What is built."""
    is_project: bool = False
    """Whether that is a project that the manifest is no part of, and not the manifest's own folder."""
    checkout: Checkout | None = None
    """The state of its repository that is built; none: the folder, as it is."""

    @property
    def held_to(self) -> HeldTo:
        """What of its system's contract it is held to."""
        return HeldTo(
            operations=self.operations,
            deviations=self.deviations,
            only=self.yardstick,
            samples_alone=self.samples_alone,
        )

    def on(self, runtime: str) -> "Stack":
        """The stack as it is on one of its runtimes."""
        fewer = self.protocols_on.get(runtime, {})
        return self.model_copy(update={"protocols": self.protocols | fewer, "protocols_on": {}})

    def has(self, scenario: Scenario) -> bool:
        """Whether it has the operation of a scenario and speaks what that is spoken over."""
        return self.offers(scenario.operation) and self.speaks(scenario.legs)

    def offers(self, operation: str) -> bool:
        """Whether it has the operation."""
        return self.operations is None or operation in self.operations

    def speaks(self, legs: Mapping[str, Protocol]) -> bool:
        """Whether it speaks these protocols on those of the legs that are its own."""
        return all(legs[leg] in spoken for leg, spoken in self.protocols.items() if leg in legs)
