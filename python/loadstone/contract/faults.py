"""Whose doing it is that a check ends in an exception: the service's, or that of the check itself.

The service's is what was asserted, and what the contract's callers raise where it refuses, hangs or
breaks its protocol. Anything else, such as a KeyError or a file that is not there, says nothing of it.
"""

import errno
import socket
import ssl

from loadstone.errors import LoadstoneError

_UNREACHABLE = frozenset(
    {errno.EHOSTUNREACH, errno.EHOSTDOWN, errno.ENETUNREACH, errno.ENETDOWN, errno.ENOTCONN}
)
"""Errors of connections for which Python has no class of its own."""


class ServiceFault(LoadstoneError):
    """What the service sent is not what its protocol or its format allows.

    Helpers of a system derive their own from it.
    """


def is_of_the_service(error: Exception) -> bool:
    """Whether an exception of a check is a finding about the service."""
    return isinstance(
        error,
        AssertionError
        | ServiceFault
        | ConnectionError
        | TimeoutError
        | ssl.SSLError
        | socket.gaierror,
    ) or (isinstance(error, OSError) and error.errno in _UNREACHABLE)


class NotHeld(LoadstoneError):
    """Why a sampled answer could not be held against a check: nothing is known of it, good or bad."""
