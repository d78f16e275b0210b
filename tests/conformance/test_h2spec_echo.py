"""The echo backend against h2spec's cases for servers."""

from contextlib import ExitStack

import pytest
from certificates import Certificates
from h2spec_run import judge_server
from real_servers import BINARIES, start

CASES = 146
OF_BODIES = {
    "generic/2/2",
    "generic/2/3",
    "http2/6.5.3/1",
    "http2/6.9.1/1",
    "http2/6.9.2/1",
    "http2/6.9.2/2",
}
"""These wait for DATA in the answer to a GET, which an echo of nothing has none of."""

DELAY = "50ms"
"""So that requests are open at the same time, which one case is about."""


@pytest.mark.parametrize("protocol", ["h2c", "h2"])
def test_the_echo_backend_serves_http_2_as_h2spec_demands(
    certificates: Certificates, subtests: pytest.Subtests, protocol: str
) -> None:
    words = [str(BINARIES / "loadstone-echo"), "--protocol", protocol, "--delay", DELAY]
    if protocol == "h2":
        words += ["--tls-certificate", str(certificates.folder / "server.pem")]
        words += ["--tls-key", str(certificates.folder / "server.key")]
    with ExitStack() as stack:
        port = int(start(stack, words).rpartition(":")[2])
        cases = judge_server(port, "/", tls=protocol == "h2")
    assert len(cases) == CASES
    for case in cases.values():
        with subtests.test(case.id):
            assert (case.state != "passed") == (case.id in OF_BODIES), case
