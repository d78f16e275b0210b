"""The interpreter of sessions: what a plan means, on workloads that fit on a few lines."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import draws
import pytest
from answers import Answer
from model import Ended, Request, Session

from loadstone.deploy.target_address import resolve_targets
from loadstone.measure.loading.engine_plan import engine_plan
from loadstone.measure.loading.feed_rows import feed_rows
from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.model import Protocol, Workload

HEAD = "workload: w\nkind: load\nduration: 60s\ngroup: g\nusers: 5\n"
Server = Callable[[Request], Answer]


def always(status: int = 200, body: object = None, **headers: str) -> Server:
    text = "" if body is None else json.dumps(body)
    return lambda _: Answer(status, text, tuple(headers.items()))


@contextmanager
def plan_of(folder: Path, text: str) -> Iterator[dict[str, Any]]:
    path = folder / "w.yaml"
    path.write_text(HEAD + text)
    workload = read_workload(path)
    assert isinstance(workload, Workload)
    with feed_rows(workload, folder) as feeds:
        yield engine_plan(
            workload,
            target=resolve_targets("http://127.0.0.1:9090/", ())[0],
            protocol=Protocol.H1C,
            cpus=(),
            seed=1,
            run_id="b2-07",
            feeds=feeds,
        )


def performed(
    folder: Path, text: str, server: Server, *, number: int = 0, count: int = 1
) -> tuple[list[Request], Ended]:
    """The requests of the sessions of one user, and how the last one ended."""
    sent: list[Request] = []
    with plan_of(folder, text) as plan:
        before = None
        for turn in range(count):
            before = Session(plan, 0, number + turn, after=before)
            requests = before.requests(server)
            while True:
                try:
                    sent.append(next(requests))
                except StopIteration as end:
                    ended: Ended = end.value
                    break
    return sent, ended


def test_the_draws_are_those_of_the_engine() -> None:
    # The same numbers stand in the engine's own tests.
    assert draws.draw(1, draws.RANDOM, 0, 0, 0, 0) == 2_141_701_907_216_784_600
    assert draws.draw(7, draws.CHOOSE, 3, 41, 5, 2) == 1_077_013_108_601_397_719
    assert draws.run_key("") == 16_294_208_416_658_607_535
    assert draws.run_key("b2-07") == 2_032_580_912_581_960_324
    assert draws.run_key("a-longer-name") == 3_913_900_160_060_857_871
    assert draws.uuid(1, 2) == "1d0b14e4-db01-4fed-bccd-fd9c96a18897"


def test_alternatives_come_as_often_as_their_weights_say(tmp_path: Path) -> None:
    text = """\
session:
- choose:
  - {weight: 80, steps: [{operation: often, get: /}]}
  - {weight: 20, steps: [{operation: seldom, get: /}]}
"""
    sent, _ = performed(tmp_path, text, always(), count=2_000)
    seldom = sum(request.cell == "seldom" for request in sent)
    assert 330 < seldom < 470  # 400, and four standard deviations of 18


def test_turns_are_counted_and_draw_anew(tmp_path: Path) -> None:
    text = """\
session:
- repeat: "{{session_number % 4}}"
  steps: [{operation: a, get: "/{{turn}}?r={{random(1, 1000000)}}"}]
"""
    sent, _ = performed(tmp_path, text, always(), number=7)
    assert [request.path.partition("?")[0] for request in sent] == ["/0", "/1", "/2"]
    assert len({request.path.partition("?")[2] for request in sent}) == 3


def test_a_drawn_let_is_drawn_once_a_session(tmp_path: Path) -> None:
    text = """\
let: {dice: "{{random(1, 1000000)}}", twice: "{{2 * dice}}"}
session:
- {operation: a, post: "/{{dice}}", json: {dice: "{{dice}}", twice: "{{twice}}"}}
- {operation: b, post: "/{{dice}}", json: {id: "{{uuid()}}"}}
"""
    (first, second), _ = performed(tmp_path, text, always())
    drawn = json.loads(first.body)
    assert first.path == second.path == f"/{drawn['dice']}"
    assert drawn["twice"] == 2 * drawn["dice"]
    assert len(json.loads(second.body)["id"]) == 36


def test_captured_values_keep_their_type(tmp_path: Path) -> None:
    text = """\
session:
- operation: a
  get: /
  capture: {number: /n, text: /t, flag: /f, exact: /e}
- operation: b
  post: /b
  json: {n: "{{number}}", t: "{{text}}", f: "{{flag}}", e: "{{exact}}", s: "no {{number}}"}
"""
    body = '{"n": 1.50, "t": "a\\"b", "f": true, "e": 9007199254740993, "n": 2}'
    (_, sent), _ = performed(tmp_path, text, lambda _: Answer(200, body))
    wanted = '{"n":1.50,"t":"a\\"b","f":true,"e":9007199254740993,"s":"no 1.50"}'
    assert sent.body == wanted


@pytest.mark.parametrize(
    ("capture", "body", "ended", "next_path"),
    [
        ("{x: /x}", {}, Ended("aborted", "check"), None),
        ("{x: /x}", {"x": None}, Ended("aborted", "check"), None),
        ("{x: {json: /x, or: end}}", {}, Ended("ended_early"), None),
        ("{x: {json: /x, or: {value: none}}}", {}, Ended("finished"), "/none"),
        ("{x: {json: /*/x, pick: 1}}", [{"x": "a"}, {}, {"x": "b"}], Ended("finished"), "/b"),
        ("{x: {json: /*/x}}", [{"y": 1}, {"x": "a/b"}], Ended("finished"), "/a%2Fb"),
        ("{x: /items/1}", {"items": [5, 6]}, Ended("finished"), "/6"),
        ("{x: /x}", {"x": ".."}, Ended("aborted", "not_sent"), None),
    ],
)
def test_what_is_missing_ends_a_session_as_its_capture_says(
    tmp_path: Path, capture: str, body: object, ended: Ended, next_path: str | None
) -> None:
    text = f"""\
session:
- {{operation: a, get: /, capture: {capture}}}
- {{operation: b, get: "/{{{{x}}}}"}}
"""
    sent, found = performed(tmp_path, text, always(body=body))
    assert found == ended
    assert [request.path for request in sent[1:]] == ([] if next_path is None else [next_path])


def test_a_random_element_is_each_as_likely(tmp_path: Path) -> None:
    text = """\
session:
- {operation: a, get: /, capture: {x: {json: /*, pick: random}}}
- {operation: b, get: "/{{x}}"}
"""
    sent, _ = performed(tmp_path, text, always(body=[1, 2, 3, 4]), count=2_000)
    counts = [sum(request.path == f"/{each}" for request in sent) for each in range(1, 5)]
    assert all(420 < count < 580 for count in counts)  # 500, and four standard deviations of 19


@pytest.mark.parametrize(
    ("status", "ended"),
    [
        (200, Ended("finished")),
        (201, Ended("finished")),
        (409, Ended("ended_early")),
        (500, Ended("aborted", "status")),
    ],
)
def test_a_status_goes_on_ends_or_aborts(tmp_path: Path, status: int, ended: Ended) -> None:
    text = "session: [{operation: a, get: /, check: {status: [200, 201], or_end: 409}}]\n"
    assert performed(tmp_path, text, always(status))[1] == ended


@pytest.mark.parametrize(
    ("check", "holds"),
    [
        ("{json: {/a: 1.0}}", True),
        ("{json: {/a: 2}}", False),
        ("{json: {/b: present, /c: absent}}", True),
        ("{json: {/b: absent}}", False),
        ("{json: {/list/*: 3}}", True),
        ("{json: {/list: [1, 3.0]}}", True),
        ('{json: {/name: "{{group}}"}}', True),
        ('{json: {/a: "{{session_number + 1}}"}}', True),
        ("{header: {X-A: present, x-b: absent}}", True),
        ('{header: {x-a: "{{group}}"}}', False),
        ('{body_contains: "{{group}}"}', True),
        ("{body_contains: nothing}", False),
    ],
)
def test_an_answer_is_held_against_its_check(tmp_path: Path, check: str, holds: bool) -> None:
    body = {"a": 1, "b": None, "list": [1, 3], "name": "g"}
    text = f"session: [{{operation: a, get: /, check: {check}}}]\n"
    _, ended = performed(tmp_path, text, always(body=body, **{"x-a": "y"}))
    assert ended == (Ended("finished") if holds else Ended("aborted", "check"))


def test_what_was_done_once_stays_and_is_not_done_again(tmp_path: Path) -> None:
    text = """\
cookies: true
once:
- {operation: log-in, post: /log-in, capture: {token: /token}}
session:
- {operation: look, get: /a/look, headers: {authorization: "Bearer {{token}}"}}
- {operation: leave, get: /b}
"""
    server = always(body={"token": "t"}, **{"set-cookie": "sid=7; Path=/a"})
    sent, _ = performed(tmp_path, text, server, count=2)
    assert [request.cell for request in sent] == ["log-in", "look", "leave", "look", "leave"]
    assert sent[1].headers == (("authorization", "Bearer t"), ("cookie", "sid=7"))
    assert sent[2].headers == ()
    assert sent[3].headers == sent[1].headers


def test_pages_are_turned_until_there_is_none(tmp_path: Path) -> None:
    text = """\
session:
- {operation: first, get: /items, capture: {next: {json: /next, or: end}}}
- repeat: 10
  steps:
  - {operation: page, get: "/items?page={{next}}", capture: {next: {json: /next, or: end}}}
"""

    def server(request: Request) -> Answer:
        page = int(request.path.partition("=")[2] or 1)
        return Answer(200, json.dumps({"next": page + 1} if page < 4 else {}))

    sent, ended = performed(tmp_path, text, server)
    paths = ["/items", "/items?page=2", "/items?page=3", "/items?page=4"]
    assert [request.path for request in sent] == paths
    assert ended == Ended("ended_early")


def test_a_step_is_left_out_where_its_value_is_empty(tmp_path: Path) -> None:
    text = """\
session:
- {operation: a, get: /, capture: {x: {json: /x, or: {value: ""}}}}
- {operation: b, get: "/{{x}}", when: x}
- {operation: c, get: /c}
"""
    cells = [request.cell for request in performed(tmp_path, text, always(body={}))[0]]
    assert cells == ["a", "c"]
    cells = [request.cell for request in performed(tmp_path, text, always(body={"x": 1}))[0]]
    assert cells == ["a", "b", "c"]


def test_a_location_is_followed_on_the_target_alone(tmp_path: Path) -> None:
    text = """\
session:
- {operation: a, post: /a, capture: {at: {header: location}}}
- {operation: b, get: "{{path(at)}}"}
"""
    for location, path in (
        ("http://127.0.0.1:9090/a/1?x=2", "/a/1?x=2"),
        ("/a/2", "/a/2"),
        ("http://evil.example/a", None),
        ("//evil.example/a", None),
    ):
        sent, _ = performed(tmp_path, text, always(location=location))
        assert [request.path for request in sent[1:]] == ([] if path is None else [path])


def test_rows_follow_from_the_number_of_the_session(tmp_path: Path) -> None:
    (tmp_path / "owners.csv").write_text('name,age\nAnn,40\n"Bob, jun.",41\nÅse,42\n')
    text = """\
feed:
  owner: {file: owners.csv, rows: [2, 3]}
  slot: {range: [10, 20], step: 5, take: once}
session:
- {operation: a, post: /a, form: {name: "{{owner.name}}", slot: "{{slot + 1}}"}}
- operation: b
  post: /b
  json: {age: "{{number(owner.age)}}", text: "{{owner.age}}", slot: "{{slot}}"}
"""
    text = text.replace("take: once", "take: in_turn")
    sent, _ = performed(tmp_path, text, always(), number=3, count=2)
    assert [request.body for request in sent] == [
        "name=%C3%85se&slot=11",
        '{"age":42,"text":"42","slot":10}',
        "name=Bob%2C+jun.&slot=16",
        '{"age":41,"text":"41","slot":15}',
    ]
