"""A git repository of a test's own, and what a lab must leave of it as it was."""

import hashlib
import os
import subprocess
from pathlib import Path

_NOBODY = {
    f"GIT_{who}_{what}": text
    for who in ("AUTHOR", "COMMITTER")
    for what, text in {"NAME": "Test", "EMAIL": "test@localhost"}.items()
}
_NOTHING_ELSE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


class Repository:
    """A repository whose first branch is `main`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *words: str) -> str:
        """Run git in it, without the settings of whoever runs the tests."""
        return subprocess.run(
            ["git", "-C", str(self.root), *words],
            env={**os.environ, **_NOBODY, **_NOTHING_ELSE},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    def write(self, name: str, text: str) -> Path:
        """Write a file of its working tree."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def commit(self, message: str = "a change") -> str:
        """Commit all that is there, and return the commit."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def state(self) -> tuple[object, ...]:
        """Return index, branches, worktrees, what is checked out, and all files of the working tree."""
        files = sorted(each for each in self.root.rglob("*") if ".git" not in each.parts)
        return (
            _digest(self.root / ".git" / "index"),
            self.git("for-each-ref"),
            self.git("worktree", "list", "--porcelain"),
            (self.root / ".git" / "HEAD").read_text(),
            [(str(each), _digest(each)) for each in files if each.is_file()],
        )


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
