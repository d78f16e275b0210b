"""The kernel's page cache before a start: as cold as it can be made, for all files of the machine.

A warm one needs no help but an earlier start of the same service.
"""

import os
from pathlib import Path

from loadstone.errors import StepFailed

SWITCH = Path("/proc/sys/vm/drop_caches")
"""Documentation/admin-guide/sysctl/vm.rst of the kernel: 3 drops page cache, dentries and inodes."""


def drop(switch: Path = SWITCH) -> None:
    """Write back what is dirty, then forget every page that nobody maps. Raises StepFailed.

    Pages that running processes map stay, so the lab, the engine and the dependencies keep theirs, and
    with them what they share with a service, such as the C library.
    """
    os.sync()
    try:
        switch.write_text("3\n")
    except OSError as error:
        raise StepFailed(
            "deploy",
            f"the page cache cannot be made cold: {switch}: {error.strerror}; run as root, or take "
            "the level cold out of the study",
        ) from error
