"""The engine's summary as the engine writes it: of what a record may lack, it leaves nothing out."""

from loadstone.results.load_facts import (
    ConnectionFacts,
    EngineFacts,
    LoadFacts,
    SpokenFacts,
    StopFacts,
)


class EngineSummary(LoadFacts):
    """The last line of the engine's stdout."""

    protocol: str
    """What the plan asked to speak."""
    spoken: SpokenFacts
    """What was really spoken."""
    streams: int
    """Requests in flight at most on one connection."""
    stop: StopFacts
    """Why it stopped."""
    connections: ConnectionFacts
    """Connections of the load."""
    redirects: int
    """Redirects that were followed."""
    engine: EngineFacts
    """What the engine cost."""
