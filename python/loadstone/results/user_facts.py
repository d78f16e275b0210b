"""What the users of a load got, in the engine's summary."""

from loadstone.frozen import Frozen


class UserSpread(Frozen):
    """Values over users: nearest ranks."""

    min: float
    """The least."""
    p5: float
    """One user in twenty has less."""
    median: float
    """The median user's."""
    p95: float
    """One user in twenty has more."""
    max: float
    """The greatest."""


class UserFacts(Frozen):
    """What the users of a load got; of a rate, what each of its connections carried."""

    from_ns: int
    """Answers that ended from here on are added up, since the load began, grace included."""
    users: int
    """Users that had a request at all."""
    answered: int
    """Those of them that had an ok answer."""
    answers: UserSpread
    """Ok answers of each."""
    mean_service_time_ns: UserSpread | None
    """Mean service time of each that had an ok answer; none if none had."""
