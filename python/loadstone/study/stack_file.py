"""A stack's manifest: at most 25 lines, so that what differs between stacks is seen at a glance."""

from collections.abc import Collection
from pathlib import Path
from typing import Annotated

from pydantic import Field

from loadstone.study.claim import is_claim
from loadstone.study.manifest import Service, Stack
from loadstone.study.model import Protocol
from loadstone.study.raw import Name, Raw, Text, parse, suggestion
from loadstone.study.yaml_source import Source, read_yaml

MOST_LINES = 25

SPOKEN = (Protocol.H1C,)
"""By stacks: they get no certificates yet, and the contract's own client speaks HTTP/1.1."""


class RawStack(Raw):
    """One implementation of a service."""

    stack: Name
    """Its name: the folder's name."""
    language: Text
    """The programming language, as its makers write it."""
    framework: Text
    """The HTTP framework, as its makers write it."""
    build: Text
    """Shell command, run in a copy of the folder."""
    run: Text
    """Command line, run in the built copy."""
    runtimes: Annotated[list[Name], Field(min_length=1)]
    """What can execute it; the first is the default."""
    claim: Text | None = None
    """How its log states its own start-up time: words around `{seconds}` or `{milliseconds}`. It is
    shown beside the time that was measured.
    """
    protocols: dict[Name, Annotated[list[str], Field(min_length=1)]]
    """Leg to the protocols that it speaks there."""


def read_stack(path: Path, service: Service, runtimes: Collection[str]) -> Stack:
    """Read the manifest of a stack of `service`. Raises InputError."""
    source = read_yaml(path)
    if len(source.text.splitlines()) > MOST_LINES:
        raise source.error(
            (),
            f"has more than {MOST_LINES} lines",
            "leave to the system's specification what is the same for every stack",
        )
    raw = parse(source, RawStack)
    if raw.stack != path.parent.name:
        raise source.error(
            ("stack",),
            f"is {raw.stack}, and the folder is {path.parent.name}",
            "give folder and stack one name",
        )
    for position, runtime in enumerate(raw.runtimes):
        if runtime not in runtimes or runtime in raw.runtimes[:position]:
            problem = "is there twice" if runtime in runtimes else "is not a known runtime"
            raise source.error(
                ("runtimes", position), f"{runtime} {problem}", suggestion(runtime, list(runtimes))
            )
    if raw.claim is not None and not is_claim(raw.claim):
        raise source.error(
            ("claim",),
            "must hold one of {seconds} and {milliseconds}",
            "write what the log says: `claim: started in {seconds} seconds`",
        )
    return Stack(
        stack=raw.stack,
        language=raw.language,
        framework=raw.framework,
        build=raw.build,
        run=raw.run,
        runtimes=tuple(raw.runtimes),
        claim=raw.claim,
        protocols=_protocols(source, raw, service),
        directory=path.parent,
    )


def _protocols(source: Source, raw: RawStack, service: Service) -> dict[str, tuple[Protocol, ...]]:
    for leg in service.legs:
        if leg not in raw.protocols:
            raise source.error(
                ("protocols",), f"the leg {leg} is missing", f"write `{leg}: [h1c]` under protocols"
            )
    spoken: dict[str, tuple[Protocol, ...]] = {}
    for leg, typed in raw.protocols.items():
        if leg not in service.legs:
            raise source.error(
                ("protocols", leg),
                f"is not a leg of the service {service.service}",
                suggestion(leg, service.legs),
            )
        for position, protocol in enumerate(typed):
            if protocol not in SPOKEN or protocol in typed[:position]:
                raise source.error(
                    ("protocols", leg, position),
                    f"{protocol} is there twice, or is not supported for stacks yet",
                    f"known: {', '.join(SPOKEN)}",
                )
        spoken[leg] = tuple(Protocol(protocol) for protocol in typed)
    return spoken
