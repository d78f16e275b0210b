"""A stack that is nothing but its run command."""

from pathlib import Path

from loadstone.study.values.manifest import Stack
from loadstone.study.values.model import Protocol


def stack(run: str) -> Stack:
    return Stack(
        stack="small",
        language="any",
        framework="none",
        build="true",
        run=run,
        runtimes=("any",),
        protocols={"client": (Protocol.H1C,)},
        directory=Path(__file__).parent,
    )
