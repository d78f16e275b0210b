"""What a simulated gateway answers: kept as samples, and held against the real contract."""

import json
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from loadstone.contract.load import load_contract
from loadstone.contract.model import Contract
from loadstone.contract.samples import check_samples
from loadstone.results import folder
from loadstone.results.record import CheckFacts
from loadstone.study.values.model import Workload
from simulated_load import SECOND_NS

CHECKOUT = Path(__file__).parents[2]
CONTRACT = CHECKOUT / "systems" / "mediation" / "contract"
QUICK_CHECKS = 6

Answer = Callable[[bytes, float], bytes]
"""The body that answers a body at a second of the load."""


def echo(body: bytes, _: float) -> bytes:
    return body


@cache
def contract() -> Contract:
    return load_contract(CONTRACT)


def held(
    directory: Path,
    workload: Workload,
    answer: Answer,
    rng: np.random.Generator,
    *,
    has_contract: bool = True,
) -> tuple[CheckFacts, ...]:
    """Write a sample a second and operation; return what the contract says of them.

    Before and after the load the service is idle, and its answers are those of before it.
    """
    lines = []
    for second in range(workload.duration_ns // SECOND_NS):
        at = second + float(rng.random())
        for name, operation in workload.sampled.items():
            body = answer(operation.body.encode(), at)
            lines.append(
                json.dumps(
                    {
                        "operation": name,
                        "at_ns": round(at * SECOND_NS),
                        "status": 200,
                        "headers": operation.headers,
                        "body": b64encode(body).decode(),
                        "body_bytes": len(body),
                        "truncated": False,
                    }
                )
            )
    path = directory / folder.SAMPLES
    path.write_text("".join(line + "\n" for line in lines))
    found = check_samples(contract() if has_contract else Contract((), ()), path, workload.sampled)
    quick = QUICK_CHECKS if has_contract else 0
    return (
        CheckFacts(when="before", checked=quick, failed=()),
        CheckFacts(when="after", checked=quick, failed=()),
        CheckFacts(when="samples", checked=found.checked, failed=found.failed),
    )
