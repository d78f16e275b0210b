"""Which site does which block. Pure: sites and what becomes of them come in as arguments.

Block *b* is that of site *b* modulo their number, so that every site has blocks from all over a study.
A site that has done its own takes what others lost, and nothing else: a fast site that did more than
its share would stand for more of the figures than the others. A block is done at one site, whole: what
its arms have in common then is in all of them.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from loadstone.results.assignments import Assignment
from loadstone.study.design.order import turn_of


@dataclass
class Schedule:
    """The blocks of a study, given out to sites and taken back from those that are lost."""

    sites: tuple[str, ...]
    """Those that were there when the study began or was resumed."""
    assignments: list[Assignment]
    """Of earlier sittings and of this one; it grows."""
    in_hand: dict[str, Assignment] = field(default_factory=dict)
    """What each site does now."""
    _waiting: dict[str, deque[int]] = field(default_factory=dict)
    """Blocks of each site that is there."""
    _lost: deque[tuple[int, str]] = field(default_factory=deque)
    """Blocks whose site is not there, and why."""
    _gone: dict[str, str] = field(default_factory=dict)
    """Why each site that is lost is not there."""

    def __post_init__(self) -> None:
        self._waiting = {site: deque() for site in self.sites}

    @property
    def present(self) -> tuple[str, ...]:
        """The sites that are still there."""
        return tuple(self._waiting)

    @property
    def is_done(self) -> bool:
        """Whether no block waits or is in hand."""
        return not (self.in_hand or self._lost or any(self._waiting.values()))

    def last_of(self, block: int) -> Assignment | None:
        """Return the last assignment of a block; none where it never had one."""
        return next((each for each in reversed(self.assignments) if each.block == block), None)

    def add(self, blocks: Iterable[int]) -> None:
        """Let blocks wait for the site that began them, or else for that whose turn it is.

        What a site had begun that is not there any more is lost.
        """
        for block in blocks:
            last = self.last_of(block)
            site = turn_of(block, self.sites) if last is None else last.site
            if site in self._waiting:
                self._waiting[site].append(block)
            else:
                self._lost.append((block, self._gone.get(site, f"{site} is not there any more")))

    def give(self, site: str) -> Assignment | None:
        """Give the next block to a site that has nothing in hand; none where there is none for it."""
        if site not in self._waiting or site in self.in_hand:
            return None
        if self._waiting[site]:
            given = self._begin(self._waiting[site].popleft(), site)
        elif self._lost:
            block, reason = self._lost.popleft()
            given = self._begin(block, site, reason)
        else:
            return None
        self.in_hand[site] = given
        return given

    def _begin(self, block: int, site: str, reason: str | None = None) -> Assignment:
        """Return the assignment of a block; one that goes on where it was begun has one already."""
        last = self.last_of(block)
        if last is not None and last.site == site and reason is None:
            return last
        attempt = 1 if last is None else last.attempt + 1
        assignment = Assignment(block=block, site=site, attempt=attempt, reason=reason)
        self.assignments.append(assignment)
        return assignment

    def done(self, site: str) -> None:
        """A site has done what it had in hand."""
        del self.in_hand[site]

    def lose(self, site: str, reason: str) -> Assignment | None:
        """A site is gone; return what it had in hand, which must be done again, whole.

        What waited for it waits for others. A site can be lost once.
        """
        waiting = self._waiting.pop(site)
        in_hand = self.in_hand.pop(site, None)
        blocks = ([] if in_hand is None else [in_hand.block]) + list(waiting)
        self._gone[site] = f"{site} was lost: {reason}"
        self._lost.extend((block, self._gone[site]) for block in blocks)
        return in_hand
