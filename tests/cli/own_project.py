"""A project of one's own: a small service, what tells its API, and the real command in its folder."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from lab import COMMAND, TIMEOUT_SECONDS, Ended

_ITEM = {
    "type": "object",
    "required": ["id", "price"],
    "properties": {"id": {"type": "integer"}, "price": {"type": "number"}},
}
_LISTED = {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}
_CONTENT = {"application/json": {"schema": _LISTED}}
DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1"},
    "paths": {
        "/items": {
            "get": {"responses": {"200": {"description": "it", "content": _CONTENT}}},
            "post": {"responses": {"201": {"description": "made"}}},
        }
    },
    "components": {"schemas": {"Item": _ITEM}},
}
_SERVICE = """
import json, os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BODY = json.dumps([{"id": 1, "price": PRICE}]).encode()

class Shop(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY)
    def log_message(self, *_): ...

ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Shop).serve_forever()
"""
STARTS = "python3 service.py"
"""Its command."""


def recording(**headers: str) -> str:
    """A recording of one request to the service."""
    fields = [{"name": name, "value": value} for name, value in headers.items()]
    request = {"method": "GET", "url": "http://127.0.0.1:3000/items", "headers": fields}
    response = {"status": 200, "headers": [], "content": {"mimeType": "application/json"}}
    return json.dumps({"log": {"entries": [{"request": request, "response": response}]}})


class OwnProject:
    """The folder of a service, in which the real command is run."""

    def __init__(self, folder: Path, price: str = "1.5") -> None:
        folder.mkdir()
        self.folder = folder
        (folder / "openapi.json").write_text(json.dumps(DOCUMENT))
        (folder / "openapi.yaml").write_text(json.dumps(DOCUMENT))
        (folder / "visit.har").write_text(recording())
        (folder / "service.py").write_text(_SERVICE.replace("PRICE", price))

    @property
    def root(self) -> Path:
        """The folder that is written."""
        return self.folder / "loadstone"

    @property
    def written(self) -> dict[Path, bytes]:
        """Every file of it."""
        return {path: path.read_bytes() for path in self.root.rglob("*") if path.is_file()}

    def run(self, *words: str, stdin: int = subprocess.DEVNULL, at: Path | None = None) -> Ended:
        """Run a command: `init` in the project, any other in the folder that was written."""
        usual = self.folder if words[0] == "init" else self.root
        environment = {**os.environ, "COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": ""}
        environment.pop("LOADSTONE_ROOT", None)
        ended = subprocess.run(
            [COMMAND, *words],
            cwd=at or usual,
            env=environment,
            stdin=stdin,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    def init(self, *words: str) -> Ended:
        """Describe the project by its document."""
        return self.run("init", "--openapi", "openapi.json", "--command", STARTS, *words)

    def records(self) -> list[dict[str, Any]]:
        """Every run that was measured."""
        found = sorted(self.root.glob("results/*/runs/*/run.json"))
        return [json.loads(path.read_text()) for path in found]

    def findings(self) -> list[dict[str, Any]]:
        """Every finding of the only results."""
        (path,) = self.root.glob("results/*/findings.json")
        found: list[dict[str, Any]] = json.loads(path.read_text())
        return found
