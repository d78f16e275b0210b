"""The standard library's server for the conformance tests, on one free port for each protocol.

Its only argument is the folder with server.pem and server.key; its only line of output is a JSON
object from protocol to port.
"""

import json
import ssl
import sys
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from bodies import body_of

CHUNK_BYTES = 60_000


class Answers(BaseHTTPRequestHandler):
    """What the conformance tests ask for."""

    protocol_version = "HTTP/1.1"
    # Head and body in one write: else the second waits for an acknowledgement of the first.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        _, kind, number = self.path.split("/")
        if kind == "status":
            self.send_response(int(number))
            if int(number) not in {204, 304}:
                self.send_header("content-length", "0")
            self.end_headers()
            return
        body = body_of(int(number))
        self.send_response(200)
        if kind == "bytes":
            self.send_header("content-length", str(len(body)))
        elif kind == "chunked":
            self.send_header("transfer-encoding", "chunked")
            body = chunked(body)
        else:
            self.send_header("connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class TlsServer(ThreadingHTTPServer):
    """Shakes hands in the connection's own thread: a slow client must not hold up the others."""

    context: ssl.SSLContext

    def finish_request(self, request: Any, client_address: Any) -> None:
        with self.context.wrap_socket(request, server_side=True) as secured:
            super().finish_request(secured, client_address)
            # The farewell of TLS, without which a body that ends with the connection may be cut.
            with suppress(OSError):
                secured.unwrap()

    def handle_error(self, *_: object) -> None:
        """Say nothing: clients that do not trust this server are part of the tests."""


def chunked(body: bytes) -> bytes:
    """The body in chunks (RFC 9112, section 7.1)."""
    parts = [body[start : start + CHUNK_BYTES] for start in range(0, len(body), CHUNK_BYTES)]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def main() -> None:
    folder = Path(sys.argv[1])
    cleartext = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    secure = TlsServer(("127.0.0.1", 0), Answers)
    secure.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secure.context.load_cert_chain(folder / "server.pem", folder / "server.key")
    for server in (cleartext, secure):
        threading.Thread(target=server.serve_forever).start()
    ports = {"h1c": cleartext.server_address[1], "h1": secure.server_address[1]}
    sys.stdout.write(json.dumps(ports) + "\n")
    sys.stdout.flush()


main()
