"""Which peers are installed here, and why one is not."""

import os
import shutil
from collections.abc import Callable
from functools import cache

from benchmarks.engine.generators.h2load import H2load
from benchmarks.engine.generators.k6 import K6
from benchmarks.engine.generators.oha import Oha
from benchmarks.engine.generators.wrk import Wrk
from benchmarks.engine.load import Generator
from benchmarks.engine.settings import PEERS
from loadstone.errors import Unavailable


@cache
def program(name: str) -> str:
    """Return the path of a peer. Raises Unavailable."""
    found = shutil.which(name, path=f"{PEERS}:{os.environ.get('PATH', '')}")
    if found is None:
        raise Unavailable(
            f"{name} is not installed", "run scripts/install-benchmark-peers, which says why not"
        )
    return found


def peer(name: str) -> Generator:
    """Return a peer for throughput. Raises Unavailable."""
    path = program(name)
    generators: dict[str, Generator] = {
        "wrk": Wrk(path),
        "h2load": H2load(path),
        "oha": Oha(path),
        "k6": K6(path),
    }
    return generators[name]


def peers_with_times() -> list[tuple[str, Generator | Unavailable]]:
    """Return every peer in the forms that report response times, or why it is not there."""
    makers: dict[str, Callable[[], Generator]] = {
        "wrk": lambda: Wrk(program("wrk")),
        "k6": lambda: K6(program("k6")),
        "h2load": lambda: H2load(program("h2load"), logs=True),
        "oha": lambda: Oha(program("oha")),
        "oha, corrected": lambda: Oha(program("oha"), corrects=True, name="oha, corrected"),
    }
    found: list[tuple[str, Generator | Unavailable]] = []
    for name, make in makers.items():
        try:
            found.append((name, make()))
        except Unavailable as error:
            found.append((name, error))
    return found
