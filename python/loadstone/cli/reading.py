"""Progress of what may take seconds, such as reading a long file, on standard error."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

from loadstone.cli.heartbeat import heartbeat

AFTER_SECONDS = 2.0
"""What is done sooner needs no sign of life."""
STEP_SECONDS = 10.0
"""Between two lines where there is no terminal to draw on."""


@contextmanager
def saying(console: Console) -> Iterator[Callable[[str], None]]:
    """Yield what is to be told what goes on, as often as one likes. In a terminal it shows the last;
    elsewhere a line for another step, which differs in its first word, and one now and then.
    """
    status = console.status("", refresh_per_second=2)
    next_seconds = time.monotonic() + AFTER_SECONDS
    step = ""

    def say(text: str) -> None:
        nonlocal next_seconds, step
        is_other = step and text.split()[0] != step
        if console.is_terminal:
            status.update(text)
            status.start()
        elif is_other or time.monotonic() >= next_seconds:
            step = text.split()[0]
            console.print(text, markup=False, soft_wrap=True)
            next_seconds = time.monotonic() + STEP_SECONDS

    try:
        yield say
    finally:
        status.stop()


@contextmanager
def reading(
    console: Console, name: str, doing: str = "reading"
) -> Iterator[Callable[[int, int], None]]:
    """Yield what is to be called with the bytes that were read and those of the whole file; or with
    other parts that are done, and all of them.
    """
    with saying(console) as say:
        yield lambda done, total: say(f"{doing} {name}: {100 * done // max(total, 1)} %")


class StudyReading:
    """Tells how far a study is: its runs are read, its arms compared, its report is made."""

    def __init__(self, say: Callable[[str], None], console: Console) -> None:
        self._say, self._console = say, console

    def on_read(self, read: int, runs: int) -> None:
        """So many of the runs have been read."""
        self._say(f"reading runs: {read} of {runs}" if read < runs else "comparing arms")

    @contextmanager
    def step(self, text: str) -> Iterator[None]:
        """Something that cannot tell how far it is."""
        self._say(text)
        if self._console.is_terminal:
            yield
            return
        with heartbeat(text, lambda line: self._console.print(line, markup=False, soft_wrap=True)):
            yield


@contextmanager
def reading_study(console: Console) -> Iterator[StudyReading]:
    """Yield what is to be told how far a study is."""
    with saying(console) as say:
        yield StudyReading(say, console)
