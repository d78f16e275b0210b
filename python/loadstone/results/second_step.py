"""What a second, shorter load with fewer users came to."""

from loadstone.frozen import Frozen


class SecondStep(Frozen):
    """A load like the one before it, with half of its users."""

    users: int
    """Closed users."""
    length_ns: int
    """How long it took, its first second included."""
    throughput_per_second: float
    """Requests of any outcome that ended in a second, behind its first second."""
    response_mean_ns: float
    """Their mean response time."""
