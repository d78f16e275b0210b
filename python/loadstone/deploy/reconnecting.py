"""Services get back the connections to a dependency that a reset of its data has ended.

Many a pool sees that a connection is gone only when it lends it, and the request fails that it was lent
to. Each load would begin with as many failures as the pool has connections, or have them in its window,
by what the lab did.
"""

import time
from collections.abc import Callable, Sequence

from loadstone.deploy.deployment import Deployment
from loadstone.deploy.service_elsewhere import ServiceElsewhere

RECONNECTING_SECONDS = 5.0
"""At most: some pools open connections only as they are needed, and then fewer come back."""
STEP_SECONDS = 0.02
"""Between two requests: connections are opened in the background."""


def let_reconnect(
    services: Sequence[Deployment | ServiceElsewhere],
    before: int,
    open_connections: Callable[[], int | None],
) -> None:
    """Ask services until the dependency has as many connections as before, or the time is up."""
    deadline = time.monotonic() + RECONNECTING_SECONDS
    while (open_connections() or 0) < before and time.monotonic() < deadline:
        for service in services:
            service.ask()
        time.sleep(STEP_SECONDS)
