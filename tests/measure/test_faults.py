"""Faults at their times, with hands that only note what they are told to do."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from loadstone.errors import StepFailed
from loadstone.measure.loading.faults import Faults
from loadstone.results.fault_facts import FaultFacts
from loadstone.results.record import ProcessFacts
from loadstone.study.values.faults import Fault

MS = 10**6
FACTS = ProcessFacts(role="service", name="users.2", command="users", pid=7, cpus=(0,))
SECONDS = 30.0
"""Until a test gives up."""


class Noting:
    """Hands and probe in one: everything is noted, in its order."""

    def __init__(self) -> None:
        self.did: list[str] = []
        self.changed = threading.Condition()
        self.failing = ""
        self.never_ready = False

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)

        def act(*words: Any) -> Any:
            if name == self.failing:
                raise StepFailed("load", f"cannot {name}")
            with self.changed:
                self.did.append(
                    " ".join([name, *(word for word in words if isinstance(word, str))])
                )
                self.changed.notify_all()
            while name == "add" and self.never_ready:
                words[1]()  # raises when the load is over
                time.sleep(0.001)
            added = SimpleNamespace(name="users.2", child=SimpleNamespace(pid=7), confinement=None)
            return added if name == "add" else 7

        return act

    def wait_for(self, count: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.did) >= count, SECONDS), self.did


def planned(fault: str, part: str, at_ms: int, for_ms: int | None = None) -> Fault:
    for_ns = None if for_ms is None else for_ms * MS
    return Fault.model_validate(
        {"fault": fault, "part": part, "at_ns": at_ms * MS, "for_ns": for_ns}
    )


@contextmanager
def running(noting: Noting, *faults: Fault, window_start_ns: int | None = 0) -> Iterator[Faults]:
    made: Any = Faults(faults, noting, lambda _: FACTS, window_start_ns)  # type: ignore[arg-type]
    with made.running(noting):
        yield made


def test_each_is_done_in_the_order_of_time_and_the_probe_is_told() -> None:
    noting = Noting()
    faults = (
        planned("kill", "users.3", 20),
        planned("freeze", "database", 0, 10),
        planned("add", "users", 10),
        planned("stop", "cache", 30, 5),
        planned("remove", "users.4", 40),
    )
    with running(noting, *faults) as doing:
        doing.load_began(time.time_ns())
        noting.wait_for(11)
    assert noting.did == [
        "freeze database",
        "thaw database",
        "add users",
        "watch users.2",
        "let_go users.3",
        "kill users.3",
        "stop cache",
        "start cache",
        "follow cache",
        "let_go users.4",
        "remove users.4",
        "undo",
    ]
    assert [each.name for each in doing.added] == ["users.2"]
    facts = {each.part: each for each in doing.facts}
    parts = [each.part for each in doing.facts]
    assert parts == ["database", "users", "users.3", "cache", "users.4"]
    assert facts["users"].process == "users.2"
    assert facts["users"].ended_ns is None
    for part in ("database", "cache"):
        each = facts[part]
        assert each.done_ns is not None
        assert each.ended_ns is not None
        assert each.began_ns <= each.done_ns <= each.ended_ns
    assert facts["users.3"].began_ns >= 20 * MS


def test_nothing_is_done_before_the_begin_of_a_watched_window_is_told() -> None:
    noting = Noting()
    with running(noting, planned("kill", "users", 0), window_start_ns=None) as doing:
        doing.load_began(time.time_ns())
        assert noting.did == []
        doing.window_begins(50 * MS)
        noting.wait_for(2)
    (killed,) = doing.facts
    assert killed.began_ns >= 50 * MS


def test_a_load_that_ends_early_leaves_nothing_frozen_and_nothing_to_be_done() -> None:
    noting = Noting()
    faults = (planned("freeze", "users", 0, 10**9), planned("kill", "users.2", 2 * 10**9))
    with running(noting, *faults) as doing:
        doing.load_began(time.time_ns())
        noting.wait_for(1)
    assert noting.did == ["freeze users", "undo"]
    (frozen,) = doing.facts
    assert frozen.ended_ns is not None


def test_a_process_that_is_not_ready_when_the_load_ends_is_told_and_not_waited_for() -> None:
    noting = Noting()
    noting.never_ready = True
    with running(noting, planned("add", "users", 0)) as doing:
        doing.load_began(time.time_ns())
        noting.wait_for(1)
    assert noting.did == ["add users", "undo"]
    (facts,) = doing.facts
    assert (facts.process, facts.done_ns) == (None, None)
    assert facts.text == "one more users started at 0.0 s, not ready when the load ended"
    assert doing.added == []


def test_a_load_that_never_began_has_none() -> None:
    noting = Noting()
    with running(noting, planned("kill", "users", 0)) as doing:
        pass
    assert (noting.did, doing.facts) == (["undo"], ())


def test_what_cannot_be_done_fails_the_load() -> None:
    noting = Noting()
    noting.failing = "kill"
    with ExitStack() as load:
        doing = load.enter_context(running(noting, planned("kill", "users", 0)))
        doing.load_began(time.time_ns())
        noting.wait_for(1)  # the probe was told
        with pytest.raises(StepFailed, match="cannot kill"):
            load.close()
    assert noting.did == ["let_go users", "undo"]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"fault": "kill", "part": "users.2"}, "users.2 killed at 20.0 s"),
        (
            {"fault": "remove", "part": "users.2"},
            "users.2 told to end at 20.0 s, gone at 21.5 s",
        ),
        (
            {"fault": "add", "part": "users", "process": "users.3"},
            "users.3 started at 20.0 s, ready at 21.5 s",
        ),
        (
            {"fault": "freeze", "part": "database", "ended_ns": 25 * 10**9},
            "database frozen from 20.0 s to 25.0 s",
        ),
        ({"fault": "stop", "part": "database"}, "database stopped from 20.0 s to the end"),
    ],
)
def test_each_is_told_in_words(changes: dict[str, object], text: str) -> None:
    times = {"began_ns": 20 * 10**9, "done_ns": 21_500 * MS}
    assert FaultFacts.model_validate({**times, **changes}).text == text
