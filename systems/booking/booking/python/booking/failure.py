"""What an error of the database is to the caller, by its SQLSTATE: SPEC.md, *Database rules*."""

from booking.problem import Kind, Problem

_AGAIN = (
    "40001",  # serialization failure
    "40P01",  # deadlock
)
_UNAVAILABLE = (
    "53300",  # too many connections
    "55P03",  # waited too long for a lock
    "57014",  # the statement took too long
)
_ENDED = (
    "57P01",  # the server stops, or ends this connection
    "57P02",  # another of its processes has crashed
    "57P03",  # it starts or stops
    "57P04",  # the database was dropped
    "57P05",  # the connection was idle for too long
)
_CONNECTION_CLASS = "08"


class Again(Problem):
    """The transaction may be made once more; where it was, this is what the caller is told."""


def failure(sqlstate: str, error: BaseException) -> Problem:
    """Return the problem of an error that the server has told of."""
    if sqlstate in _AGAIN:
        return Again(Kind.UNAVAILABLE, line_of(error))
    if sqlstate in _UNAVAILABLE or ends_connection(sqlstate):
        return unavailable(error)
    return Problem(Kind.INTERNAL, line_of(error))


def ends_connection(sqlstate: str) -> bool:
    """Return whether nothing more can be asked over the connection that an error came by."""
    return sqlstate in _ENDED or sqlstate.startswith(_CONNECTION_CLASS)


def unavailable(error: BaseException) -> Problem:
    """Return the problem of an error that tells of a connection which is lost or given up."""
    return Problem(Kind.UNAVAILABLE, line_of(error))


def line_of(error: BaseException) -> str:
    """Return the text of an error in one line."""
    return " ".join(str(error).split()) or type(error).__name__
