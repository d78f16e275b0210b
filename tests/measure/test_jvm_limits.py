"""What a JVM says of its limits at its start: on logs of real JVMs, and on the JVMs that are here."""

import subprocess

import pytest

from loadstone.errors import Unavailable
from loadstone.measure.jvm_limits import JvmLimits, parse_jvm_limits
from loadstone.study.systems.runtime_home import find_home
from loadstone.study.values.manifest import JavaHome

MEBIBYTE = 1 << 20

SERIAL_17_IN_512_MB = """\
[0.003s][info][gc     ] Using Serial
[0.003s][info][gc,init] Version: 17.0.15+6-Debian-1deb12u1 (release)
[0.003s][info][gc,init] CPUs: 2 total, 1 available
[0.003s][info][gc,init] Memory: 512M
[0.003s][info][gc,init] Large Page Support: Disabled
[0.003s][info][gc,init] NUMA Support: Disabled
[0.003s][info][gc,init] Compressed Oops: Enabled (32-bit)
[0.003s][info][gc,init] Heap Min Capacity: 8M
[0.003s][info][gc,init] Heap Initial Capacity: 8M
[0.003s][info][gc,init] Heap Max Capacity: 128M
[0.003s][info][gc,init] Pre-touch: Disabled
"""
G1_25 = """\
[3846012045ns][info][gc,init] CardTable entry size: 512
[3846013045ns][info][gc     ] Using G1
[3846015045ns][info][gc,init] Version: 25.0.3+9-LTS (release)
[3846015046ns][info][gc,init] CPUs: 2 total, 2 available
[3846015047ns][info][gc,init] Memory: 24105M
[3846015048ns][info][gc,init] Heap Region Size: 4M
[3846015049ns][info][gc,init] Heap Min Capacity: 8M
[3846015050ns][info][gc,init] Heap Initial Capacity: 380M
[3846015051ns][info][gc,init] Heap Max Capacity: 6028M
[3846115051ns][info][gc     ] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 23M->4M(380M) 3.1ms
"""
Z_25 = """\
[0.005s][info][gc,init] Initializing The Z Garbage Collector
[0.005s][info][gc,init] Version: 25.0.3+9-LTS (release)
[0.005s][info][gc,init] NUMA Support: Disabled
[0.005s][info][gc,init] CPUs: 2 total, 2 available
[0.005s][info][gc,init] Memory: 24105M
[0.006s][info][gc,init] Max Capacity: 6028M
[0.006s][info][gc,init] Soft Max Capacity: 5425M
"""


@pytest.mark.parametrize(
    ("log", "cpus", "memory_mib", "heap_mib", "collector"),
    [
        (SERIAL_17_IN_512_MB, 1, 512, 128, "Serial"),
        (G1_25, 2, 24105, 6028, "G1"),
        (Z_25, 2, 24105, 6028, "Z"),
        (G1_25.replace("Memory: 24105M", "Memory: 512G"), 2, 512 * 1024, 6028, "G1"),
        (G1_25.replace("Using G1", "torn"), 2, 24105, 6028, None),
    ],
)
def test_the_start_of_a_log_says_what_the_jvm_sees(
    log: str, cpus: int, memory_mib: int, heap_mib: int, collector: str | None
) -> None:
    assert parse_jvm_limits(log) == JvmLimits(
        cpus=cpus,
        memory_bytes=memory_mib * MEBIBYTE,
        heap_bytes=heap_mib * MEBIBYTE,
        collector=collector,
    )


@pytest.mark.parametrize("lost", ["CPUs", "Memory", "Heap Max"])
def test_a_log_that_lacks_a_line_says_nothing(lost: str) -> None:
    assert parse_jvm_limits(G1_25.replace(lost, "torn")) is None
    assert parse_jvm_limits("") is None


@pytest.mark.parametrize("version", [17, 25])
def test_a_jvm_that_is_here_tells_its_heap_and_collector(version: int) -> None:
    try:
        home = find_home(JavaHome(jdk=version))
    except Unavailable as error:
        pytest.skip(error.message)
    options = ["-Xmx96m", "-XX:+UseSerialGC", "-XX:ActiveProcessorCount=3", "-Xlog:gc,gc+init"]
    ended = subprocess.run(
        [home / "bin" / "java", *options, "-version"], capture_output=True, text=True, check=True
    )
    seen = parse_jvm_limits(ended.stdout)
    assert seen is not None
    assert (seen.cpus, seen.heap_bytes, seen.collector) == (3, 96 * MEBIBYTE, "Serial")
    assert seen.memory_bytes > 96 * MEBIBYTE
