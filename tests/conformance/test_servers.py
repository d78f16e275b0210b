"""The servers themselves answer as the tests of the engine assume, to clients of other makers."""

import shutil
import subprocess
from collections.abc import Callable

import pytest
from bodies import body_of
from certificates import Certificates
from real_servers import KINDS, RealServer

CURL = {
    "h1c": ("http", "--http1.1"),
    "h1": ("https", "--http1.1"),
    "h2c": ("http", "--http2-prior-knowledge"),
    "h2": ("https", "--http2"),
}

SPOKEN = [(name, protocol) for name, kind in KINDS.items() for protocol in kind.protocols]


@pytest.mark.parametrize(("name", "protocol"), SPOKEN)
def test_curl_gets_the_right_bodies_in_the_right_protocol(
    server_named: Callable[[str], RealServer],
    certificates: Certificates,
    name: str,
    protocol: str,
) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl not found: as root, scripts/install-conformance-servers installs it")
    scheme, version = CURL[protocol]
    base = f"{scheme}://127.0.0.1:{server_named(name).ports[protocol]}"

    def curl(path: str, *options: str, body: bytes = b"") -> tuple[bytes, str, str, str]:
        roots = ["--cacert", str(certificates.folder / "roots.pem")]
        told = "\n%{http_version} %{response_code} %header{content-length}|"
        command = ["curl", "-sS", version, *roots, "-w", told, *options, base + path]
        done = subprocess.run(command, input=body, capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        answer, _, facts = done.stdout.rpartition(b"\n")
        http, status, length = facts.decode().rstrip("|").split(" ")
        return answer, http, status, length

    http = "2" if protocol in {"h2c", "h2"} else "1.1"
    post = ("-X", "POST", "--data-binary", "@-", "-H", "expect:")
    for size in (0, 50, 1024, 1 << 20):
        right = body_of(size)
        for kind in KINDS[name].answers & {"bytes", "chunked", "close"}:
            if kind == "close" and http == "2":
                continue
            answer, *facts = curl(f"/{kind}/{size}")
            length = str(size) if kind == "bytes" else ""
            assert answer == right
            assert facts[:2] == [http, "200"]
            # A length of nothing may be told, or left out.
            assert facts[2] == length or (size == 0 and facts[2] in {"", "0"}), kind
        answer, *facts = curl("/echo", *post, body=right)
        assert answer == right
    if "status" in KINDS[name].answers:
        for status in ("204", "304", "500"):
            assert curl(f"/status/{status}")[1:3] == (http, status)
        assert curl("/bytes/50", "-I")[1:] == (http, "200", "50")
