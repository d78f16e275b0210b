"""Recorded machines: the few files of /proc and /sys that are looked at, in a folder."""

from pathlib import Path

from loadstone.doctor.kernel_files import KernelFiles


class MachineFiles:
    """A root folder that is filled file by file."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sources = KernelFiles(root)

    def write(self, files: dict[str, str]) -> "MachineFiles":
        """Write files, paths without the leading slash."""
        for path, text in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text + "\n")
        return self


CPUS = "sys/devices/system/cpu"


def laptop(root: Path) -> MachineFiles:
    """Four CPUs on two cores, its frequency up to a governor, with counters of every kind."""
    files = MachineFiles(root).write(
        {
            "proc/cpuinfo": "model name\t: Some CPU @ 2.80GHz\nflags\t\t: fpu vme sse avx",
            "proc/meminfo": "MemTotal:       16000000 kB\nMemFree:         1000000 kB\n"
            "MemAvailable:    9000000 kB\nSwapTotal:       2000000 kB\nSwapFree:        1500000 kB",
            "proc/loadavg": "1.50 1.00 0.50 2/345 6789",
            "proc/sys/kernel/osrelease": "6.8.0-45-generic",
            "proc/sys/kernel/perf_event_paranoid": "4",
            "proc/pressure/cpu": "some avg10=0.00 avg60=0.00 avg300=0.00 total=0",
            "proc/sys/net/ipv4/ip_local_port_range": "32768\t60999",
            "proc/net/sockstat": "sockets: used 145\nTCP: inuse 12 orphan 0 tw 439 alloc 13 mem 1",
            f"{CPUS}/online": "0-3",
            f"{CPUS}/intel_pstate/no_turbo": "0",
            "sys/devices/system/node/online": "0",
            "sys/class/dmi/id/sys_vendor": "LENOVO",
            "sys/class/dmi/id/product_name": "20XW",
            "sys/class/powercap/intel-rapl:0/energy_uj": "123456789",
            "sys/bus/event_source/devices/cpu/type": "4",
            "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc",
            "sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc hpet",
        }
    )
    for cpu in range(4):
        folder = f"{CPUS}/cpu{cpu}"
        files.write(
            {
                f"{folder}/topology/thread_siblings_list": f"{cpu % 2},{cpu % 2 + 2}",
                f"{folder}/topology/physical_package_id": "0",
                f"{folder}/cpufreq/scaling_governor": "powersave",
                f"{folder}/cpufreq/scaling_cur_freq": "1200000",
                f"{folder}/cpufreq/scaling_min_freq": "400000",
                f"{folder}/cpufreq/scaling_max_freq": "4700000",
            }
        )
    return files


def guest(root: Path) -> MachineFiles:
    """A virtual machine of two CPUs that is told nothing of frequency, counters or energy."""
    return MachineFiles(root).write(
        {
            "proc/cpuinfo": "model name\t: AMD EPYC\nflags\t\t: fpu sse hypervisor",
            "proc/meminfo": "MemTotal:       800000 kB\nMemAvailable:    600000 kB",
            "proc/sys/kernel/osrelease": "5.10.0-8-amd64",
            f"{CPUS}/online": "0-1",
            f"{CPUS}/cpu0/topology/thread_siblings_list": "0",
            f"{CPUS}/cpu1/topology/thread_siblings_list": "1",
            "sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc kvm-clock",
            "sys/bus/event_source/devices/software/type": "1",
        }
    )
