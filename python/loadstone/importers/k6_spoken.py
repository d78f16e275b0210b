"""What was spoken, from the tags `proto` and `tls_version` of k6's first answered request."""

from typing import Literal

from loadstone.importers.k6_rows import Rows
from loadstone.results.load_facts import SpokenFacts

_HTTP: dict[str, Literal["1.0", "1.1", "2"]] = {
    "HTTP/1.0": "1.0",
    "HTTP/1.1": "1.1",
    "HTTP/2.0": "2",
}
_TLS: dict[str, Literal["1.2", "1.3"]] = {"tls1.2": "1.2", "tls1.3": "1.3"}


def spoken_facts(rows: Rows, first: tuple[str, str] | None) -> tuple[SpokenFacts | None, str]:
    """The facts, or why there are none. What ALPN and the cipher suite were k6 does not tell."""
    missing = [each for each in ("proto", "tls_version") if rows.at(each) is None]
    if missing:
        return None, f"the file has no column {missing[0]}"
    if first is None:
        return None, "no request was answered"
    http, tls = first
    if http not in _HTTP or (tls and tls not in _TLS):
        return None, f"{' '.join(filter(None, first))} is none of those that Loadstone knows"
    return SpokenFacts(
        http=_HTTP[http], alpn=None, tls_version=_TLS.get(tls), cipher_suite=None
    ), ""
