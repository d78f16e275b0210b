"""What of its system's contract a service is held to, as its author says, and what it is not held to.

A stack says it in its manifest, a service of one's own in its study: by the same keys. Whatever is not
held stands beside the figures of the service's arms.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.study.values.protocol import Protocol
from loadstone.text.words import listed

EVERY = "*"
"""At the end of a clause: every clause that begins so."""
_NAMED_AT_MOST = 6
"""Clauses, or operations; more of them are counted."""


def covers(named: str, clause: str) -> bool:
    """Whether a clause is the one that is named, or one of those that `PT-*` names."""
    if named.endswith(EVERY):
        return clause.startswith(named.removesuffix(EVERY))
    return clause == named


def is_covered(clause: str, named: Iterable[str]) -> bool:
    """Whether a clause is among those that are named."""
    return any(covers(each, clause) for each in named)


class Deviation(Frozen):
    """A clause that a service is known not to hold; said openly wherever it is checked."""

    clause: str
    """Its id, or the beginning of several with a `*` behind it."""
    reason: str
    """What it does instead, and why, for people."""
    legs: dict[str, tuple[Protocol, ...]] = Field(default_factory=dict)
    """Leg to the protocols over which it is so; empty: over all."""
    versions: str | None = None
    """The versions that do so, for people: another one may hold the clause. None: all."""

    def __hash__(self) -> int:
        # A mapping has no hash, and what stands for a service is looked up with what it declares.
        return hash((self.clause, self.reason, self.versions, *sorted(self.legs.items())))

    @property
    def why(self) -> str:
        """The reason, with the versions that it is of."""
        return self.reason if self.versions is None else f"{self.versions} {self.reason}"

    def is_over(self, legs: Mapping[str, Protocol]) -> bool:
        """Whether it is so over these protocols."""
        return all(legs.get(leg) in protocols for leg, protocols in self.legs.items())


class HeldTo(Frozen):
    """What a service is held to. Where its author says nothing it is all of the contract."""

    operations: tuple[str, ...] | None = None
    """The operations that it has; none: all of the system's."""
    deviations: tuple[Deviation, ...] = ()
    """What it is known to do otherwise than its system's clauses say."""
    only: tuple[str, ...] | None = None
    """The only clauses that it holds, of a yardstick; none: all."""
    samples_alone: bool = False
    """Whether the contract is not run: what is held are the answers that are sampled under load."""

    def not_held(
        self, operations: Iterable[str], legs: Mapping[str, Protocol], *, is_running: bool = False
    ) -> "NotHeld":
        """What is left out of the contract of a system with these operations, over these protocols.

        Of a service that is running already the quick checks alone are held.
        """
        return NotHeld(
            by="samples" if self.samples_alone else "quick checks" if is_running else "contract",
            only=self.only,
            operations=tuple(
                each
                for each in operations
                if self.operations is not None and each not in self.operations
            ),
            deviations=tuple(each for each in self.deviations if each.is_over(legs)),
        )


class NotHeld(Frozen):
    """What of its system's contract a service is not held to, in one arm."""

    by: Literal["contract", "quick checks", "samples"] = "contract"
    """By what it is held: the contract, the checks of it that change nothing, or the answers alone
    that are sampled under load."""
    only: tuple[str, ...] | None = None
    """The only clauses that it is held to; none: all."""
    operations: tuple[str, ...] = ()
    """Those of the system that it does not have."""
    deviations: tuple[Deviation, ...] = ()
    """What it is known to do otherwise, over the arm's protocols."""

    @property
    def is_nothing(self) -> bool:
        """Whether it is held to all of the contract."""
        return self == NotHeld()

    @property
    def clauses(self) -> tuple[str, ...]:
        """Those from which it deviates, each once."""
        return tuple(dict.fromkeys(each.clause for each in self.deviations))

    def text(self, *, is_loaded: bool = True, is_alone: bool = True) -> str:
        """It in words that stand behind `is not held to all of its contract: `.

        Without a load there are no answers to sample; where it is not alone others answer through it.
        """
        parts = (self._held_by(is_loaded, is_alone), self._deviates(), self._lacks())
        return "; ".join(filter(None, parts))

    def _held_by(self, is_loaded: bool, is_alone: bool) -> str:
        if self.by == "samples":
            whose = "it" if is_alone else "it and of what answers through it"
            if is_loaded:
                return f"only sampled answers of {whose} are"
            return f"nothing of {whose} is, since no answer of a start is sampled"
        if self.only is not None:
            return f"only {_named(self.only)} {'is' if len(self.only) == 1 else 'are'}"
        return "only its quick checks are" if self.by == "quick checks" else ""

    def _deviates(self) -> str:
        return f"it deviates from {_named(self.clauses)}" if self.deviations else ""

    def _lacks(self) -> str:
        return f"it does not have {_named(self.operations)}" if self.operations else ""


def not_held_in_words(
    by_service: Mapping[str, NotHeld], *, is_loaded: bool = True, is_named: bool = False
) -> str:
    """The words of all services of an arm; empty where each is held to all of its contract.

    With `is_named` each is named, as where an arm has several services.
    """
    texts = {
        name: each.text(is_loaded=is_loaded, is_alone=not is_named)
        for name, each in by_service.items()
    }
    return "; ".join(f"as for {name}, {text}" if is_named else text for name, text in texts.items())


def _named(names: tuple[str, ...]) -> str:
    """`PT-3`, `PT-3 and PT-8`, `PT-1, PT-2, ... and 9 more`."""
    more = len(names) - _NAMED_AT_MOST
    return listed([*names[:_NAMED_AT_MOST], *([f"{more} more"] if more > 0 else [])])
