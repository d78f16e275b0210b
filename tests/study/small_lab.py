"""A root folder of a few small files, for tests that change one line of them."""

from pathlib import Path
from textwrap import dedent

import pytest

from loadstone.errors import InputError
from loadstone.study.design.resolve import resolve_plan
from loadstone.study.design.study import read_study
from loadstone.study.files.workload_file import read_workload
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.values.model import Plan, Study

STUDY = """\
study: which
goal: which is better
system: shop
arms:
  gateway: [go, node]
  client: [h1c]
  upstream: [h1c]
workloads: [busy, steady]
blocks: 6
seed: 7
questions:
  - question: Which is faster?
    compare: gateway
    metrics: [throughput, cpu_per_ok]
    margin: 3%
profiles:
  smoke: {blocks: 1, duration: 2s, warm_up: 0s}
"""

BUSY = """\
workload: busy
kind: load
group: buyers
users: 50
duration: 10s
warm_up: 2s
session:
  - operation: buy
    post: /buy
    headers: {accept: "*/*"}
    payload: {kind: array, bytes: 50}
    check: {status: 200, body_contains: 50B}
"""

STEADY = """\
workload: steady
kind: load
group: buyers
rate: {per_second: 1000, connections: 50}
duration: 10s
session:
  - operation: look
    get: /look
"""

SYSTEM = """\
system: shop
title: A shop
dependencies: {backend: echo}
services:
  gateway:
    legs: [client, upstream]
    needs: [backend]
    variables: {UPSTREAM_URL: "{backend}"}
    ready:
      operation: buy
      post: /buy
      payload: {kind: array, bytes: 50}
      check: {status: 200}
      body_equals_request: true
"""

STACK = """\
stack: {stack}
language: {stack}
framework: none
build: make
run: ./run
runtimes: [{stack}]
protocols: {{client: [h1c], upstream: [h1c]}}
"""

RUNTIME = """\
runtime: {runtime}
title: {runtime}
detect: "{detect}"
install: Install it.
"""


class SmallLab:
    """Writes the files; `catalogue` reads them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.catalogue = Catalogue(root)
        self.write("systems/shop/system.yaml", SYSTEM)
        self.write("systems/shop/workloads/busy.yaml", BUSY)
        self.write("systems/shop/workloads/steady.yaml", STEADY)
        for stack in ("go", "node"):
            self.write(f"systems/shop/gateway/{stack}/stack.yaml", STACK.format(stack=stack))
            self.write(f"runtimes/{stack}.yaml", RUNTIME.format(runtime=stack, detect="true"))
        self.write("studies/which.yaml", STUDY)

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(dedent(text).encode() if isinstance(text, str) else text)
        return path

    def change(self, name: str, old: str, new: str) -> Path:
        """Write a file anew with one text in it replaced."""
        text = (self.root / name).read_text()
        assert text.count(old) == 1, f"{old!r} is not once in {name}"
        return self.write(name, text.replace(old, new))

    def study(self, old: str = "", new: str = "") -> Path:
        path = self.root / "studies/which.yaml"
        return self.change("studies/which.yaml", old, new) if old else path


def load_study(path: Path, catalogue: Catalogue) -> Study:
    """Return what a study's file means."""
    return read_study(path, catalogue).study


def plan_of(path: Path, catalogue: Catalogue, profile: str | None = None) -> Plan:
    """Return the plan of a study's file."""
    return resolve_plan(path, catalogue, profile).plan


BUSY_PATH = "systems/shop/workloads/busy.yaml"


def refuse_workload(lab: SmallLab, old: str, new: str, message: str) -> None:
    """Change the lab's workload and see that reading it is refused: where, why, and what to do."""
    path = lab.change(BUSY_PATH, old, new)
    with pytest.raises(InputError) as caught:
        read_workload(path)
    assert caught.value.remedy
    assert caught.value.message.removeprefix(f"{path.parent}/").startswith(message)
