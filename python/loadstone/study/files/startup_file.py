"""The file of a workload of kind startup: how many fresh starts."""

from typing import Annotated, Literal

from pydantic import Field

from loadstone.study.files.raw import Name, Raw
from loadstone.study.values.model import StartupWorkload

LEAST_STARTS = 10
"""As many as the published comparisons of start-up times make; a profile may make fewer."""
MOST_STARTS = 1000
"""Of one arm; at a second each a quarter of an hour."""


class RawStartup(Raw):
    """A workload of fresh starts: each is a run, timed from the spawn to the first correct response."""

    workload: Name
    """Its name: the file's name without `.yaml`."""
    kind: Literal["startup"]
    """`startup`: nothing but starts."""
    starts: Annotated[int, Field(ge=LEAST_STARTS, le=MOST_STARTS)] = LEAST_STARTS
    """Of every arm, over the whole study. Default 10."""


def startup_of(raw: RawStartup) -> StartupWorkload:
    """What the file means."""
    return StartupWorkload(workload=raw.workload, starts=raw.starts)
