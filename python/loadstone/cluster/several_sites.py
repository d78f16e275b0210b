"""Several machines as the site of a study: each does whole blocks, side by side.

One thread gives blocks out, takes what comes back, and writes into the results folder: it waits on a
queue alone, so that a signal reaches it at once. What a lost site had in hand is done again elsewhere,
whole; its finished runs are kept apart, since half a block would compare arms on two machines.
"""

import queue
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from loadstone.cluster.apart.messages import PartAnswer, ToParts
from loadstone.cluster.engines.messages import EngineAnswer, ToEngine
from loadstone.cluster.lines import BlockDone, DoBlock, Prepared, Ready, Refused
from loadstone.cluster.remote_lab import Broken, Gone, Heard
from loadstone.cluster.schedule import Schedule
from loadstone.cluster.site_facts import differences
from loadstone.errors import LoadstoneError, Unavailable
from loadstone.measure.site import Block, RunBlocks
from loadstone.measure.told import RunEnded, RunsLost, SiteLost, Step, Tell, Told
from loadstone.results import folder
from loadstone.results.assignments import Assignment, Assignments
from loadstone.results.environment import Environment, SiteFacts
from loadstone.results.read import read_assignments, read_record
from loadstone.results.record import Place
from loadstone.results.write import write_text
from loadstone.study.values.model import Arm, Plan


class Lab(Protocol):
    """The lab of one site. What comes of it is put into a queue; a lab that fails says so there."""

    def begin(self, profile: str | None, plan: str) -> None:
        """Tell it the study, by its profile and the digest of its plan."""

    def prepare(self, builds: object) -> None:
        """Let it make every arm ready, from the builds of another site, where it is given some."""

    def do_block(self, command: DoBlock) -> None:
        """Let it do runs of a block."""

    def close(self) -> None:
        """End it."""


Queue = queue.SimpleQueue[Heard]


def meet(
    labs: Mapping[str, Lab],
    heard: Queue,
    plan: Plan,
    digest: str,
    addresses: Mapping[str, str],
    commit: str | None = None,
) -> "SeveralSites":
    """Begin a study at every site, and return them as one; `commit` is that of the study's files.

    Raises LoadstoneError where one is not there, refuses, or is unlike the first.
    """
    for lab in labs.values():
        lab.begin(plan.profile, digest)
    ready: dict[str, Ready] = {}
    while len(ready) < len(labs):
        told = heard.get()
        match told.line:
            case Ready():
                ready[told.site] = told.line
            case Gone():
                raise Unavailable(
                    f"{told.site}: {told.line.reason}", "see that it has joined the cluster"
                )
            case Refused():
                raise refusal(told.site, told.line)
            case Broken():
                raise told.line.error
    sites = [*labs]
    first, *others = ((ready[site].environment, ready[site].facts) for site in sites)
    for site, other in zip(sites[1:], others, strict=True):
        if found := differences(first, other):
            raise Unavailable(
                f"{site} is unlike {sites[0]}, so their runs cannot be compared:\n  "
                + "\n  ".join(found),
                "make them alike, or take one of them out of the sites",
            )
        _refuse_unlike(sites[0], first[1], site, other[1])
    facts = {
        site: ready[site].facts.model_copy(update={"address": addresses.get(site)})
        for site in sites
    }
    environment = first[0].model_copy(update={"machines": facts, "commit": commit})
    swept = {site: ready[site].swept or "" for site in sites}
    return SeveralSites(labs, heard, environment, {s: text for s, text in swept.items() if text})


def _refuse_unlike(first: str, here: SiteFacts, site: str, there: SiteFacts) -> None:
    """Raise Unavailable where what loads one site, or has parts of its system, is another machine than
    that of the first.
    """
    own, others = here.others, there.others
    for (name, facts), (other, found_there) in zip(own.items(), others.items(), strict=True):
        if found := differences((Environment(), facts), (Environment(), found_there)):
            raise Unavailable(
                f"{other}, which is there for {site}, is unlike {name}, which is there for {first}: "
                "their runs cannot be compared:\n  " + "\n  ".join(found),
                "make them alike, or take one of them out of the sites",
            )


class SeveralSites:
    """Sites that do the blocks of one study."""

    def __init__(
        self,
        labs: Mapping[str, Lab],
        heard: Queue,
        environment: Environment,
        swept: Mapping[str, str],
    ) -> None:
        """`swept` is what killed labs had left, by site."""
        self.environment = environment
        self._labs, self._heard, self._swept = labs, heard, swept

    @contextmanager
    def prepare(self, arms: Collection[Arm], results: Path, tell: Tell) -> Iterator[RunBlocks]:
        """Make every arm ready at every site: the first one builds, the others get what it built.

        A block that is done again has all arms, so all are made ready, whatever is left to do.
        """
        del arms
        for site, text in self._swept.items():
            tell(Step(site=site, text=f"removed what a killed lab left: {text}"))
        sitting = _Sitting(self._labs, self._heard, results, tell)
        sitting.prepare()
        yield sitting.run_blocks


class _Sitting:
    """What goes on from the preparation of a study to its end, or its interruption."""

    def __init__(self, labs: Mapping[str, Lab], heard: Queue, results: Path, tell: Tell) -> None:
        self._labs, self._heard, self._results, self._tell = labs, heard, results, tell
        self._schedule = Schedule(tuple(labs), [*read_assignments(results)])
        self._blocks: dict[int, Block] = {}
        self._prepared: dict[str, object] = {}
        """Builds by site."""

    def prepare(self) -> None:
        """Make every arm ready at every site that stays. Raises LoadstoneError."""
        asked: set[str] = set()
        while waiting := [each for each in self._schedule.present if each not in self._prepared]:
            builds = next(iter(self._prepared.values()), None)
            for site in waiting if self._prepared else waiting[:1]:
                if site not in asked:
                    asked.add(site)
                    self._labs[site].prepare(builds)
            self._take(self._heard.get())

    def run_blocks(self, blocks: Sequence[Block]) -> None:
        """Do blocks, each at one site, until all are done. Raises LoadstoneError, Interrupted."""
        self._blocks = {block.number: block for block in blocks}
        self._schedule.add(self._blocks)
        while not self._schedule.is_done:
            for site in self._schedule.present:
                if (given := self._schedule.give(site)) is not None:
                    self._begin(given)
            self._take(self._heard.get())

    def _begin(self, given: Assignment) -> None:
        """Let a site do what is left of a block, which is all of it where others had begun it."""
        assignments = Assignments(assignments=tuple(self._schedule.assignments))
        write_text(self._results / folder.ASSIGNMENTS, assignments.model_dump_json(indent=1))
        left, lost = [], []
        for planned in self._blocks[given.block].runs:
            directory = self._results / folder.RUNS / planned.id
            finished = _place_of_finished(directory)
            if finished is None:
                left.append(planned.id)
            elif finished != (given.site, given.attempt):
                self._keep_apart(directory, finished)
                left.append(planned.id)
                lost.append(planned.id)
        if lost:
            self._tell(RunsLost(site=given.site, block=given.block, runs=tuple(lost)))
        command = DoBlock(block=given.block, attempt=given.attempt, runs=tuple(left))
        self._labs[given.site].do_block(command)

    def _keep_apart(self, directory: Path, place: Place) -> None:
        apart = self._results / folder.LOST / f"{place.site}-{place.attempt}" / directory.name
        shutil.rmtree(apart, ignore_errors=True)
        apart.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(directory, apart)

    def _take(self, heard: Heard) -> None:
        """Take what came of a site. Raises LoadstoneError where the study cannot go on."""
        site, line = heard.site, heard.line
        if site not in self._schedule.present:
            return
        if isinstance(line, EngineAnswer | PartAnswer):
            return  # said among the machines of a site
        match line:
            case Prepared():
                self._prepared[site] = heard.builds
                self._move(heard.files, self._results / folder.LOGS / site)
            case BlockDone():
                self._schedule.done(site)
            case RunEnded():
                if self._is_in_hand(site, line.run):
                    self._move(heard.files, self._results / folder.RUNS / line.run)
                    self._say(site, line)
            case Gone():
                self._lose(site, line.reason)
            case Refused():
                raise refusal(site, line)
            case Broken():
                raise line.error
            case Ready() | ToEngine() | ToParts():
                pass  # said among the machines of a site
            case _:
                self._say(site, line)

    def _is_in_hand(self, site: str, run: str) -> bool:
        given = self._schedule.in_hand.get(site)
        return given is not None and run in {each.id for each in self._blocks[given.block].runs}

    def _move(self, files: Path | None, to: Path) -> None:
        if files is not None:
            shutil.rmtree(to, ignore_errors=True)  # an interrupted attempt
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(files, to)

    def _lose(self, site: str, reason: str) -> None:
        in_hand = self._schedule.lose(site, reason)
        block = None if in_hand is None else in_hand.block
        self._say(site, SiteLost(reason=reason, block=block))
        if not self._schedule.present:
            raise Unavailable(
                f"no site is left; the last one was {site}, which was lost: {reason}",
                "bring the machines back; then resume the study: its finished runs are kept",
            )

    def _say(self, site: str, told: Told) -> None:
        self._tell(told.model_copy(update={"site": site}))


def refusal(site: str, refused: Refused) -> LoadstoneError:
    """Return the error of a lab that cannot do the study."""
    return Unavailable(f"{site}: {refused.message}", refused.remedy)


def _place_of_finished(directory: Path) -> Place | None:
    """Return where a run was done; none of one that needs another attempt."""
    path = directory / folder.RECORD
    if not path.is_file():
        return None
    record = read_record(path)
    if record.status == "interrupted":
        return None
    return Place(record.run.site, record.run.attempt)
