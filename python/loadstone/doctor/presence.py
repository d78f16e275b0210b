"""Whether a program, a runtime or a feature is here, and if not, why and what to do."""

from loadstone.frozen import Frozen


class Presence(Frozen):
    """A program, a runtime or a feature of the kernel."""

    name: str
    """What it is."""
    found: str | None = None
    """Its version or place; none where it is not here."""
    reason: str | None = None
    """Why it is not here; none where it is."""
    remedy: str | None = None
    """A sentence: what to do where it is not here."""
    needed: bool = False
    """Whether `loadstone quickstart` cannot do without it."""

    @property
    def is_here(self) -> bool:
        """Whether it was found."""
        return self.found is not None
