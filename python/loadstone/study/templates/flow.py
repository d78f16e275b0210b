"""Which captures are there, at each point on the way through a session.

A capture that may be missing where it is used is refused before anything starts, with the reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from loadstone.study.templates.wrong import KeyPath, WrongTemplateError


@dataclass(frozen=True)
class Missing:
    """Why a capture may not be there."""

    message: str
    """With `{}` for its name."""
    remedy: str
    elsewhere: KeyPath | None = None
    """The key that makes it so; none: it is told where the capture is used."""


ALTERNATIVES = Missing(
    "only some alternatives capture {}",
    "capture it in all of them, or give the step a `when`",
)
NO_TURN = Missing(
    "{} is captured by a repeat that may have no turn",
    "repeat at least once, or give the step a `when`",
)
LATER = Missing("{} is captured by a later step", "put the step that captures it before this one")
LATER_THAN_LETS = Missing(
    "{} is captured later", "use it in the steps: a let is fixed when its session begins"
)


def unsure(key: KeyPath) -> Missing:
    """Of a capture of a step that may not be performed, or may fail, by this key of it."""
    return Missing(
        "{} is used later and may be missing",
        "take the key out, or give the steps that use it a `when`",
        elsewhere=key,
    )


@dataclass
class Flow:
    """What is captured so far."""

    sure: set[str] = field(default_factory=set)
    """What is there."""
    maybe: dict[str, Missing] = field(default_factory=dict)
    """What may be there, and why it may not."""

    def copy(self) -> "Flow":
        """The same for a way of its own."""
        return Flow(set(self.sure), dict(self.maybe))

    def has(self, name: str) -> bool:
        """Whether a step before has captured it, perhaps."""
        return name in self.sure or name in self.maybe

    def judge(self, name: str) -> None:
        """Refuse a capture that may be missing. Raises WrongTemplateError."""
        if name not in self.sure:
            raise refused(name, self.maybe.get(name, LATER))

    def capture(self, name: str, missing: Missing | None, *, is_forgotten: bool = False) -> None:
        """Go on behind a step that captures it, surely or not; what was there may be forgotten."""
        if missing is None:
            self.sure.add(name)
            self.maybe.pop(name, None)
        elif is_forgotten or name not in self.sure:
            self.sure.discard(name)
            self.maybe[name] = missing

    def with_sure(self, name: str | None) -> "Flow":
        """The flow in a step that is performed only where a value is there."""
        found = self.copy()
        if name is not None:
            found.sure.add(name)
        return found

    def join(self, ways: Sequence["Flow"], missing: Missing) -> None:
        """Go on behind several ways of which one was taken."""
        sure = set.intersection(*(way.sure for way in ways))
        seen = {name for way in ways for name in (*way.sure, *way.maybe)}
        for name in seen - sure:
            reasons = [way.maybe[name] for way in ways if name in way.maybe]
            everywhere = all(way.has(name) for way in ways)
            self.maybe[name] = reasons[0] if everywhere and reasons else missing
        self.sure = sure
        for name in sure:
            self.maybe.pop(name, None)


def refused(name: str, missing: Missing) -> WrongTemplateError:
    """What to raise of a capture that may be missing."""
    return WrongTemplateError(
        missing.message.format(name), missing.remedy, elsewhere=missing.elsewhere
    )
