"""Seeded faults of the Node gateway under a load: right enough to answer, and wrong by the contract.

The faults are those that the contract is tested with (`tests/contract/mutants.toml`). A load of one URL
holds no contract beforehand, so what was sampled is all that can tell.
"""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gateway_process import copy_node_stack, gateway, install_node_modules
from mutants import MUTANTS, mutate

from corpus.live import NOISE, loaded, rate, users
from corpus.model import Clean, Defect
from loadstone.deploy.binaries import find_binary
from loadstone.study.values.model import Workload


@contextmanager
def backend() -> Iterator[str]:
    """Start the echo backend, and give its URL."""
    words = ["--listen", "127.0.0.1:0", "--protocol", "h1c", "--delay", "0ms"]
    process = subprocess.Popen(
        [find_binary("loadstone-echo"), *words], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield f"http://{process.stdout.readline().split()[-1]}"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def served(name: str | None, workload: Workload, directory: Path) -> Path:
    """Load the gateway, with a fault or without."""
    stack = copy_node_stack(directory, install_node_modules())
    if name is not None:
        mutant = next(each for each in MUTANTS if each.name == name)
        stack = mutate(mutant, stack, directory / "mutant")
    with backend() as upstream, gateway(["node", "src/main.js"], stack, upstream) as started:
        run = directory / "run"
        run.mkdir()
        return loaded(run, started.url, workload)


def mutant(name: str, workload: Workload) -> Callable[[int, float, Path], Path]:
    return lambda _, strength, directory: served(name if strength else None, workload, directory)


def defect(kind: str, code: str, name: str, workload: Workload) -> Defect:
    make = mutant(name, workload)
    return Defect(kind, (code,), (0.0, 1.0), 1.0, f"whether it has `{name}`", make, live=True)


DEFECTS = (
    defect("live: gateway with constant answers", "contract", "answer-constant", users(10)),
    defect("live: gateway that loses the content type", "contract", "answer-type-lost", users(10)),
    defect("live: gateway that cuts answers", "failures", "answer-cut", rate(100)),
    defect(
        "live: gateway without keep-alive",
        "connection-churn",
        "caller-connection-per-request",
        users(10),
    ),
)

CLEAN = (
    Clean(
        "live: gateway, users",
        lambda _, directory: served(None, users(10), directory),
        NOISE,
        live=True,
    ),
    Clean(
        "live: gateway, constant rate",
        lambda _, directory: served(None, rate(200), directory),
        NOISE,
        live=True,
    ),
)
