"""Rule on the protocol: what was spoken must be what the plan says, or the arm is another one."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.load_facts import SpokenFacts
from loadstone.results.window import WindowedRun

_VERSIONS: dict[str, tuple[str, ...]] = {
    "h1c": ("1.0", "1.1"),
    "h1": ("1.0", "1.1"),
    "h2c": ("2",),
    "h2": ("2",),
    "h2-downgrade": ("1.1",),
}
_ENCRYPTED = ("h1", "h2", "h2-downgrade")


def wrong_protocol(run: WindowedRun) -> Iterator[Finding]:
    """Another version of HTTP, or TLS where none was asked for, or none where it was."""
    spoken, planned = run.load.spoken, run.load.protocol
    if spoken is None or spoken.http is None or planned not in _VERSIONS:
        return
    if spoken.http in _VERSIONS[planned] and bool(spoken.tls_version) == (planned in _ENCRYPTED):
        return
    yield Finding(
        code="wrong-protocol",
        severity=Severity.WITHHOLD,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.ALL,
        evidence=f"the plan says {planned}, and what was spoken is {_text(spoken)}",
        advice="see which protocols the service offers on its port, and write that one into the study",
    )


def _text(spoken: SpokenFacts) -> str:
    tls = f"TLS {spoken.tls_version}" if spoken.tls_version else "cleartext"
    return f"HTTP/{spoken.http} over {tls}"
