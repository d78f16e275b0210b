"""A site of several machines as the driver follows it: who is begun when, what is passed on, what
is lost."""

import queue
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from test_study_plan import study_of

from loadstone.cluster.apart.messages import (
    FromParts,
    PartCommand,
    PartsAt,
    PartStopped,
    StopPart,
    ToParts,
)
from loadstone.cluster.engines.messages import (
    BeginLoad,
    EngineCommand,
    EngineSaid,
    FromEngine,
    LoadPrepared,
    ToEngine,
)
from loadstone.cluster.lines import (
    BlockDone,
    DoBlock,
    Prepared,
    Ready,
    Refused,
    read_command,
    read_line,
)
from loadstone.cluster.remote_lab import Broken, Gone, Heard, Part
from loadstone.cluster.role_lab import Queue, RoleLab
from loadstone.cluster.several_sites import meet
from loadstone.errors import LoadstoneError, Unavailable
from loadstone.measure.told import Step
from loadstone.results.environment import Environment, Machine, SiteFacts
from loadstone.study.design.plan import make_plan

ADDRESSES = {"c": "10.0.0.13", "a": "10.0.0.11", "b": "10.0.0.12"}
CODE = {"lab": "abc"}
SECONDS = 30.0


@dataclass
class FakeRemote:
    """A lab that says what it is told to say, and keeps what it is asked."""

    site: str
    heard: Queue
    cpus: tuple[int, ...] = (1, 2)
    code: dict[str, str] = field(default_factory=lambda: dict(CODE))
    asked: list[Any] = field(default_factory=list)
    is_closed: bool = False

    def begin(self, profile: str | None, plan: str, part: Part) -> None:
        self.asked.append((profile, plan, part))
        self.say(
            Ready(
                pid=1,
                environment=Environment(code=self.code, versions={"python": "3.11"}),
                facts=SiteFacts(machine=Machine(cpus=len(self.cpus) + 1)),
                swept="1 process (node)" if self.site == "b" else None,
                engine_cpus=self.cpus if part.is_engine else (),
            )
        )

    def prepare(self, builds: object) -> None:
        self.asked.append(builds)

    def do_block(self, command: DoBlock) -> None:
        self.asked.append(command)

    def do_engine(self, command: EngineCommand) -> None:
        self.asked.append(command)

    def do_parts(self, command: PartCommand) -> None:
        self.asked.append(command)

    def hear_parts(self, said: FromParts, files: Path | None) -> None:
        self.asked.append((said, files))

    def hear_engine(self, said: FromEngine, files: Path | None) -> None:
        self.asked.append((said, files))

    def close(self) -> None:
        self.is_closed = True

    def say(self, line: Any, files: Path | None = None) -> None:
        self.heard.put(Heard(self.site, line, files))


@dataclass
class Site:
    """A site whose service is on c, and what the driver hears of it."""

    lab: RoleLab
    c: FakeRemote
    a: FakeRemote
    b: FakeRemote
    heard: Queue

    def next(self) -> Heard:
        return self.heard.get(timeout=SECONDS)


@pytest.fixture
def site() -> Iterator[Site]:
    inner: Queue = queue.SimpleQueue()
    heard: Queue = queue.SimpleQueue()
    c, a, b = (FakeRemote(name, inner) for name in ("c", "a", "b"))
    others = {"a": a, "b": b}
    lab = RoleLab("c", c, others, None, inner, heard, ADDRESSES)  # type: ignore[arg-type]
    yield Site(lab, c, a, b, heard)
    lab.close()


def test_engines_are_begun_first_and_the_lead_is_told_of_them(site: Site) -> None:
    site.b.cpus = (3,)
    site.lab.begin("short", "digest")
    told = site.next()
    assert isinstance(told.line, Ready)
    assert (told.site, told.line.swept) == ("c", "on b: 1 process (node)")
    assert {name: each.address for name, each in told.line.facts.engines.items()} == {
        "a": "10.0.0.11",
        "b": "10.0.0.12",
    }
    assert site.a.asked == [("short", "digest", Part("10.0.0.11", is_engine=True))]
    ((profile, plan, part),) = site.c.asked
    assert (profile, plan, part.address, part.is_engine) == ("short", "digest", "10.0.0.13", False)
    assert {name: (each.address, each.cpus) for name, each in part.engines.items()} == {
        "a": ("10.0.0.11", (1, 2)),
        "b": ("10.0.0.12", (3,)),
    }


def test_what_the_machines_say_to_each_other_is_passed_on(site: Site, tmp_path: Path) -> None:
    site.lab.begin(None, "digest")
    site.next()
    site.c.say(ToEngine(machine="b", command=BeginLoad(load="00001")))
    site.b.say(EngineSaid(load="00001", event={"event": "progress"}), tmp_path)
    site.c.say(BlockDone(block=1))
    assert site.next().line == BlockDone(block=1)
    assert site.b.asked[1:] == [BeginLoad(load="00001")]
    said = FromEngine(machine="b", answer=EngineSaid(load="00001", event={"event": "progress"}))
    assert site.c.asked[1:] == [(said, tmp_path)]


def test_blocks_and_builds_are_the_leads(site: Site) -> None:
    site.lab.begin(None, "digest")
    site.next()
    site.lab.prepare("builds")
    command = DoBlock(block=1, attempt=1, runs=("001-go",))
    site.lab.do_block(command)
    assert site.c.asked[1:] == ["builds", command]
    site.c.say(Step(text="build go"))
    assert site.next() == Heard("c", Step(text="build go"))


@pytest.mark.parametrize("machine", ["a", "b", "c"])
def test_a_site_is_lost_with_any_machine_of_it(site: Site, machine: str, tmp_path: Path) -> None:
    site.lab.begin(None, "digest")
    site.next()
    getattr(site, machine).say(Gone("its raylet died"))
    assert site.next() == Heard("c", Gone(f"{machine}: its raylet died"))
    late = tmp_path / "late"
    late.mkdir()
    site.c.say(BlockDone(block=1), late)
    site.lab.close()
    assert site.heard.empty(), "half a site says nothing any more"
    assert not late.exists()
    assert site.a.is_closed
    assert site.b.is_closed
    assert site.c.is_closed


def test_a_machine_that_refuses_is_named(site: Site) -> None:
    site.lab.begin(None, "digest")
    site.next()
    site.a.say(Refused(message="it gives way to others", remedy="join from another shell"))
    assert site.next().line == Refused(
        message="a: it gives way to others", remedy="join from another shell"
    )


def test_an_engine_of_another_version_is_refused(site: Site) -> None:
    site.b.code["lab"] = "def"
    site.lab.begin(None, "digest")
    told = site.next().line
    assert isinstance(told, Broken)
    assert isinstance(told.error, LoadstoneError)
    assert "the digest of lab is abc on c, and def on b, which is of its site" in told.error.message


def test_the_machine_of_dependencies_is_no_engine(tmp_path: Path) -> None:
    inner: Queue = queue.SimpleQueue()
    heard: Queue = queue.SimpleQueue()
    c, a, b = (FakeRemote(name, inner) for name in ("c", "a", "b"))
    others = {"a": a, "b": b}
    lab = RoleLab("c", c, others, "b", inner, heard, ADDRESSES)  # type: ignore[arg-type]
    lab.begin(None, "digest")
    ready = heard.get(timeout=SECONDS).line
    assert isinstance(ready, Ready)
    assert [[*ready.facts.engines], [*ready.facts.dependencies]] == [["a"], ["b"]]
    assert b.asked == [(None, "digest", Part("10.0.0.12", has="dependencies"))]
    ((_, _, part),) = c.asked
    assert [*part.engines] == ["a"]
    assert part.dependencies == PartsAt(machine="b", address="10.0.0.12", has="the dependencies")
    command = StopPart(call=7, name="database")
    c.say(ToParts(machine="b", command=command))
    answer = PartStopped(call=7, folder="dependencies/1", killed_after_ns=None)
    b.say(answer, tmp_path)
    c.say(BlockDone(block=1))
    assert heard.get(timeout=SECONDS).line == BlockDone(block=1)
    lab.close()
    assert b.asked[1:] == [command]
    assert c.asked[1:] == [(FromParts(machine="b", answer=answer), tmp_path)]


def test_machines_of_services_find_the_builds_before_the_site_is_prepared(tmp_path: Path) -> None:
    inner: Queue = queue.SimpleQueue()
    heard: Queue = queue.SimpleQueue()
    c, a, b = (FakeRemote(name, inner) for name in ("c", "a", "b"))
    others = {"a": a, "b": b}
    services = {"users": "b", "orders": "b"}
    lab = RoleLab("c", c, others, None, inner, heard, ADDRESSES, services)  # type: ignore[arg-type]
    lab.begin(None, "digest")
    ready = heard.get(timeout=SECONDS).line
    assert isinstance(ready, Ready)
    assert [[*ready.facts.engines], [*ready.facts.services]] == [["a"], ["b"]]
    assert [*ready.facts.others] == ["a", "b"]
    assert b.asked == [(None, "digest", Part("10.0.0.12", has="services"))]
    ((_, _, part),) = c.asked
    at = PartsAt(machine="b", address="10.0.0.12", has="the services users and orders")
    assert (part.services, part.dependencies) == ({"users": at, "orders": at}, None)
    lab.prepare("builds of another site")
    leading = Heard("c", Prepared(builds=("go-1",)), tmp_path / "leading", "builds")
    inner.put(leading)
    printed = tmp_path / "printed"
    printed.mkdir()
    b.say(Prepared(builds=()), printed)
    assert heard.get(timeout=SECONDS) == leading
    assert b.asked[1:] == ["builds"]
    assert not printed.exists()
    lab.close()


def test_sites_whose_engines_are_unlike_are_refused() -> None:
    heard: Queue = queue.SimpleQueue()
    labs = {}
    for lead, engine, cpus in (("c", "a", (1,)), ("d", "b", (1, 2, 3))):
        inner: Queue = queue.SimpleQueue()
        remotes = {name: FakeRemote(name, inner) for name in (lead, engine)}
        remotes[engine].cpus = cpus
        labs[lead] = RoleLab(
            lead,
            remotes[lead],  # type: ignore[arg-type]
            {engine: remotes[engine]},  # type: ignore[dict-item]
            None,
            inner,
            heard,
            {lead: "10.0.0.1", engine: "10.0.0.2"},
        )
    plan = make_plan(study_of(2, 1, 2, 1))
    with pytest.raises(
        Unavailable, match="b, which is there for d, is unlike a, which is there for c"
    ):
        meet(labs, heard, plan, "digest", {})
    for lab in labs.values():
        lab.close()


def test_lines_of_engines_are_read_as_they_were_written() -> None:
    command = BeginLoad(load="00001")
    assert read_command(command.model_dump_json()) == command
    to_engine = ToEngine(machine="a", command=command)
    assert read_line(to_engine.model_dump_json()) == to_engine
    answer = LoadPrepared(load="00001", processes=(), port=7)
    assert read_line(answer.model_dump_json()) == answer
    said = FromEngine(machine="a", answer=answer)
    assert read_command(said.model_dump_json()) == said
