"""`loadstone doctor`: what can run here, how steady this machine is, what is missing and how to get
it.
"""

import os
import resource
import shutil

import typer
from rich.table import Table

from loadstone.cli.app import output
from loadstone.errors import ExitCode, Unavailable

COMMON_DIFFERENCE = 0.05
"""The run-to-run variation up to which six blocks still find a difference of some 10 % (90 %
power).
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor", short_help="Say what can run here, and how steadily")(doctor)


def doctor() -> None:
    """Say what can run here, how steady this machine is, and how to get what is missing.

    Exit code: 0 the lab can run, 2 its own binaries are missing.

    Example: loadstone doctor
    """
    from loadstone.deploy.binaries import binary_version, find_binary, find_engine
    from loadstone.deploy.placement import available_cores, place
    from loadstone.measure.environment import machine
    from loadstone.measure.noise import measure_noise
    from loadstone.report import units
    from loadstone.study.availability import availability
    from loadstone.study.catalogue import open_catalogue

    found, placement = machine(), place(available_cores())
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row(
        "CPU", f"{found.cpu_model}, {found.cpus} CPUs, virtualisation: {found.virtualisation}"
    )
    table.add_row("memory", units.size(found.memory_bytes))
    table.add_row("disk", f"{units.size(shutil.disk_usage('.').free)} free here")
    table.add_row("kernel", f"{found.kernel}, clock {found.clock_source}")
    table.add_row("open files", f"{resource.getrlimit(resource.RLIMIT_NOFILE)[0]} at most")
    table.add_row(
        "placement",
        f"service on CPU {_list(placement.service)}, "
        f"engine, backend and probe on CPU {_list(placement.bench)}"
        + (": SHARED, no saturation figure can stand" if placement.shared else ""),
    )
    complete = True
    for name in ("loadstone-engine", "loadstone-echo"):
        try:
            path = find_engine() if name == "loadstone-engine" else find_binary(name)
            table.add_row(name, f"{binary_version(path)} at {path}")
        except Unavailable as error:
            complete = False
            table.add_row(name, f"missing: {error.message}; {error.remedy}")
    catalogue = open_catalogue()
    for runtime_name in catalogue.runtimes():
        runtime = catalogue.runtime(runtime_name)
        state = availability(runtime)
        table.add_row(
            f"runtime {runtime_name}",
            state.version or f"missing: {state.reason}. {runtime.install}",
        )
    noise = measure_noise()
    load_average = os.getloadavg()[0]
    table.add_row(
        "noise",
        f"the same loop varies by {noise.wall_variation:.1%} in wall time, "
        f"{noise.cpu_variation:.1%} in CPU time; "
        f"load average {load_average:.2f}",
    )
    console = output()
    console.print(table)
    console.print()
    console.print(_verdict(complete, noise.wall_variation))
    raise typer.Exit(ExitCode.OK if complete else ExitCode.COULD_NOT_RUN)


def _list(cpus: tuple[int, ...]) -> str:
    return ",".join(map(str, cpus))


def _verdict(complete: bool, wall_variation: float) -> str:
    if not complete:
        return "The lab cannot run: its binaries are missing. Run `make setup`."
    if wall_variation <= COMMON_DIFFERENCE:
        return (
            "The lab can run, and the machine is steady now: "
            "six blocks should resolve differences of some 10 %."
        )
    return (
        "The lab can run, but the machine is noisy now: trust CPU time more than wall time, "
        "use more blocks, and expect `cannot tell` for small differences."
    )
