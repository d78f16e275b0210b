"""The processes of a simulated run: nothing was started, so their ids and builds are
made up.
"""

from loadstone.results.record import ProcessFacts
from loadstone.results.service_facts import BuildFacts, StartupFacts
from loadstone.simulate.behaviour import MILLISECOND_NS
from loadstone.simulate.summary import BENCH_CPU
from loadstone.simulate.ticks import SERVICE_CPU
from loadstone.study.values.manifest import System
from loadstone.study.values.model import Arm
from loadstone.study.values.service_choice import ServiceChoice, StackChoice

FIRST_PID = 100
BUILD_NS = 1_000_000_000


def processes_of(system: System, arm: Arm, startup_ns: int) -> tuple[ProcessFacts, ...]:
    """Return dependencies and services, the entry first of these, and then probe and engine.

    Services that stand with what measures share its CPU.
    """
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
                "pid": FIRST_PID + len(arm.services) + place,
                "cpus": (BENCH_CPU,),
            }
        )
        for place, (role, name, kind) in enumerate(bench)
    ]
    services = [
        _service(choice, FIRST_PID + place, startup_ns, choice.service in arm.bench_services)
        for place, choice in enumerate(arm.services)
    ]
    return (*others[:-2], *services, *others[-2:])


def _service(choice: ServiceChoice, pid: int, startup_ns: int, is_bench: bool) -> ProcessFacts:
    stack = choice if isinstance(choice, StackChoice) else None
    return ProcessFacts(
        role="bench" if is_bench else "service",
        name=choice.service,
        stack=stack and stack.stack,
        runtime=stack and stack.runtime,
        runtime_version=stack and "simulated",
        label=choice.label,
        command=f"./{choice.label}",
        pid=pid,
        cpus=(BENCH_CPU if is_bench else SERVICE_CPU,),
        build=stack
        and BuildFacts(digest="0" * 64, duration_ns=BUILD_NS, artifact_bytes=1, cached=True),
        startup=StartupFacts(
            first_correct_response_ns=startup_ns, resolution_ns=MILLISECOND_NS, attempts=3
        ),
    )
