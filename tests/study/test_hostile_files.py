"""Files with one value exchanged for any other: they are taken, or refused where they are wrong."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_lab import BUSY, RUNTIME, STUDY, SYSTEM, SmallLab, plan_of
from yaml import safe_load

from loadstone.errors import InputError

MIX = """\
workload: mix
kind: load
duration: 60s
users: {stages: [{up: 20, over: 1s, hold: 2s, times: 3}]}
each_group:
  think: 1s
  let: {id: "{{slot + 1}}-{{group}}"}
  feed: {slot: {range: [1, 1000], step: 2, take: once}}
parts:
  log-in:
  - operation: log-in
    post: /log-in
    form: {id: "{{id}}"}
    capture: {token: {json: /*/t, pick: 1, or: end}}
groups:
- group: one
  share: 40%
  pace: 5s
  leave: after_request
  cookies: true
  once: [{part: log-in}]
  session:
  - operation: a
    get: "/{{token}}"
    when: token
    check: {status: [200, 404], or_end: 409, json: {/a: "{{id}}"}, header: {x: absent}}
- group: two
  share: 60%
  session:
  - part: log-in
  - choose:
    - weight: 1
      steps:
      - repeat: "{{slot % 3}}"
        steps: [{operation: b, put: "/{{turn}}", json: {t: "{{token}}"}}]
    - weight: 2
      steps:
      - {operation: c, get: "/?d={{date(now, days: slot)}}", on_failure: go_on, think: 0s}
stop: {p99: {above: 1s, for: 10s}}
"""
READ: dict[str, tuple[str, str, Callable[[SmallLab, Path], object]]] = {
    "study": ("studies/which.yaml", STUDY, lambda lab, path: plan_of(path, lab.catalogue)),
    "workload": (
        "systems/shop/workloads/busy.yaml",
        BUSY,
        lambda lab, _: lab.catalogue.workload("shop", "busy"),
    ),
    "groups": (
        "systems/shop/workloads/mix.yaml",
        MIX,
        lambda lab, _: lab.catalogue.workload("shop", "mix"),
    ),
    "system": ("systems/shop/system.yaml", SYSTEM, lambda lab, _: lab.catalogue.system("shop")),
    "runtime": (
        "runtimes/go.yaml",
        RUNTIME.format(runtime="go", detect="true")
        + "compiles: {threads: [C1 CompilerThre, JITWorker]}\n",
        lambda lab, _: lab.catalogue.runtime("go"),
    ),
}

WORDS = [
    "{{id}}",
    "{{1 + slot}}",
    "{{token}}",
    "/items/*/id",
    "once",
    "go",
    "h1c",
    "10s",
    "0s",
    "3%",
    "busy",
    "{a}",
    "{{a}}",
    "",
    " ",
    "..",
    "\t",
    "stack",
    "on",
]
SCALARS = st.sampled_from([*WORDS, 0, 1, -1, 10**17, 0.5, True, None]) | st.text(max_size=5)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner),
    max_leaves=6,
)


def places(tree: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inside = tree.items() if isinstance(tree, dict) else enumerate(tree)
    found = []
    for key, value in inside:
        found.append((*at, key))
        if isinstance(value, dict | list):
            found += places(value, (*at, key))
    return found


@pytest.mark.parametrize("name", READ)
@given(data=st.data())
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_value_in_any_place_is_taken_or_refused_with_its_line(
    lab: SmallLab, name: str, data: st.DataObject
) -> None:
    file, text, read = READ[name]
    tree = deepcopy(safe_load(text))
    *parents, last = data.draw(st.sampled_from(places(tree)))
    target = tree
    for part in parents:
        target = target[part]
    if data.draw(st.booleans()) and isinstance(target, dict):
        target[data.draw(st.text(max_size=5) | st.sampled_from(WORDS))] = data.draw(VALUES)
    else:
        target[last] = data.draw(VALUES)
    path = lab.write(file, json.dumps(tree).encode())  # JSON is YAML, on one line
    try:
        read(lab, path)
    except InputError as error:
        refusal = error
    else:
        return
    assert refusal.path is not None
    assert refusal.line is not None
    assert refusal.remedy
    assert refusal.message.startswith(f"{refusal.path}:{refusal.line}: ")


@pytest.mark.parametrize("name", READ)
def test_any_line_may_be_missing(lab: SmallLab, name: str) -> None:
    file, text, read = READ[name]
    lines = text.splitlines(keepends=True)
    for missing in range(len(lines)):
        path = lab.write(file, "".join(lines[:missing] + lines[missing + 1 :]))
        try:
            read(lab, path)
        except InputError as error:
            refusal = error
        else:
            continue
        assert refusal.line is not None
        assert refusal.remedy
