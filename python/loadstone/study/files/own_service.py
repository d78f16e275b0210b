"""A team's own service in place of a stack, as typed and as it is meant.

It is held to the same contract, variables and readiness as a stack. Left out: building it.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import Field

from loadstone.errors import LoadstoneError
from loadstone.study.files.held_to_file import Held, RawDeviation, deviations_of, operations_of
from loadstone.study.files.raw import Name, Raw, Text
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.systems.command_line import found_program, missing_program
from loadstone.study.values.held_to import HeldTo
from loadstone.study.values.manifest import CLIENT_LEG, Service, System
from loadstone.study.values.model import PAGE_CACHE, AnyWorkload, Arm, Protocol
from loadstone.study.values.service_choice import OwnAddress, OwnCommand
from loadstone.study.values.target import names_loopback, split_target
from loadstone.text.quoted import shortened

STARTED = tuple(Protocol)
"""What an own service that the lab starts may be asked to speak: it gets the variables of a stack."""

RUNNING = (Protocol.H1C,)
"""What one that is running already is asked to speak: nobody knows whose authority it trusts."""

_ONE = "a level is one of the two"


class RawOwnService(Raw):
    """What every service of your own may say of itself."""

    label: Name
    """The factor's level: what tables call it."""
    operations: Annotated[list[Name], Field(min_length=1)] | None = None
    """The operations that it has. Default: all of the system's."""
    deviations: list[RawDeviation] = Field(default_factory=list)
    """Clauses that it does not hold; each is printed with its reason, and beside its figures."""
    contract: Held | None = None
    """`samples`: the contract is not run; what is held are the answers sampled under load. Default: the
    contract is run.
    """


class RawOwnCommand(RawOwnService):
    """A service of your own, started by the lab for each run."""

    elsewhere: ClassVar = {
        "stack": f"{_ONE}: keep stack for one of the system, command for your own",
        "url": f"{_ONE}: keep command to have it started, url where it is running already",
        "git": "a command is run as it is: keep git to have a stack built from a revision",
        "runtime": "an own service is started by its command as it is: name the runtime there",
    }

    command: Text
    """Its command line, run without a shell; it listens on `$PORT`, as a stack does."""
    dir_: str = Field(default=".", alias="dir")
    """The folder where it is run, seen from the study's file. Default: the study's own."""


class RawOwnAddress(RawOwnService):
    """A service of your own that is running already."""

    elsewhere: ClassVar = {
        "stack": f"{_ONE}: keep stack for one of the system, url for your own",
        "dir": "it belongs to command: what is running already is not started",
        "git": "what is running already is not built: keep git to have a stack built from a revision",
        "runtime": "what is running already is not started",
    }

    url: Text
    """Scheme, host and port, such as `http://127.0.0.1:8080`. Loopback, or listed in `allow_target`."""


def shape_of(typed: dict[str, Any]) -> str:
    """The name of the shape that a level typed as a mapping is of."""
    for key in ("command", "url", "git"):
        if key in typed:
            return f"as {key}"
    return "as stack"


def held_to_of(
    source: YamlFile,
    at: KeyPath,
    system: System,
    service: Service,
    raw: RawOwnService,
    spoken: Sequence[Protocol],
) -> HeldTo:
    """Return what of the system's contract it is held to. Raises InputError for what is not there.

    Whether the contract has the clauses is seen when that is read.
    """
    return HeldTo(
        operations=operations_of(source, (*at, "operations"), raw.operations, system.operations),
        deviations=deviations_of(
            source,
            (*at, "deviations"),
            raw.deviations,
            dict.fromkeys(service.legs, spoken),
            "what an own service may speak on ",
        ),
        samples_alone=raw.contract is not None,
    )


def command_of(
    source: YamlFile, at: KeyPath, service: str, raw: RawOwnCommand, held_to: HeldTo
) -> OwnCommand:
    """Return the choice. Raises InputError where folder or program are not there."""
    directory = (source.path.parent / Path(raw.dir_).expanduser()).resolve()
    if not directory.is_dir():
        raise source.error(
            (*at, "dir"),
            f"{directory} is not a folder",
            "give a folder, seen from the study's file",
        )
    own = OwnCommand(
        service=service,
        label=raw.label,
        command=" ".join(raw.command.split("\n")).strip(),
        directory=directory,
        held_to=held_to,
    )
    try:
        found = found_program(own.command, directory)
    except ValueError as error:
        raise source.error(
            (*at, "command"), f"is not a command line: {error}", "close what was opened"
        ) from None
    if found is None:
        raise source.error((*at, "command"), *missing_program(own.command, directory))
    return own


def address_of(
    source: YamlFile,
    at: KeyPath,
    service: Service,
    raw: RawOwnAddress,
    allowed: list[str],
    held_to: HeldTo,
) -> OwnAddress:
    """Return the choice. Raises InputError for what may not be loaded; looks up no name."""
    at = (*at, "url")
    try:
        parts, port = split_target(raw.url)
    except LoadstoneError as error:
        raise source.error(at, error.message, error.remedy) from None
    host = parts.hostname or ""
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise source.error(
            at,
            f"{shortened(raw.url)!r} has more than host and port",
            "leave the rest out: each operation of a workload has a path of its own",
        )
    if parts.scheme != "http":
        raise source.error(
            at,
            f"is {parts.scheme}, and studies speak {', '.join(RUNNING)} on the {CLIENT_LEG} leg",
            "give an http:// address; `loadstone bench` loads over TLS",
        )
    named = f"[{host}]" if ":" in host else host
    if not names_loopback(host) and not {host, f"{host}:{port}"} & set(allowed):
        raise source.error(
            at,
            f"{host} is not loopback; nothing was sent",
            f"load only what is yours: list {named} in allow_target",
        )
    return OwnAddress(
        service=service.service, label=raw.label, url=f"http://{named}:{port}", held_to=held_to
    )


def judge_running(source: YamlFile, arms: Iterable[Arm], workloads: Sequence[AnyWorkload]) -> None:
    """Refuse what needs a fresh start of a service that is running already. Raises InputError."""
    for arm in arms:
        for choice in arm.services:
            if not isinstance(choice, OwnAddress):
                continue
            remedy = "give its command, or make it a study of its own without this"
            if arm.page_cache is not None:
                raise source.error(
                    ("arms", PAGE_CACHE),
                    f"is for a service that is started, and {choice.label} is running already",
                    remedy,
                )
            for position, workload in enumerate(workloads):
                if workload.kind != "load":
                    raise source.error(
                        ("workloads", position),
                        f"{workload.workload} needs a fresh start, and {choice.label} is running "
                        "already",
                        remedy,
                    )
