"""Rules on what happened to the machine as a whole: it ran short, its clock was set."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun
from loadstone.text import units

MEMORY_PRESSURE_SHARE = 0.01
"""Of the window in which some thread waited for memory: where it is one in a hundred, requests that
waited are the p99. With memory to spare the share is 0 (Documentation/accounting/psi.rst)."""

SWAPPED_BYTES = 2**20
"""Written to swap and read from it: with less the kernel only cleared out what nobody used."""

IO_PRESSURE_SHARE = 0.10
"""Of the window. A dependency that commits waits for its disk by design, so this is a note; below, the
lab's own logs and records would be told."""

CLOCK_JUMP_NS = 2_000_000
"""Between two looks of the probe. The fastest that a wall clock may be slewed, 500 ppm (adjtimex(2)),
makes 0.1 ms in the 0.2 s from one to the next, and 1 ms where the probe was kept away for 2 s. The
rest is for reading two clocks one after the other; on a machine whose clock was not set they moved
apart by 1.5 us at most."""


def pressure(run: WindowedRun) -> Iterator[Finding]:
    """A machine that ran short of memory, or waited for its disks."""
    machine = run.record.machine
    if machine is None:
        return
    memory, swapped = machine.memory_pressure_share or 0.0, machine.swapped_bytes or 0
    if memory > MEMORY_PRESSURE_SHARE or swapped > SWAPPED_BYTES:
        yield _finding(
            run,
            "pressure",
            Severity.WARNING,
            (*touched_metrics.LOAD, "rss_peak"),
            f"some thread waited for memory for {units.share(memory)} of the window (at most "
            f"{units.percent(MEMORY_PRESSURE_SHARE)}), and {units.size(swapped)} were swapped",
            "end other programs, or give the service a lower `memory` in `limits` to measure just that",
        )
    if (waited := machine.io_pressure_share or 0.0) > IO_PRESSURE_SHARE:
        yield _finding(
            run,
            "pressure",
            Severity.NOTE,
            touched_metrics.TIMES,
            f"some thread waited for a disk for {units.share(waited)} of the window (at most "
            f"{units.percent(IO_PRESSURE_SHARE)})",
            "where a dependency writes to its disk that is part of what is measured; else find out "
            "what reads or writes",
        )


def clock_jump(run: WindowedRun) -> Iterator[Finding]:
    """A wall clock that was set while the load went on.

    Response times, start-up clocks and the use of resources are by another clock, which nobody sets;
    what a runtime logs is placed in the window by this one.
    """
    machine = run.record.machine
    jump_ns = (machine.clock_jump_ns if machine else None) or 0
    if abs(jump_ns) > CLOCK_JUMP_NS:
        yield _finding(
            run,
            "clock-jump",
            Severity.WARNING,
            ("gc_share", "gc_cpu_share"),
            f"the wall clock was set {'forward' if jump_ns > 0 else 'back'} by "
            f"{units.duration(abs(jump_ns))} between two looks of the probe (at most "
            f"{units.duration(CLOCK_JUMP_NS)})",
            "let the machine's clock be slewed, not set, while a study runs: what runtimes log cannot "
            "be placed in the window",
        )


def _finding(
    run: WindowedRun,
    code: str,
    severity: Severity,
    touched: tuple[str, ...],
    evidence: str,
    advice: str,
) -> Finding:
    return Finding(
        code=code,
        severity=severity,
        subject=scope.run(run.record.run),
        metrics=touched,
        evidence=evidence,
        advice=advice,
    )
