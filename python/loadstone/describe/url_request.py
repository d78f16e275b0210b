"""One URL as a session of one request. It is got once, so that its answer is known, and nothing else is
asked.
"""

import http.client
from collections.abc import Sequence

from loadstone.deploy.target_address import connect, resolve_targets
from loadstone.describe.literal import path_literal
from loadstone.describe.model import Description, MadeRequest, MadeWorkload
from loadstone.describe.names import name_of
from loadstone.errors import LoadstoneError
from loadstone.study.values.target import split_target
from loadstone.text.quoted import shortened

WORKLOAD, GROUP = "reads", "callers"
TIMEOUT_SECONDS = 10.0
"""As a caller waits: for the connection, and for the head of the answer."""


def url_description(url: str, allowed: Sequence[str]) -> Description:
    """Get a URL once, and describe it.

    Raises TargetRefused for an address that is neither loopback nor allowed, LoadstoneError where it is
    not answered.
    """
    parts, _ = split_target(url)
    if parts.scheme != "http":
        raise LoadstoneError(
            f"{url} is over TLS, and the lab will call the service without",
            "give its http:// address: loadstone init --url http://127.0.0.1:8080/",
        )
    target = path_literal(parts.path or "/")
    if parts.query:
        target += f"?{path_literal(parts.query)}"
    status = _status(url, target, allowed)
    request = MadeRequest(
        name=name_of(f"get {parts.path}", "get"), method="get", path=target, status=status
    )
    return Description(
        made_of=url,
        title=f"The service at {parts.netloc}",
        workloads=[
            MadeWorkload(
                name=WORKLOAD, group=GROUP, about=f"One request: GET {target}.", requests=[request]
            )
        ],
        measured=[WORKLOAD],
        ready=request,
        checks=[request],
        notes=(f"GET {shortened(url)} was answered with {status}",),
    )


def _status(url: str, target: str, allowed: Sequence[str]) -> int:
    """The status of the answer. Raises LoadstoneError."""
    targets = resolve_targets(url, allowed)
    try:
        found, connection = connect(targets, TIMEOUT_SECONDS)
        caller = http.client.HTTPConnection(found.ip, found.port, timeout=TIMEOUT_SECONDS)
        caller.sock = connection
        try:
            caller.request("GET", target, headers={"Host": found.host, "Accept": "*/*"})
            status = caller.getresponse().status
        finally:
            caller.close()
    except (OSError, http.client.HTTPException) as error:
        raise LoadstoneError(
            f"{url} was not answered: {type(error).__name__}: {error}",
            "start the service, see that the URL is right, then call loadstone init again",
        ) from error
    if not 200 <= status < 400:
        raise LoadstoneError(
            f"{url} was answered with {status}",
            "give a URL that is answered with success; where credentials are needed, begin with "
            "loadstone init --openapi FILE or --har FILE",
        )
    return status
