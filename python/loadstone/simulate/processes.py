"""The processes of a simulated run: nothing was started, so their ids and builds are
made up.
"""

from loadstone.results.database_work import DatabaseWork
from loadstone.results.record import ProcessFacts
from loadstone.results.service_facts import BuildFacts, StartupFacts
from loadstone.simulate.behaviour import Behaviour
from loadstone.simulate.summary import BENCH_CPU
from loadstone.simulate.ticks import SERVICE_CPU
from loadstone.study.values.dependency import DATABASES
from loadstone.study.values.manifest import System
from loadstone.study.values.model import Arm
from loadstone.study.values.service_choice import ServiceChoice, StackChoice

FIRST_PID = 100
BUILD_NS = 1_000_000_000


def processes_of(system: System, arm: Arm, startup: StartupFacts) -> tuple[ProcessFacts, ...]:
    """Return dependencies and instances of services, the entry first of these, then probe and engine.

    Services that stand with what measures share its CPU.
    """
    chosen = system.chosen(arm.settings)
    instances = [
        (choice, name)
        for choice in arm.services
        for name in system.instance_names(choice.service, chosen)
    ]
    bench = (
        *(("dependency", name, kind) for name, kind in system.dependencies.items()),
        ("probe", "probe", None),
        ("engine", "engine", None),
    )
    others = [
        ProcessFacts.model_validate(
            {
                "role": role,
                "name": name,
                "kind": kind,
                "command": name,
                "pid": FIRST_PID + len(instances) + place,
                "cpus": (BENCH_CPU,),
            }
        )
        for place, (role, name, kind) in enumerate(bench)
    ]
    services = [
        _service(choice, name, FIRST_PID + place, startup, choice.service in arm.bench_services)
        for place, (choice, name) in enumerate(instances)
    ]
    return (*others[:-2], *services, *others[-2:])


def with_work(
    processes: tuple[ProcessFacts, ...], behaviour: Behaviour, ok: int
) -> tuple[ProcessFacts, ...]:
    """The same with what the databases among them did for so many ok requests: they only read."""
    statements = round(behaviour.statements_per_ok * ok)
    rows = round(behaviour.rows_per_ok * ok)
    work = DatabaseWork(
        select=statements,
        insert=0,
        update=0,
        delete=0,
        other_commands=round(behaviour.other_commands_per_ok * ok),
        rows_read=rows,
        rows_sent=rows,
        connections=0,
        lock_waits=0,
        deadlocks=0,
    )
    return tuple(
        each.model_copy(update={"database_work": work})
        if each.role == "dependency" and each.kind in DATABASES
        else each
        for each in processes
    )


def _service(
    choice: ServiceChoice, name: str, pid: int, startup: StartupFacts, is_bench: bool
) -> ProcessFacts:
    stack = choice if isinstance(choice, StackChoice) else None
    return ProcessFacts(
        role="bench" if is_bench else "service",
        name=name,
        instance_of=None if name == choice.service else choice.service,
        stack=stack and stack.stack,
        runtime=stack and stack.runtime,
        runtime_version=stack and "simulated",
        label=choice.label,
        command=f"./{choice.label}",
        pid=pid,
        cpus=(BENCH_CPU if is_bench else SERVICE_CPU,),
        build=stack
        and BuildFacts(digest="0" * 64, duration_ns=BUILD_NS, artifact_bytes=1, cached=True),
        startup=startup,
    )
