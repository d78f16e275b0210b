"""Findings on what else the machine did."""

from loadstone.explained.model import ExplainedFinding, Section

_FINDINGS = (
    ExplainedFinding(
        name="bench-cpu-busy",
        means="a CPU of engine, backend and probe was too busy to be out of the way",
        why="what waits on the lab's own CPU looks like a wait for the service",
        threshold="85 %",
        severities="warning",
        do="fewer users, a lower rate, or more CPUs",
    ),
    ExplainedFinding(
        name="service-not-apart",
        means="the service may use a CPU of the engine: it was running already, or the placement "
        "gives both roles the same",
        why="engine and service take each other's time, and no figure tells whose it was",
        threshold="any CPU",
        severities="warning",
        do="keep it off with `taskset`; or a machine with two CPUs or more",
    ),
    ExplainedFinding(
        name="steal",
        means="the hypervisor took a CPU away",
        why="time that the machine did not have looks like time of the service",
        threshold="10 % of the window, or intervals that the engine marks",
        severities="warning",
        do="a quieter time, or a machine of your own",
    ),
    ExplainedFinding(
        name="busy-neighbour",
        means="CPUs of the run were busy with what no process of the run did",
        why="what others compute takes time from the run, and not from each arm alike",
        threshold="5 % of each CPU, and 5 µs for each time that a thread waited",
        severities="warning",
        do="end other programs",
    ),
    ExplainedFinding(
        name="pressure",
        means="the machine ran short of memory (warning) or waited for a disk (note)",
        why="a machine that swaps or waits for its disk measures that",
        threshold="memory 1 % of the window or 1 MiB swapped; disk 10 %",
        severities="note, warning",
        do="end other programs; a dependency that commits waits for its disk by design",
    ),
    ExplainedFinding(
        name="clock-jump",
        means="the wall clock was set while the load went on, so that logs cannot be placed in "
        "the window. Times and CPU use are by another clock",
        why="lines of logs and seconds of the load cannot be brought together",
        threshold="2 ms between two looks of the probe",
        severities="warning",
        do="let the clock be slewed while a study runs",
    ),
)

MACHINE = Section("The machine", _FINDINGS)
