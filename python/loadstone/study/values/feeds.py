"""Where values come from that are known before a load: rows of a file, or numbers."""

from pathlib import PurePosixPath
from typing import Literal

from pydantic import Field

from loadstone.frozen import Frozen

Take = Literal["in_turn", "once", "random"]


class FileRows(Frozen):
    """Rows of a CSV file."""

    file: str
    """Where it lies, seen from the folder of the workload's file."""
    sha256: str
    """Of its bytes."""
    first: int = Field(ge=1)
    """The first row that is taken, from 1; the header is none."""
    last: int = Field(ge=1)
    """The last one."""
    columns: tuple[str, ...]
    """Names of its columns, as the header has them."""

    @property
    def name(self) -> str:
        """The file's name."""
        return PurePosixPath(self.file).name

    @property
    def rows(self) -> int:
        """How many rows are taken."""
        return self.last - self.first + 1


class Numbers(Frozen):
    """Whole numbers at even distances."""

    first: int
    """The first."""
    last: int
    """None is behind it."""
    step: int = Field(ge=1)
    """From one to the next."""

    @property
    def rows(self) -> int:
        """How many numbers there are."""
        return (self.last - self.first) // self.step + 1


FeedSource = FileRows | Numbers


class Feed(Frozen):
    """What sessions or users take their values from."""

    feed: str
    """Its name in the group."""
    source: FeedSource
    """Where the values come from."""
    take: Take = "in_turn"
    """One after the other and then from the first again, each once, or drawn."""
    per: Literal["session", "user"] = "session"
    """Who takes one."""

    @property
    def values(self) -> tuple[str, ...]:
        """Names of the values of one row."""
        if isinstance(self.source, Numbers):
            return (self.feed,)
        return tuple(f"{self.feed}.{column}" for column in self.source.columns)
