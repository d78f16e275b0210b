"""Which files are the lab's own code: what results depend on beside the systems that are measured."""

from pathlib import Path

from loadstone.study.systems.roots import INSTALLED


def lab_code() -> tuple[Path, ...]:
    """Return the Python files of the lab, sorted; none of a system that is installed beside them."""
    files = INSTALLED.parent.rglob("*.py")
    return tuple(sorted(path for path in files if not path.is_relative_to(INSTALLED)))
