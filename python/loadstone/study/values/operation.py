"""One named request without anything to be filled in, and what its answer must be."""

from loadstone.frozen import Frozen


class Check(Frozen):
    """What an answer must be for its request to be ok. Status defaults to any 2xx."""

    status: int | None = None
    """Status code; none is any 2xx."""
    body_contains: str | None = None
    """Literal text that the body must contain."""


class Operation(Frozen):
    """One named request, ready to be written; of a session, with its templates as they are typed."""

    operation: str
    """Its name; unique in the session."""
    method: str
    """In capitals."""
    path: str
    """Path and query, visible ASCII."""
    headers: tuple[tuple[str, str], ...] = ()
    """Without Host and Content-Length, which the engine writes."""
    body: str = ""
    """UTF-8 text; empty is no body."""
    check: Check = Check()
    """What the answer must be."""
