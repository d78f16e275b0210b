"""A state of a repository, in which a stack is built in place of its folder."""

from pathlib import Path
from typing import Final

from loadstone.frozen import Frozen

WORKING_TREE: Final = "working-tree"
"""Stands for a revision: what lies in the working tree, new files too, but not ignored ones."""

_SHOWN_DIGITS = 12
"""Of a commit: enough for repositories of any size."""


class Checkout(Frozen):
    """What is built: a commit, or the working tree."""

    repository: Path
    """The top folder of its working tree."""
    folder: str
    """Of the stack, seen from there; empty where the repository is the stack's own."""
    revision: str
    """As the study names it."""
    commit: str
    """Its id in full; of the working tree the one that it began with."""
    changes: str | None = None
    """SHA-256 over what the working tree has beyond the commit; none where nothing of that is built."""
    leaves_out: bool = False
    """Whether the working tree was at this commit, and had changes that are not built."""
    notes: tuple[str, ...] = ()
    """What a person should know of it, a clause each: what is not checked out, for one."""

    @property
    def content(self) -> tuple[str, str, str]:
        """What is built, whatever it is called: two of one content are the same code."""
        return self.commit, self.changes or "", self.folder

    @property
    def text(self) -> str:
        """`commit 1a2b3c4d5e6f`, for people."""
        with_changes = "" if self.changes is None else " with uncommitted changes"
        return f"commit {shown(self.commit)}{with_changes}"

    @property
    def state(self) -> str:
        """What must not change while a study is resumed: the commit, and a digest of the changes."""
        return self.commit if self.changes is None else f"{self.commit}, changes {self.changes}"


def shown(commit: str) -> str:
    """The part of a commit's id that people read."""
    return commit[:_SHOWN_DIGITS]
