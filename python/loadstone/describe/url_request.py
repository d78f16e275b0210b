"""One URL as a session of one request. It is got once, so that its answer is known, and nothing else is
asked.
"""

import http.client
from collections.abc import Sequence
from urllib.parse import SplitResult, parse_qsl

from loadstone.deploy.target_address import connect, resolve_targets
from loadstone.describe.literal import path_literal, query_value
from loadstone.describe.model import Description, MadeRequest, MadeWorkload
from loadstone.describe.names import name_of
from loadstone.describe.ready_request import without_secrets
from loadstone.describe.secret_values import Masks
from loadstone.errors import LoadstoneError
from loadstone.study.values.target import split_target
from loadstone.text.quoted import shortened

WORKLOAD, GROUP = "reads", "callers"
TIMEOUT_SECONDS = 10.0
"""As a caller waits: for the connection, and for the head of the answer."""


def url_description(url: str, allowed: Sequence[str]) -> Description:
    """Get a URL once, and describe it. Secrets in its query are sent, and not written.

    Raises TargetRefused for an address that is neither loopback nor allowed, LoadstoneError where it is
    not answered.
    """
    parts, _ = split_target(url)
    if parts.scheme != "http":
        raise LoadstoneError(
            f"{url} is over TLS, and the lab will call the service without",
            "give its http:// address: loadstone init --url http://127.0.0.1:8080/",
        )
    masks = Masks()
    written = _written(masks, parts)
    status = _status(url, _target(parts), allowed)
    request = MadeRequest(
        name=name_of(f"get {parts.path}", "get"), method="get", path=written, status=status
    )
    shown = f"http://{parts.netloc}{written}"
    return Description(
        made_of=shown,
        title=f"The service at {parts.netloc}",
        workloads=[
            MadeWorkload(
                name=WORKLOAD, group=GROUP, about=f"One request: GET {written}.", requests=[request]
            )
        ],
        measured=[WORKLOAD],
        ready=without_secrets(request) if request.has_templates else request,
        checks=[request],
        secrets=tuple(masks.secrets),
        notes=(f"GET {shortened(shown)} was answered with {status}",),
    )


def _target(parts: SplitResult) -> str:
    """Path and query as they were typed."""
    target = path_literal(parts.path or "/")
    return f"{target}?{path_literal(parts.query)}" if parts.query else target


def _written(masks: Masks, parts: SplitResult) -> str:
    """The same with a variable in the place of each secret of the query."""
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    for name, value in pairs:
        masks.learn(name, value, f"the query parameter {shortened(name)}")
    if not masks.secrets:
        return _target(parts)
    query = "&".join(
        f"{query_value(name)}={masks.template(value, name) or query_value(value)}"
        for name, value in pairs
    )
    return f"{path_literal(parts.path or '/')}?{query}"


def _status(url: str, target: str, allowed: Sequence[str]) -> int:
    """The status of the answer. Raises LoadstoneError."""
    targets = resolve_targets(url, allowed)
    try:
        found, connection = connect(targets, TIMEOUT_SECONDS)
        caller = http.client.HTTPConnection(found.ip, found.port, timeout=TIMEOUT_SECONDS)
        caller.sock = connection
        try:
            caller.request("GET", target, headers={"Host": found.host, "Accept": "*/*"})
            with caller.getresponse() as answer:
                status = answer.status
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
