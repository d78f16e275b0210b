"""The workloads of a booking service as test data, and a service that answers them without a state."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from answers import Answer
from model import Request

from loadstone.deploy.target_address import resolve_targets
from loadstone.measure.loading.engine_plan import engine_plan
from loadstone.measure.loading.feed_rows import feed_rows
from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.model import Protocol, Workload

DATA = Path(__file__).parents[1] / "study" / "data"
ENVIRONMENT = {"SUPERVISOR_TOKEN": "of-the-supervisor"}


@contextmanager
def plan_of(name: str, system: str = "booking") -> Iterator[dict[str, Any]]:
    """The engine's plan of a workload of the test data, with its rows."""
    path = DATA / system / "workloads" / f"{name}.yaml"
    workload = read_workload(path)
    assert isinstance(workload, Workload)
    with feed_rows(workload, path.parent) as feeds:
        yield engine_plan(
            workload,
            target=resolve_targets("http://127.0.0.1:9090/", ())[0],
            protocol=Protocol.H1C,
            cpus=(),
            seed=7,
            run_id="b2-07",
            feeds=feeds,
            environment=ENVIRONMENT,
        )


def answer(request: Request) -> Answer:
    """What the service answers: ids and tokens follow from the request alone."""
    digest = sha256(f"{request.path}\n{request.body}\n{request.headers}".encode()).hexdigest()
    number = int(digest[:8], 16) % 1000
    match request.method, request.path.partition("?")[0].split("/")[1:]:
        case "POST", ["accounts"]:
            return _json(201, {"id": number})
        case "POST", ["auth", "login"]:
            return _json(200, {"token_type": "Bearer", "token": digest[:16], "expires_in": 3600})
        case "GET", ["clubs" | "facilities"]:
            return _json(200, {"items": [{"id": number + each} for each in range(20)]})
        case "POST", ["clubs", _, "facilities"]:
            return _json(201, {"id": number})
        case "POST", ["reservations"]:
            return _json(201, {"id": number, "status": "pending"})
        case "PUT", ["reservations", _, "rating"]:
            return _json(201, {"stars": json.loads(request.body)["stars"]})
        case "POST", ["reservations", _, "accept"]:
            return _json(200, {"status": "accepted"})
    return _json(404, {})


def _json(status: int, value: object) -> Answer:
    return Answer(status, json.dumps(value), (("content-type", "application/json"),))


def shown(request: Request) -> str:
    """A request in one line, as golden files have it."""
    headers = "".join(f" {name}={value!r}" for name, value in request.headers)
    return re.sub(
        r"\s+$", "", f"{request.cell} {request.method} {request.path}{headers} {request.body}"
    )
