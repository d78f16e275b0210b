"""Single requests for tests of anything but bodies."""

from typing import Any

ECHO: dict[str, Any] = {
    "operation": "echo",
    "method": "POST",
    "path": "/echo",
    "body": "hello",
    "check": {"status": 200, "body_contains": "hello"},
}
