"""How much load there is over time, and how users pause: frozen values, nothing still to be parsed.

What draws arrivals and pauses is the engine; here is only what it is asked for.
"""

from pydantic import Field

from loadstone.frozen import Frozen

DEFAULT_SESSIONS = 100_000
"""Of a rate at once: as many thinking ones fit into a few hundred MiB."""


class Stage(Frozen):
    """Users or a rate go in a straight line from where the stage before ended, at first from 0."""

    to: float = Field(ge=0)
    """Where they end: users, or sessions started a second."""
    over_ns: int = Field(ge=0)
    """How long it takes; 0 is a step."""


class Stages(Frozen):
    """How much load there is, stage after stage; after the last, its end stays."""

    stages: tuple[Stage, ...] = Field(min_length=1)
    """In their order."""

    @property
    def highest(self) -> float:
        """The most that any stage reaches."""
        return max(stage.to for stage in self.stages)

    @property
    def is_steady(self) -> bool:
        """Whether it is the same from the first moment on."""
        return self.stages[0].over_ns == 0 and len({stage.to for stage in self.stages}) == 1

    def changed(self, levels: float, times: float, *, whole: bool) -> tuple[Stage, ...]:
        """The stages with so much of their levels and times; a whole level above 0 stays above it."""
        return tuple(
            Stage(
                to=max(round(stage.to * levels), bool(stage.to)) if whole else stage.to * levels,
                over_ns=round(stage.over_ns * times),
            )
            for stage in self.stages
        )

    @property
    def length_ns(self) -> int:
        """How long the stages take together."""
        return sum(stage.over_ns for stage in self.stages)

    @property
    def changes_ns(self) -> int:
        """From when on it stays the same; 0 where it is so from the first moment on."""
        level, ends_ns, changed_ns = None, 0, 0
        for stage in self.stages:
            ends_ns += stage.over_ns
            if stage.to != level and (stage.over_ns or level is not None):
                changed_ns = ends_ns
            level = stage.to
        return changed_ns

    def lowest(self, begin_ns: int, end_ns: int) -> float:
        """The least between two moments."""
        level, began_ns, least = 0.0, 0, float("inf")
        for stage in (*self.stages, Stage(to=self.stages[-1].to, over_ns=max(1, end_ns))):
            over_ns = began_ns + stage.over_ns
            if stage.over_ns and over_ns > begin_ns and began_ns < end_ns:
                edges = (max(begin_ns, began_ns), min(end_ns, over_ns))
                rise = (stage.to - level) / stage.over_ns
                least = min(least, *(level + rise * (edge - began_ns) for edge in edges))
            level, began_ns = stage.to, over_ns
        return least

    def until(self, end_ns: int) -> float:
        """The integral up to `end_ns`, in seconds: of a rate, the sessions that it starts."""
        level, began_ns, total = 0.0, 0, 0.0
        for stage in self.stages:
            inside_ns = min(stage.over_ns, max(0, end_ns - began_ns))
            if stage.over_ns:
                reached = level + (stage.to - level) * inside_ns / stage.over_ns
                total += (level + reached) / 2 * inside_ns / 1e9
            level, began_ns = stage.to, began_ns + stage.over_ns
        return total + level * max(0, end_ns - began_ns) / 1e9


def steady(level: float) -> tuple[Stage, ...]:
    """The same from the first moment on."""
    return (Stage(to=level, over_ns=0),)


class Users(Stages):
    """Closed: users with a connection each, and each next request after the answer."""


class Rate(Stages):
    """Open: sessions started at planned times, over a shared pool of connections."""

    connections: int = Field(ge=1)
    """Most connections in the pool."""
    poisson: bool = False
    """Whether they start independently of each other; else at even distances."""
    sessions: int = Field(default=DEFAULT_SESSIONS, ge=1)
    """Most sessions that are open at once."""
    own_connections: bool = False
    """Whether each session has a connection of its own; else its requests share the pool."""


class ConstantThink(Frozen):
    """A pause of the same length each time."""

    constant_ns: int = Field(ge=0)
    """How long."""

    @property
    def mean_ns(self) -> float:
        """Its mean."""
        return self.constant_ns


class UniformThink(Frozen):
    """A pause that is evenly distributed."""

    uniform_ns: tuple[int, int]
    """The shortest and the longest."""

    @property
    def mean_ns(self) -> float:
        """Its mean."""
        return sum(self.uniform_ns) / 2


class ExponentialThink(Frozen):
    """A pause that is exponentially distributed."""

    exponential_ns: int = Field(gt=0)
    """Its mean."""

    @property
    def mean_ns(self) -> float:
        """Its mean."""
        return self.exponential_ns


Think = ConstantThink | UniformThink | ExponentialThink
"""The pause of a user after each request, or of an arrived session between its requests."""
