"""What a lab leaves behind when it is killed (processes, control groups, temporary folders), and its
removal: by the next lab, and by the lab itself at its end for what an interruption kept it from.
"""

from loadstone.deploy.confinement import lab_groups
from loadstone.machine import ownership

_SHOWN_COMMANDS = 3


def sweep() -> str | None:
    """Remove what labs that are gone have left; return in words what that was, none if nothing."""
    processes = ownership.sweep()  # before their groups, so that each is named
    groups, directories = lab_groups.sweep(), ownership.sweep_scratch()
    names = list(dict.fromkeys(leftover.name for leftover in processes))
    shown = ", ".join(names[:_SHOWN_COMMANDS]) + (", ..." if len(names) > _SHOWN_COMMANDS else "")
    parts = [
        _counted(len(processes), "process", "processes") + f" ({shown})" if processes else "",
        _counted(len(groups), "control group", "control groups"),
        _counted(len(directories), "temporary folder", "temporary folders"),
    ]
    return ", ".join(part for part in parts if part) or None


def remove_own() -> None:
    """Remove whatever this lab has left."""
    owner = ownership.mark()
    ownership.kill_marked(owner)
    lab_groups.remove_own()
    ownership.remove_scratch(owner)


def _counted(number: int, one: str, many: str) -> str:
    return "" if number == 0 else f"{number} {one if number == 1 else many}"
