"""What a service computes while nobody asks it anything."""

from loadstone.frozen import Frozen


class Background(Frozen):
    """CPU time of the service that is called and all below it, as shares of one CPU."""

    before_share: float
    """Before the load."""
    after_share: float
    """After it."""
    after_from_ns: int
    """How long after its last answer that begins."""
    after_length_ns: int
    """For how long it was looked at."""
