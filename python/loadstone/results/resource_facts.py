"""What a run used and what the machine did meanwhile, over the window; and what looking cost."""

from loadstone.frozen import Frozen


class ResourceFacts(Frozen):
    """Use of one process group over the window, from the probe's ticks."""

    cpu_ns: int | None
    """User and system time in the window; none where the process could not be read."""
    cpu_share: float | None
    """`cpu_ns` over the window and the CPUs it could use: 1.0 is all of them."""
    throttled_share: float | None = None
    """For which share of the window its CPU quota held it back; none without a control group. Above
    1 where several of its threads waited at once."""
    rss_peak_bytes: int | None
    """Highest sum of resident memory over the group, start to end of load."""
    threads_peak: int | None = None
    """Most threads at a tick, start to end of load."""
    voluntary_switches: int | None = None
    """Times that its threads gave up a CPU in the window, to wait for something."""
    involuntary_switches: int | None = None
    """Times that a CPU was taken from its threads in the window."""
    minor_faults: int | None = None
    """Page faults of the window without the disk."""
    major_faults: int | None = None
    """Page faults of the window that read from the disk."""


class CpuBusy(Frozen):
    """Busy share of one CPU of the machine over the window, from /proc/stat."""

    cpu: int
    """Its number."""
    busy_share: float
    """Share of the window in which it computed: was neither idle nor kept by the hypervisor."""
    steal_share: float
    """Share of the window in which the hypervisor kept it."""
    idle_share: float | None = None
    """Share of the window in which it had nothing to do, by the kernel's clock; none in older records,
    whose busy share is from samples at the kernel's timer ticks."""


class MachineFacts(Frozen):
    """The machine as a whole over the window, from the probe's ticks."""

    runnable_mean: float
    """Threads that ran or waited for a CPU, mean over the ticks."""
    load_1: float
    """Load average over the last minute, at the window's end."""
    load_5: float
    """Over the last five minutes."""
    load_15: float
    """Over the last fifteen minutes."""
    cpu_pressure_share: float | None
    """Share of the window in which some thread waited for a CPU; none without PSI."""
    memory_pressure_share: float | None
    """In which some thread waited for memory."""
    io_pressure_share: float | None
    """In which some thread waited for the disk."""
    disk_bytes: int | None
    """Read from and written to disks."""
    swapped_bytes: int | None = None
    """Written to swap and read from it."""
    network_bytes: int | None
    """Received over all interfaces but loopback."""
    frequency_hz: float | None
    """Of the CPUs, mean over the ticks; none where the kernel does not tell."""
    clock_jump_ns: int | None = None
    """By how much the wall clock was set between two ticks, at most, from start to end of load; below 0
    where it was set back."""


class ProbeFacts(Frozen):
    """What probing itself took."""

    ticks: int
    """How often it looked."""
    cpu_ns: int
    """CPU time of all looks, the first and the last included."""
