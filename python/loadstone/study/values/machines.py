"""The machines of a cluster, as their file means them: nothing here is still to be parsed."""

from pathlib import Path

from loadstone.frozen import Frozen


class ClusterTls(Frozen):
    """PEM files by which the machines of a cluster know each other."""

    certificate: Path
    """Of this machine."""
    key: Path
    """The certificate's key."""
    authority: Path
    """The certificate of whoever vouches for all of them."""


class Machines(Frozen):
    """`machines.yaml`: where a study is measured, where that is not this machine alone."""

    path: Path
    """The file."""
    head: str
    """Address and port of the cluster's head, such as `10.0.0.10:6379`."""
    token: Path
    """The file of the token that every machine of the cluster has."""
    tls: ClusterTls | None = None
    """How its connections are encrypted; none: they are not."""
    addresses: dict[str, str]
    """Machine to its address."""
    sites: tuple[str, ...]
    """The machines that do blocks, side by side, in the order in which they get them."""
