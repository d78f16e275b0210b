"""Groups, values, steps and feeds in the engine's plan: numbers for names, constants written out."""

import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from loadstone.deploy.target_address import resolve_targets
from loadstone.errors import InputError, LoadstoneError
from loadstone.measure.loading.engine_plan import engine_plan
from loadstone.measure.loading.feed_rows import feed_rows
from loadstone.measure.loading.secret_text import masked
from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.model import Protocol, Workload

ROOT = Path(__file__).parents[2]
HEAD = "workload: w\nkind: load\nduration: 60s\n"
ENVIRONMENT = {"TOKEN": "s3cr et"}


@contextmanager
def made(folder: Path, text: str, **changes: Any) -> Iterator[dict[str, Any]]:
    path = folder / "w.yaml"
    path.write_text(HEAD + text)
    workload = read_workload(path)
    assert isinstance(workload, Workload)
    with feed_rows(workload, folder) as feeds:
        keys = {"run_id": "b1-2", "environment": ENVIRONMENT, "feeds": feeds, **changes}
        yield engine_plan(
            workload,
            target=resolve_targets("http://127.0.0.1:9090/", ())[0],
            protocol=Protocol.H1C,
            cpus=(),
            seed=1,
            **keys,
        )


def group_of(folder: Path, text: str, **changes: Any) -> dict[str, Any]:
    with made(folder, text, **changes) as plan:
        (group,) = json.loads(json.dumps(plan))["groups"]
        return group


FLAT = "group: g\nusers: 5\n"


def test_names_become_places_among_the_values(tmp_path: Path) -> None:
    (tmp_path / "users.csv").write_text("name,age\nann,4\n")
    text = f"""{FLAT}\
feed: {{user: users.csv, slot: {{range: [3, 9]}}}}
let: {{b: "{{{{a + slot}}}}", a: "{{{{session_number % 7}}}}", c: "x-{{{{user.name}}}}-{{{{run_id}}}}"}}
session:
- operation: one
  post: /{{{{b}}}}
  json: {{c: "{{{{c}}}}", slot: "{{{{slot}}}}", is: "no {{{{slot}}}}"}}
  capture: {{token: /token}}
- {{operation: two, get: "/two?t={{{{token}}}}", headers: {{authorization: "Bearer {{{{token}}}}"}}}}
"""
    group = group_of(tmp_path, text)
    assert group["values"] == ["user.name", "user.age", "slot", "a", "b", "c", "token"]
    assert group["feeds"] == [
        {"feed": 0, "take": "in_turn", "per": "session", "values": [0, 1], "draw": 0},
        {"feed": 1, "take": "in_turn", "per": "session", "values": [2], "draw": 0},
    ]
    assert group["let"] == [
        {"value": 3, "integer": ["session_number", 7, "%"]},
        {"value": 4, "integer": [{"value": 3}, {"value": 2}, "+"]},
        {"value": 5, "text": ["x-", {"expression": {"value": 0}, "as": "raw"}, "-b1-2"]},
    ]
    one, two = group["operations"]
    assert one["path"] == ["/", {"expression": {"value": 4}, "as": "segment"}]
    slot = {"integer": [{"value": 2}]}  # rows hold texts: as an integer it stays bare in JSON
    assert one["body"] == [
        '{"c":',
        {"expression": {"value": 5}, "as": "json"},
        ',"slot":',
        {"expression": slot, "as": "json"},
        ',"is":"no ',
        {"expression": slot, "as": "json_string"},
        '"}',
    ]
    (capture,) = one["captures"]
    assert capture["secret"]
    assert two["secret_headers"] == [0]
    assert (one["compare_answers"], two["compare_answers"]) == (False, False)


def test_an_operation_that_never_changes_is_compared(tmp_path: Path) -> None:
    text = f"{FLAT}session: [{{operation: a, get: /a}}, {{operation: b, get: '/{{{{run_id}}}}'}}]\n"
    operations = group_of(tmp_path, text)["operations"]
    assert [each["compare_answers"] for each in operations] == [True, False]
    assert operations[1]["path"] == ["/b1-2"]


@pytest.mark.parametrize(("body", "compared"), [("x", True), ("{{run_id}}", False)])
def test_what_is_read_beside_new_rows_is_not_compared(
    tmp_path: Path, body: str, compared: bool
) -> None:
    """A body that never changes makes no new rows: a gateway passes it on."""
    text = (
        f"{FLAT}session: [{{operation: a, get: /a}}, {{operation: b, post: /b, body: '{body}'}}]\n"
    )
    operations = group_of(tmp_path, text)["operations"]
    assert operations[0]["compare_answers"] is compared


def test_steps_stay_nested_and_name_their_operations(tmp_path: Path) -> None:
    text = f"""{FLAT}\
think: 1s
parts:
  look: [{{operation: look, get: /}}]
once:
- {{operation: log-in, post: /, capture: {{id: {{json: /*/id, pick: random, or: end}}}}}}
session:
- part: look
- choose:
  - {{weight: 3, steps: [{{part: look}}]}}
  - weight: 1
    steps:
    - repeat: "{{{{1 + user_number % 2}}}}"
      steps: [{{operation: buy, get: "/{{{{turn}}}}", when: id, think: 0s}}]
"""
    group = group_of(tmp_path, text)
    assert [each["operation"] for each in group["operations"]] == ["log-in", "look", "buy"]
    assert [each["cell"] for each in group["operations"]] == ["log-in", "look", "buy"]
    pause = {"constant_ns": 1_000_000_000}
    assert group["once"] == [{"send": {"operation": 0, "think": pause, "when": None}}]
    look = {"send": {"operation": 1, "think": pause, "when": None}}
    buy = {"send": {"operation": 2, "think": None, "when": 0}}
    times = {"integer": [1, "user_number", 2, "%", "+"]}
    first, choose = group["session"]
    assert first == look
    assert choose["choose"]["alternatives"] == [
        {"weight": 3, "steps": [look]},
        {"weight": 1, "steps": [{"repeat": {"times": times, "steps": [buy]}}]},
    ]
    (capture,) = group["operations"][0]["captures"]
    assert (capture["pick"], capture["or"]) == ("random", "end")
    assert capture["draw"] != choose["choose"]["draw"]


def test_what_is_drawn_and_what_is_a_moment_are_written_out(tmp_path: Path) -> None:
    text = f"""{FLAT}\
session:
- operation: a
  post: /a
  json:
  - "{{{{random(1, 6)}}}}"
  - "{{{{uuid()}}}}"
  - "{{{{now()}}}}"
  - "{{{{day(now, days: 1)}}}}"
  - "{{{{date('1970-01-02', hours: session_number % 5, minutes: 3)}}}}"
  - "{{{{epoch_ms()}}}}"
  - "{{{{number(session_number)}}}}"
"""
    text = text.replace('  - "{{number(session_number)}}"\n', "")
    body = group_of(tmp_path, text)["operations"][0]["body"]
    expressions = [piece["expression"] for piece in body if not isinstance(piece, str)]
    assert expressions == [
        {"random": {"least": 1, "most": 6, "draw": 0}},
        {"uuid": {"draw": 1}},
        {"now": {"form": "second"}},
        {"date": {"base_s": None, "offset_s": [1, 86_400, "*"], "form": "day"}},
        {
            "date": {
                "base_s": 86_400,
                "offset_s": ["session_number", 5, "%", 3600, "*", 3, 60, "*", "+"],
                "form": "second",
            }
        },
        "epoch_ms",
    ]


def test_a_secret_of_the_environment_is_sent_and_masked_in_what_is_kept(tmp_path: Path) -> None:
    text = f"""{FLAT}\
session:
- operation: a
  post: "/{{{{env.TOKEN}}}}"
  headers: {{x-token: "{{{{env.TOKEN}}}}", accept: a/b, Authorization: Basic abc}}
  json: {{token: "{{{{env.TOKEN}}}}", twice: "{{{{env.TOKEN}}}}{{{{group}}}}"}}
"""
    with made(tmp_path, text) as plan:
        sent, kept = json.dumps(plan), json.dumps(masked(plan))
        (operation,) = json.loads(sent)["groups"][0]["operations"]
        assert "".join(operation["path"]) == "/s3cr%20et"
        assert json.loads("".join(operation["body"])) == {"token": "s3cr et", "twice": "s3cr etg"}
        assert operation["secret_headers"] == [0, 2]
        assert "s3cr" not in kept
        assert "abc" not in kept
        assert json.loads(kept)["groups"][0]["operations"][0]["path"] == ["/", "(masked)"]


def test_an_environment_that_lacks_a_secret_is_told_before_anything_is_sent(tmp_path: Path) -> None:
    text = f"{FLAT}session: [{{operation: a, get: '/{{{{env.MISSING}}}}'}}]\n"
    with pytest.raises(LoadstoneError, match=r"sends env\.MISSING, and the environment has no"):
        group_of(tmp_path, text)
    text = f"{FLAT}session: [{{operation: a, get: /, headers: {{x: '{{{{env.TOKEN}}}}'}}}}]\n"
    with pytest.raises(InputError, match=r"sends env\.TOKEN, whose value cannot stand there"):
        group_of(tmp_path, text, environment={"TOKEN": "a\r\nHost: b"})


def test_checks_say_what_an_answer_must_be(tmp_path: Path) -> None:
    text = f"""{FLAT}\
session:
- operation: a
  get: /a
  check:
    status: [201, 409]
    or_end: [410]
    body_contains: "{{{{group}}}}!"
    json: {{/0/id: present, /a~1b: 1.5, /c: "{{{{session_number}}}}"}}
    header: {{x-a: absent, x-b: "{{{{session_number}}}}"}}
"""
    check = group_of(tmp_path, text)["operations"][0]["check"]
    number = {"expression": "session_number", "as": "raw"}
    assert check == {
        "status": [201, 409],
        "or_end": [410],
        "body_contains": ["g!"],
        "json": [
            {"pointer": ["0", "id"], "is": "present"},
            {"pointer": ["a/b"], "is": {"value": 1.5}},
            {"pointer": ["c"], "is": {"text": [number]}},
        ],
        "header": [{"name": "x-a", "is": "absent"}, {"name": "x-b", "is": {"text": [number]}}],
    }


def test_groups_have_their_own_arrivals_and_cells_of_their_own(tmp_path: Path) -> None:
    text = """\
users: {stages: [{to: 10, over: 10s}]}
each_group: {session: [{operation: a, get: /, check: {or_end: 409}}]}
groups:
- {group: one, share: 70%, leave: after_request, pace: 2s, cookies: true}
- {group: two, share: 30%, start_after: 5s, stop: {first_failure: true}}
"""
    with made(tmp_path, text) as plan:
        one, two = plan["groups"]
        assert not plan["real_time"]
    assert [stage["to"] for stage in one["arrivals"]["users"]["stages"]] == [7, 7]
    assert [stage["to"] for stage in two["arrivals"]["users"]["stages"]] == [3, 3]
    assert [each["operations"][0]["cell"] for each in (one, two)] == ["one.a", "two.a"]
    assert (one["leave"], one["pace_ns"], one["cookies"]) == ("after_request", 2 * 10**9, True)
    assert (two["start_ns"], two["stop"]["first_failure"]) == (5 * 10**9, True)


def test_a_rate_runs_in_real_time_and_users_beside_it_do_not(tmp_path: Path) -> None:
    text = """\
each_group: {session: [{operation: a, get: /}]}
groups:
- {group: one, rate: {per_second: 5, connections: 2, sessions: 9, own_connections: true}}
- {group: two, rate: {per_second: 5, connections: 2}}
"""
    with made(tmp_path, text) as plan:
        assert plan["real_time"]
        rate = plan["groups"][0]["arrivals"]["rate"]
    assert (rate["sessions"], rate["own_connections"]) == (9, True)
    with made(tmp_path, text.replace("rate: {per_second: 5, connections: 2}", "users: 1")) as plan:
        assert not plan["real_time"]


@pytest.mark.parametrize(
    ("users", "addresses"),
    [
        (28_000, []),
        (28_001, ["127.0.0.2", "127.0.0.3"]),
        (60_000, [f"127.0.0.{n}" for n in (2, 3, 4)]),
    ],
)
def test_more_connections_than_one_address_has_ports_come_from_several(
    tmp_path: Path, users: int, addresses: list[str]
) -> None:
    text = f"group: g\nusers: {users}\nsession: [{{operation: a, get: /}}]\n"
    with made(tmp_path, text) as plan:
        assert plan["source_addresses"] == addresses


def texts_of(path: Path, cells: int) -> list[str]:
    content = path.read_bytes()
    offsets = struct.unpack_from(f"<{cells + 1}I", content)
    texts = content[(cells + 1) * 4 :]
    assert offsets[-1] == len(texts)
    return [texts[begin:end].decode() for begin, end in pairwise(offsets)]


def test_rows_are_offsets_and_texts_and_are_gone_behind_the_load(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('x,y\n1,"a,\nb"\n,é\n"""",last\n')
    text = f"""{FLAT}\
feed:
  one: {{file: a.csv, rows: [2, 3]}}
  same: {{file: a.csv, rows: [2, 3], take: random}}
  all: a.csv
  numbers: {{range: [8, 13], step: 2}}
session: [{{operation: a, get: /}}]
"""
    with made(tmp_path, text) as plan:
        part, whole, numbers = plan["feeds"]
        assert (part["name"], part["rows"], part["columns"]) == ("a.csv", 2, 2)
        assert texts_of(Path(part["file"]), 4) == ["", "é", '"', "last"]
        assert texts_of(Path(whole["file"]), 6) == ["1", "a,\nb", "", "é", '"', "last"]
        assert texts_of(Path(numbers["file"]), 3) == ["8", "10", "12"]
        assert [each["feed"] for each in plan["groups"][0]["feeds"]] == [0, 0, 1, 2]
        assert all(len(each["sha256"]) == 64 for each in plan["feeds"])
    assert not Path(part["file"]).exists()


def test_a_file_that_changed_since_it_was_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n")
    (tmp_path / "w.yaml").write_text(
        f"{HEAD}{FLAT}feed: {{a: a.csv}}\nsession: [{{operation: a, get: /}}]\n"
    )
    workload = read_workload(tmp_path / "w.yaml")
    assert isinstance(workload, Workload)
    (tmp_path / "a.csv").write_text("x\n2\n")
    with (
        pytest.raises(InputError, match="changed while the load was"),
        feed_rows(workload, tmp_path),
    ):
        pass


@pytest.mark.parametrize("name", ["booking/load", "booking/fixed-rate", "conference/mix"])
def test_a_plan_of_several_groups_is_valid_by_the_schema_of_the_engine(name: str) -> None:
    system, _, workload = name.partition("/")
    path = ROOT / "tests" / "study" / "data" / system / "workloads" / f"{workload}.yaml"
    schema = json.loads((ROOT / "schemas" / "engine-plan.schema.json").read_text())
    read = read_workload(path)
    assert isinstance(read, Workload)
    with feed_rows(read, path.parent) as feeds:
        plan = engine_plan(
            read,
            target=resolve_targets("http://127.0.0.1:9090/", ())[0],
            protocol=Protocol.H1C,
            cpus=(),
            seed=1,
            feeds=feeds,
        )
        Draft202012Validator(schema).validate(json.loads(json.dumps(plan)))
