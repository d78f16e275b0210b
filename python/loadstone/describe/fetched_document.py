"""An OpenAPI document that a running service gives out, as many frameworks make it of their routes."""

import http.client
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from loadstone.deploy.target_address import connect, resolve_targets
from loadstone.errors import LoadstoneError
from loadstone.openapi.tree_bounds import MOST_BYTES
from loadstone.study.values.target import split_target

TIMEOUT_SECONDS = 60.0
"""For all of it: some frameworks make it when it is first asked for."""
_CHUNK_BYTES = 64 << 10


def is_url(text: str) -> bool:
    """Whether what was typed is a URL, and no path."""
    return text.lower().startswith(("http://", "https://"))


def fetch_document(url: str, allowed: Sequence[str], folder: Path) -> Path:
    """Get a document by one request, and keep it in a folder. Redirects are not followed.

    Raises TargetRefused for an address that is neither loopback nor allowed, LoadstoneError where the
    document is not given out, or is too large.
    """
    parts, _ = split_target(url)
    if parts.scheme != "http":
        raise LoadstoneError(
            f"{url} is over TLS",
            "give its http:// address, or save it first: curl --output openapi.json URL; "
            "loadstone init --openapi openapi.json",
        )
    target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    content = _content(url, target, allowed)
    is_json = content.lstrip()[:1] == b"{"
    path = folder / f"openapi.{'json' if is_json else 'yaml'}"
    path.write_bytes(content)
    return path


def _content(url: str, target: str, allowed: Sequence[str]) -> bytes:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    targets = resolve_targets(url, allowed)
    try:
        found, connection = connect(targets, TIMEOUT_SECONDS)
        caller = http.client.HTTPConnection(found.ip, found.port, timeout=TIMEOUT_SECONDS)
        caller.sock = connection
        with closing(caller):
            caller.request("GET", target, headers={"Host": found.host, "Accept": "*/*"})
            with caller.getresponse() as answer:
                if answer.status != http.client.OK:
                    raise LoadstoneError(
                        f"{url} was answered with {answer.status}",
                        "give the URL of the document itself, such as /openapi.json or /v3/api-docs",
                    )
                return _read(url, answer, deadline)
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise LoadstoneError(
            f"{url} was not answered: {type(error).__name__}: {error}",
            "start the service, see that the URL is right, then call loadstone init again",
        ) from error


def _read(url: str, answer: http.client.HTTPResponse, deadline: float) -> bytes:
    content = bytearray()
    while chunk := answer.read1(_CHUNK_BYTES):
        content += chunk
        if len(content) > MOST_BYTES:
            raise LoadstoneError(
                f"{url} is larger than {MOST_BYTES >> 20} MiB",
                "save the part of it that is to be loaded: loadstone init --openapi FILE",
            )
        if time.monotonic() > deadline:
            raise LoadstoneError(
                f"{url} was not whole within {TIMEOUT_SECONDS:g} s",
                "save it first: curl --output openapi.json URL; loadstone init --openapi openapi.json",
            )
    return bytes(content)
