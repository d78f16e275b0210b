"""What `cluster check` prints: a line for each machine, then in what they differ."""

from rich.console import Console
from rich.table import Table

from loadstone.cluster.check import CheckedMachines
from loadstone.text import units


def print_machines(console: Console, checked: CheckedMachines) -> None:
    """Print what the machines said of themselves."""
    table = Table(title="Machines", title_justify="left")
    for heading in ("machine", "CPUs", "kernel", "clock ahead", "round trip", "doctor"):
        table.add_column(heading, overflow="fold")
    for site, machine in checked.machines.items():
        facts, clock = machine.examined.facts.machine, machine.clock
        table.add_row(
            site,
            f"{facts.cpus} × {facts.cpu_model}",
            str(facts.kernel),
            f"{_signed(clock.offset_ns)} ± {units.duration(clock.bound_ns)}",
            units.duration(clock.round_trip_ns),
            machine.examined.diagnosis.verdict,
        )
    console.print(table)
    for site, found in checked.differences.items():
        console.print(f"{site} is unlike {checked.first_of(site)}:", markup=False)
        for text in found:
            console.print(f"  {text}", markup=False, soft_wrap=True)
    if checked.are_alike:
        console.print("They are alike in all that must be: a study can be measured on them.")


def _signed(offset_ns: int) -> str:
    return f"{'-' if offset_ns < 0 else ''}{units.duration(abs(offset_ns))}"
