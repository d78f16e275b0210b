"""What a second, shorter load with fewer users, or fewer streams of each, came to."""

from loadstone.frozen import Frozen


class SecondStep(Frozen):
    """A load like the one before it, with half of its users, or of the streams of each."""

    users: int
    """Closed users."""
    streams: int = 1
    """Requests in flight at most on the connection of each."""
    length_ns: int
    """How long it took, its first second included."""
    throughput_per_second: float
    """Requests of any outcome that ended in a second, behind its first second."""
    response_mean_ns: float
    """Their mean response time."""
