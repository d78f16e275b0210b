"""What this machine and this shell allow, in words: control groups, files and ports."""

from collections.abc import Iterator

from loadstone.deploy.confinement.outlook import Outlook
from loadstone.doctor.connections import MANY_CONNECTIONS, OTHER_FILES, Connections
from loadstone.doctor.row import Mark, Row, as_sentence, fact
from loadstone.text.units import size

SECTION = "Limits"


def limit_rows(groups: Outlook, connections: Connections) -> Iterator[Row]:
    """Yield a row for each fact."""
    yield _control_groups(groups)
    yield _own_limits(groups)
    yield _open_files(connections)
    yield _ports(connections)
    yield _many_connections(connections)


def _control_groups(found: Outlook) -> Row:
    label = "control groups"
    writable = [each.controller for each in found.controllers if each.reason is None]
    if found.isolation == "cgroup v2":
        return fact(SECTION, label, f"version 2, writable: {', '.join(writable)}")
    version2 = f"version 2 cannot be used: {found.reason}"
    if found.isolation == "cgroup v1":
        # As good a way to hold a service as the other: nothing has to be done.
        return fact(SECTION, label, f"version 1, writable: {', '.join(writable)}; {version2}")
    version1 = "; ".join(
        f"{each.controller}: {each.reason}" for each in found.controllers if each.reason is not None
    )
    return Row(
        section=SECTION,
        label=label,
        mark=Mark.MISSING,
        text=f"none can be made, so CPU affinity and resource limits stand in, and CPU quotas are "
        f"not to be had; {version2}; version 1: {version1}",
        remedy=as_sentence(found.remedy or "run the lab as root, or in a delegated group"),
    )


def _own_limits(found: Outlook) -> Row:
    limits = [
        "" if found.own_cpus is None else f"{found.own_cpus:g} CPUs",
        "" if found.own_memory_bytes is None else size(found.own_memory_bytes),
    ]
    text = " and ".join(filter(None, limits))
    if found.own_cpus is not None:
        remedy = (
            "Lift the CPU quota of the container or service that the lab runs in: it stops all."
        )
        return fact(SECTION, "the lab's own", f"held to {text}", remedy)
    return fact(
        SECTION, "the lab's own", f"held to {text}" if text else "no quota, no memory limit"
    )


def _open_files(found: Connections) -> Row:
    if found.open_files is None:
        return fact(SECTION, "open files", "no limit")
    most = "without limit" if found.most_open_files is None else f"up to {found.most_open_files:,}"
    text = f"{found.open_files:,}; a process may raise it itself {most}"
    if found.open_files == found.most_open_files:
        text = f"{found.open_files:,}, and no process may raise it itself"
    wanted = MANY_CONNECTIONS + OTHER_FILES
    if found.open_files < wanted:
        remedy = f"For {MANY_CONNECTIONS:,} connections: `ulimit -n {wanted}` in this shell first."
        return fact(SECTION, "open files", text, remedy)
    return fact(SECTION, "open files", text)


def _ports(found: Connections) -> Row:
    text = (
        f"{found.ephemeral_ports:,} for the near ends of connections, {found.waiting_ports:,} in "
        f"TIME_WAIT, a free one {'can' if found.port else 'can NOT'} be had"
    )
    if not found.port:
        return Row(
            section=SECTION,
            label="ports",
            mark=Mark.NEEDED,
            text=text,
            remedy="Bring 127.0.0.1 up (`ip link set lo up`), or end what holds all ports.",
        )
    if found.waiting_ports > found.ephemeral_ports // 2:
        return fact(SECTION, "ports", text, "Wait a minute: they are given back after 60 s.")
    return fact(SECTION, "ports", text)


def _many_connections(found: Connections) -> Row:
    label, text = "connections", f"{found.fit:,} fit from one process to one address"
    if found.fit >= MANY_CONNECTIONS:
        return fact(SECTION, label, f"{text}, so {MANY_CONNECTIONS:,} do")
    remedies = []
    if found.most_open_files is not None and found.most_open_files < MANY_CONNECTIONS + OTHER_FILES:
        remedies.append("raise the hard limit of open files (limits.conf, or LimitNOFILE=)")
    if found.ephemeral_ports < MANY_CONNECTIONS:
        remedies.append("`sysctl net.ipv4.ip_local_port_range='1024 65535'`")
    return fact(
        SECTION,
        label,
        f"only {text}, and {MANY_CONNECTIONS:,} do not",
        as_sentence("as root, " + ", and ".join(remedies)),
    )
