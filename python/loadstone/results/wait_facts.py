"""How long the engine's threads were kept from a CPU, in its summary and in each interval."""

from loadstone.frozen import Frozen


class WaitFacts(Frozen):
    """Waits for a CPU of threads that could have run."""

    waited_ns: int
    """All together."""
    long_waits: int
    """Waits of 1 ms or more."""
    long_waited_ns: int
    """Those together."""


class ThrottledFacts(Frozen):
    """What the CPU quota of the engine's own control group, or of one above it, kept from running."""

    periods: int
    """Periods in which it was used up."""
    throttled_ns: int
    """For how long the group, or one of its CPUs, then stood still."""
