"""What an error of the database is to the caller, by its SQLSTATE: SPEC.md, *Database rules*."""

from users.problem import Kind, Problem

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
_BEYOND_BALANCE = (
    "23514",  # a check of the table
    "22003",  # a number beyond its type
)
_UNIQUE = "23505"
_RIVALS = {
    "app_user_email_key": Kind.DUPLICATE_EMAIL,
    "app_user_nif_key": Kind.DUPLICATE_NIF,
    "vehicle_pkey": Kind.DUPLICATE_PLATE,
    "coin_event_reference_key": Kind.IDEMPOTENCY_MISMATCH,
}


class Again(Problem):
    """The transaction may be made once more; where it was, this is what the caller is told."""


def failure(sqlstate: str, constraint: str | None) -> Problem:
    """Return the problem of an error that the server has told of.

    Its text is not kept: it may have a part of a row.
    """
    reason = f"SQLSTATE {sqlstate}"
    if sqlstate in _AGAIN:
        return Again(Kind.UNAVAILABLE, reason)
    if sqlstate in _UNAVAILABLE or ends_connection(sqlstate):
        return Problem(Kind.UNAVAILABLE, reason)
    if sqlstate in _BEYOND_BALANCE:
        return Problem(Kind.COINS)
    if sqlstate == _UNIQUE and constraint in _RIVALS:
        return Problem(_RIVALS[constraint])
    return Problem(Kind.INTERNAL, reason)


def ends_connection(sqlstate: str) -> bool:
    """Return whether nothing more can be asked over the connection that an error came by."""
    return sqlstate in _ENDED or sqlstate.startswith(_CONNECTION_CLASS)


def unavailable(error: BaseException) -> Problem:
    """Return the problem of an error that tells of a connection which is lost or given up."""
    return Problem(Kind.UNAVAILABLE, line_of(error))


def line_of(error: BaseException) -> str:
    """Return the text of an error in one line."""
    return " ".join(str(error).split()) or type(error).__name__
