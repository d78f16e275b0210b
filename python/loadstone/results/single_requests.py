"""What single requests came to, sent one by one after a load."""

from loadstone.frozen import Frozen


class SingleRequests(Frozen):
    """Rounds of one request of each kind, over HTTP/1.1, with nothing else in flight.

    A kind has a time of each round, or none where its answers were not those of the load.
    """

    as_loaded_ns: tuple[int, ...]
    """From the first byte sent to the last one read: the request of the load."""
    of_a_browser_ns: tuple[int, ...] = ()
    """The same with the headers by which browsers name themselves."""
    of_a_new_url_ns: tuple[int, ...] = ()
    """The same to a URL that nobody had asked for: with one more parameter."""
    coding: str = ""
    """The Content-Encoding of the answers, where the load did not say that it accepts any."""
