"""Rules on connections: arms that opened them as often, to as much load, with the same encryption."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from loadstone.audit import touched_metrics
from loadstone.audit.study.symmetry import Arms, by_workload, values_text
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Outcome
from loadstone.results.load_facts import LoadFacts
from loadstone.results.read import StoredRun
from loadstone.results.record import RunRecord
from loadstone.text import units

REOPENED_SHARE = 0.01
"""Of the ok requests. Where one in a hundred more pays for a connection, the p99 is that of connecting;
a service that never keeps one is ranked many times too low or too high by its generator alone."""

RESUMED_SHARE = 0.1
"""Of the TLS handshakes. A resumed one spares the service its most expensive computation."""


def connections_differ(runs: Sequence[StoredRun]) -> Iterator[Finding]:
    """Arms that reopen connections where others keep them, or that were not offered the same load."""
    for workload, arms in by_workload(runs).items():
        if len(arms) < 2:
            continue
        shares = {arm: _mean(records, _reopened_share) for arm, records in arms.items()}
        least, most = min(shares, key=lambda a: shares[a]), max(shares, key=lambda a: shares[a])
        if shares[most] - shares[least] > REOPENED_SHARE:
            yield Finding(
                code="connections-differ",
                severity=Severity.WARNING,
                subject=scope.arm(most, workload),
                metrics=touched_metrics.LOAD,
                evidence=f"{most} opened a further connection for {units.share(shares[most])} of its "
                f"ok requests, and {least} for {units.share(shares[least])} (at most "
                f"{units.percent(REOPENED_SHARE)} apart)",
                advice="let every arm keep its connections, or set `new_connections` in the workload, "
                "which gives every request of all arms its own",
            )
        yield from _loads_differ(workload, arms)


def _loads_differ(workload: str, arms: Arms) -> Iterator[Finding]:
    loads: dict[str, dict[str, None]] = defaultdict(dict)
    for arm, records in arms.items():
        for record in records:
            if record.load is not None:
                loads[_load_text(record.load)][arm] = None
    if len(loads) > 1:
        yield Finding(
            code="connections-differ",
            severity=Severity.WARNING,
            subject=scope.STUDY,
            metrics=touched_metrics.LOAD,
            evidence=f"under {workload} not all runs were asked for the same load: "
            + values_text(loads),
            advice="do the study again: these runs are not of one plan, which has one load a workload",
        )


def _load_text(load: LoadFacts) -> str:
    parts = [
        "" if load.arrivals == "rate" else f"{load.users} users",
        ""
        if load.arrivals == "users"
        else f"{units.number(load.rate_per_second or 0)} sessions a second",
    ]
    offered = " and ".join(filter(None, parts))
    each = f" of {load.streams} streams" if load.streams and load.streams > 1 else ""
    connections = load.connections
    if connections is None:
        return offered
    return f"{offered} over {connections.requested} connections{each}"


def tls_differs(runs: Sequence[StoredRun]) -> Iterator[Finding]:
    """Arms that were asked to speak the same protocol, and encrypted it otherwise."""
    for workload, all_arms in by_workload(runs).items():
        for protocol, arms in _by_protocol(all_arms).items():
            spoken: dict[str, dict[str, None]] = defaultdict(dict)
            for arm, records in arms.items():
                for record in records:
                    with_suite = None if record.load is None else record.load.spoken
                    if with_suite is not None and with_suite.tls_version is not None:
                        text = f"TLS {with_suite.tls_version} with {with_suite.cipher_suite}"
                        spoken[text][arm] = None
            differences = [f"they spoke {values_text(spoken)}"] if len(spoken) > 1 else []
            resumed = {
                arm: _mean(records, _resumed_share)
                for arm, records in arms.items()
                if any(_handshakes(record) for record in records)
            }
            if resumed and max(resumed.values()) - min(resumed.values()) > RESUMED_SHARE:
                shares = ", ".join(f"{units.share(each)} ({arm})" for arm, each in resumed.items())
                differences.append(f"of their handshakes were resumed {shares}")
            if differences:
                yield Finding(
                    code="tls-differs",
                    severity=Severity.WARNING,
                    subject=scope.STUDY,
                    metrics=touched_metrics.LOAD,
                    evidence=f"under {workload} the arms with {protocol} did not encrypt alike: "
                    + "; ".join(differences),
                    advice="set version and cipher suites alike in all services, or say with the "
                    "figures that they are those of what each chose",
                )


def _by_protocol(arms: Arms) -> dict[str, Arms]:
    found: dict[str, Arms] = defaultdict(lambda: defaultdict(list))
    for arm, records in arms.items():
        for record in records:
            if record.load is not None and record.load.protocol is not None:
                found[record.load.protocol][arm].append(record)
    return found


def _mean(records: Sequence[RunRecord], share: Callable[[RunRecord], float]) -> float:
    return sum(share(record) for record in records) / len(records)


def _reopened_share(record: RunRecord) -> float:
    """Connections beyond those that the load needs at a time, over the ok requests."""
    ok = record.outcomes.get(Outcome.OK, 0)
    opened = record.load.connections if record.load else None
    if opened is None or not ok:
        return 0.0
    return max(0, opened.opened - opened.requested) / ok


def _handshakes(record: RunRecord) -> int:
    opened = record.load.connections if record.load else None
    return 0 if opened is None else opened.full_handshakes + opened.resumed_handshakes


def _resumed_share(record: RunRecord) -> float:
    opened = record.load.connections if record.load else None
    return 0.0 if opened is None else opened.resumed_handshakes / (_handshakes(record) or 1)
