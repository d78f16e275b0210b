"""An examination of a steady machine where everything is here; tests change a part of it."""

from loadstone.deploy.confinement.outlook import Controller, Outlook
from loadstone.doctor.connections import Connections
from loadstone.doctor.examination import CpusByRole, Examination, Machine
from loadstone.doctor.memory import Memory
from loadstone.doctor.noise import Noise, Spread
from loadstone.doctor.presence import Presence
from loadstone.doctor.processors import Frequency, Processors
from loadstone.doctor.resolution import resolution
from loadstone.doctor.timer import Timer
from loadstone.doctor.virtualisation import Virtualisation

GIB = 1 << 30


def noise(loop: float = 0.01, round_trip: float = 0.02, **changes: float) -> Noise:
    return Noise.model_validate(
        {
            "probes": 15,
            "probe_ns": 100_000_000,
            "cpu": 1,
            "loop": Spread(median_ns=250_000, deviation=loop),
            "round_trip": Spread(median_ns=40_000, deviation=round_trip),
            "waited_share": 0.0,
            "steal_share": 0.0,
            **changes,
        }
    )


def machine(**changes: object) -> Machine:
    return Machine.model_validate(
        {
            "kernel": Presence(name="Linux", found="6.8.0", needed=True),
            "processors": Processors(
                model="Some CPU", cpus=2, usable=(0, 1), cores=2, sockets=1, numa_nodes=1
            ),
            "frequency": Frequency(governors=("performance",), now_hz=2_800_000_000),
            "virtualisation": Virtualisation(
                virtual=False, hypervisor=None, evidence=(), container=None
            ),
            "memory": Memory(total_bytes=16 * GIB, available_bytes=9 * GIB, swapped_bytes=0),
            "disk_free_bytes": 60 * GIB,
            "load_1": 0.05,
            "connections": connections(),
            "control_groups": Outlook(
                isolation="cgroup v2",
                controllers=(Controller(controller="cpu"), Controller(controller="memory")),
            ),
            **changes,
        }
    )


def connections(**changes: object) -> Connections:
    return Connections.model_validate(
        {
            "open_files": 20_000,
            "most_open_files": 1 << 20,
            "ephemeral_ports": 28_232,
            "waiting_ports": 12,
            "port": True,
            **changes,
        }
    )


def examination(**changes: object) -> Examination:
    return Examination.model_validate(
        {
            "machine": machine(),
            "placement": CpusByRole(service=(1,), bench=(0,), shared=False, shares_core=False),
            "lab": (Presence(name="loadstone-engine", found="0.1.0", needed=True),),
            "runtimes": (
                Presence(name="go", found="go version go1.26.8", needed=True),
                Presence(
                    name="bun",
                    reason="`bun --version` cannot be started: No such file or directory",
                    remedy="Install it from https://bun.sh.",
                ),
            ),
            "tools": (Presence(name="npm", found="11.19.1", needed=True),),
            "instruments": (Presence(name="pressure (PSI)", found="/proc/pressure"),),
            "timer": Timer(
                clock_source="tsc",
                resolution_ns=1,
                sleep_asked_ns=100_000,
                sleep_median_ns=155_000,
                sleep_longest_ns=230_000,
            ),
            "noise": noise(),
            "resolution": resolution(noise()),
            **changes,
        }
    )
