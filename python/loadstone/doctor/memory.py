"""Memory and disk: what there is, and what is left of it."""

import re

from loadstone.doctor.kernel_files import KernelFiles
from loadstone.frozen import Frozen


class Memory(Frozen):
    """Memory of the machine."""

    total_bytes: int
    """All that the kernel manages; 0 where it does not tell."""
    available_bytes: int
    """What programs can still have without swapping; 0 where the kernel does not tell."""
    swapped_bytes: int
    """What has been moved to the swap space."""


def memory(sources: KernelFiles) -> Memory:
    """Read the kernel's own account, proc_meminfo(5)."""
    text = sources.text("proc/meminfo") or ""
    pairs = re.findall(r"^(\w+):\s+(\d+) kB$", text, re.MULTILINE)
    found = {key: int(kibibytes) * 1024 for key, kibibytes in pairs}
    return Memory(
        total_bytes=found.get("MemTotal", 0),
        available_bytes=found.get("MemAvailable", 0),
        swapped_bytes=found.get("SwapTotal", 0) - found.get("SwapFree", 0),
    )
