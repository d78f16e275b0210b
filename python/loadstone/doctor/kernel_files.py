"""Where the kernel's files are: `/` in use, a folder of recorded files in tests."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class KernelFiles:
    """A file system's root; paths are given without the leading slash."""

    root: Path = Path("/")

    def text(self, path: str) -> str | None:
        """Return a file's text without blanks around it; none where it cannot be read."""
        try:
            return (self.root / path).read_text(errors="replace").strip()
        except OSError:
            return None

    def number(self, path: str) -> int | None:
        """Return a file's number; none where there is no such file, or no number in it."""
        try:
            return int(self.text(path) or "")
        except ValueError:
            return None

    def exists(self, path: str) -> bool:
        """Whether there is such a file or folder."""
        return (self.root / path).exists()

    def at(self, path: Path) -> Path:
        """Return where an absolute path of the described machine is."""
        return self.root.joinpath(*path.parts[1:])
