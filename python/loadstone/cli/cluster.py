"""`loadstone cluster`: make a cluster of machines, join it, see whether it can be measured on."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loadstone.cli.app import messages, output, say_line, sweep_leftovers
from loadstone.cli.root import RootOption
from loadstone.errors import ExitCode, InputError, Unavailable, WrongValueError

if TYPE_CHECKING:
    from loadstone.study.values.machines import ClusterTls

Token = Annotated[
    Path, typer.Option("--token", metavar="FILE", help="The file of the cluster's token")
]
DEFAULT_TOKEN = Path("~/.config/loadstone/token")
Certificate = Annotated[
    Path | None, typer.Option("--certificate", metavar="FILE", help="PEM, of this machine, for TLS")
]
Key = Annotated[Path | None, typer.Option("--key", metavar="FILE", help="PEM, the certificate's")]
Authority = Annotated[
    Path | None,
    typer.Option("--authority", metavar="FILE", help="PEM, of who vouches for all machines"),
]

cluster_app = typer.Typer(
    name="cluster",
    help="Measure on several machines, side by side, by Ray.\n\n"
    "Example: loadstone cluster up --address 10.0.0.10",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(cluster_app, short_help="Measure on several machines")
    cluster_app.command("up", short_help="Be the head of a cluster")(up)
    cluster_app.command("join", short_help="Join a cluster with this machine")(join)
    cluster_app.command("check", short_help="See whether a cluster's machines are alike")(check)


def up(
    address: Annotated[
        str, typer.Option(metavar="ADDRESS", help="By which the other machines reach this one")
    ],
    port: Annotated[int, typer.Option(metavar="NUM", help="Of the head", min=1, max=65535)] = 6379,
    token: Token = DEFAULT_TOKEN,
    certificate: Certificate = None,
    key: Key = None,
    authority: Authority = None,
) -> None:
    """Be the head of a cluster, until Ctrl-C. Studies are driven from here, and measured elsewhere.

    Makes the token that every machine needs. Who has it runs programs on all of them.

    Example: loadstone cluster up --address 10.0.0.10
    """
    from loadstone.cluster.ray_node import make_token, refuse_open_token, run_ray
    from loadstone.cluster.ray_settings import head_options, variables

    sweep_leftovers()
    tls = _tls(certificate, key, authority)
    _refuse_open(address, has_tls=tls is not None)
    token = token.expanduser()
    made = make_token(token)
    refuse_open_token(token)
    messages().print(
        f"{'made the token' if made else 'the token is'} {token}: copy it to every machine, then run "
        f"there: loadstone cluster join {address}:{port} --as NAME",
        markup=False,
        soft_wrap=True,
    )
    raise typer.Exit(_ended(run_ray(head_options(address, port), variables(token, tls))))


def join(
    head: Annotated[str, typer.Argument(metavar="HEAD", help="Address of the head, and its port")],
    name: Annotated[
        str,
        typer.Option("--as", metavar="NAME", help="What this machine is called in machines.yaml"),
    ],
    address: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="By which the others reach it, where it has several"),
    ] = None,
    token: Token = DEFAULT_TOKEN,
    certificate: Certificate = None,
    key: Key = None,
    authority: Authority = None,
) -> None:
    """Join a cluster with this machine, until Ctrl-C. Keep it otherwise idle.

    Example: loadstone cluster join 10.0.0.10 --as a
    """
    from loadstone.cluster.ray_node import refuse_open_token, run_ray
    from loadstone.cluster.ray_settings import DEFAULT_PORT, machine_options, variables
    from loadstone.study.files.machines_file import is_address, split_head
    from loadstone.study.files.raw import is_name

    sweep_leftovers()
    whole = f"{head}:{DEFAULT_PORT}" if is_address(head) else head
    try:
        split_head(whole)
        is_name(name)
    except WrongValueError as error:
        raise InputError(error.message, remedy=error.remedy) from None
    token = token.expanduser()
    refuse_open_token(token)
    tls = _tls(certificate, key, authority)
    say_line(f"joining {whole} as {name}; Ctrl-C leaves")
    raise typer.Exit(_ended(run_ray(machine_options(name, address, whole), variables(token, tls))))


def check(
    machines: Annotated[
        Path, typer.Option("--machines", metavar="FILE", help="The file of machines")
    ],
    root: RootOption = None,
) -> None:
    """See whether the machines are there and alike, how their clocks lie, and what `doctor` says.

    Exit code: 0 they can measure together, 1 they are unlike, 2 one is not there.

    Example: loadstone cluster check --machines machines.yaml
    """
    from loadstone.cluster.check import check_machines
    from loadstone.cluster.packing import pack_roots
    from loadstone.cluster.ray_cluster import connected
    from loadstone.report.terminal.machines import print_machines
    from loadstone.study.files.machines_file import read_machines
    from loadstone.study.systems.catalogue import open_catalogue

    named = read_machines(machines)
    with connected(named) as cluster:
        files = pack_roots(open_catalogue(named=root).roots)
        checked = check_machines(cluster, named, files, say_line)
    print_machines(output(), checked)
    raise typer.Exit(ExitCode.OK if checked.are_alike else ExitCode.DOES_NOT_HOLD)


def _tls(certificate: Path | None, key: Path | None, authority: Path | None) -> "ClusterTls | None":
    """Return the files of TLS, which go together. Raises InputError."""
    from loadstone.study.values.machines import ClusterTls

    if certificate is None and key is None and authority is None:
        return None
    if certificate is None or key is None or authority is None:
        raise InputError(
            "TLS needs --certificate, --key and --authority together", remedy="give all three"
        )
    for path in (certificate, key, authority):
        if not path.is_file():
            raise InputError("there is no such file", path=path, remedy="give a PEM file")
    return ClusterTls(
        certificate=certificate.resolve(), key=key.resolve(), authority=authority.resolve()
    )


def _refuse_open(address: str, *, has_tls: bool) -> None:
    """Refuse a head whose token would cross the internet in clear. Raises Unavailable, InputError."""
    from loadstone.study.files.machines_file import is_address, is_public

    if not is_address(address):
        raise InputError(
            f"{address} is neither an IP address nor a host's name", remedy="give it without a port"
        )
    if is_public(address) and not has_tls:
        raise Unavailable(
            f"{address} is reached from the internet, and without TLS the token is sent in clear",
            "give --certificate, --key and --authority, or an address of a private network",
        )


def _ended(code: int) -> int:
    """Return the exit code of a command whose Ray ended by itself."""
    if code:
        messages().print(f"error: Ray ended with {code}: see /tmp/ray/session_latest/logs")
    return ExitCode.COULD_NOT_RUN if code else ExitCode.OK
