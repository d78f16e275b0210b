"""A stack's manifest: at most 25 lines, so that what differs between stacks is seen at a glance."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from loadstone.study.files.held_to_file import Held, RawDeviation, deviations_of, operations_of
from loadstone.study.files.raw import Name, Raw, Text, judge_own_name, parse
from loadstone.study.files.yaml_file import KeyPath, YamlFile, read_yaml
from loadstone.study.systems.startup_claim import is_claim
from loadstone.study.values.manifest import Service, Stack
from loadstone.study.values.model import Protocol
from loadstone.text.quoted import suggestion

MOST_LINES = 25

SPOKEN = tuple(Protocol)
"""What a leg can speak."""


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
    source: Text | None = None
    """Folder that is built, seen from this file: a project that the manifest is no part of. Default:
    the manifest's own folder."""
    runtimes: Annotated[list[Name], Field(min_length=1)]
    """What can execute it; the first is the default."""
    claim: Text | None = None
    """How its log states its own start-up time: words around `{seconds}` or `{milliseconds}`. It is
    shown beside the time that was measured.
    """
    protocols: dict[Name, Annotated[list[str], Field(min_length=1)]]
    """Leg to the protocols that it speaks there."""
    protocols_on: dict[Name, dict[Name, Annotated[list[str], Field(min_length=1)]]] = Field(
        default_factory=dict
    )
    """Runtime to leg to protocols, where a runtime lets it speak fewer."""
    deviations: list[RawDeviation] = Field(default_factory=list)
    """What it is known to do otherwise; each is printed with its reason, and beside its figures."""
    operations: Annotated[list[Name], Field(min_length=1)] | None = None
    """The operations that it has. Default: all of the system's scenarios."""
    yardstick: Annotated[list[Text], Field(min_length=1)] | None = None
    """For a server that the stacks are measured beside, such as the smallest one of their language: the
    clauses that it holds. It is held against no other.
    """
    contract: Held | None = None
    """`samples`: its contract is not run; what is held are the answers sampled under load. Default: all
    of it is run.
    """


def read_stack(
    path: Path,
    service: Service,
    runtimes: Collection[str],
    places: str,
    operations: Sequence[str] = (),
) -> Stack:
    """Read the manifest of a stack of `service`; `operations` are the system's. Raises InputError.

    `runtimes` are all that there are, `places` in words where they were looked for.
    """
    return stack_of(read_yaml(path), service, runtimes, places, operations)


def stack_of(
    source: YamlFile,
    service: Service,
    runtimes: Collection[str],
    places: str,
    operations: Sequence[str] = (),
) -> Stack:
    """Return the stack of a manifest that has been read, as `read_stack`. Raises InputError."""
    if len(source.text.splitlines()) > MOST_LINES:
        raise source.error(
            (),
            f"has more than {MOST_LINES} lines",
            "leave to the system's specification what is the same for every stack",
        )
    raw = parse(source, RawStack)
    judge_own_name(source, "stack", "folder")
    directory = built_folder(source)
    if not directory.is_dir():
        raise source.error(
            ("source",), f"{directory} is not a folder", "give a folder, seen from this file"
        )
    for position, runtime in enumerate(raw.runtimes):
        at: KeyPath = ("runtimes", position)
        if runtime not in runtimes:
            raise source.error(
                at,
                f"{runtime} is not a known runtime; looked in {places}",
                suggestion(runtime, list(runtimes)),
            )
        if runtime in raw.runtimes[:position]:
            raise source.error(at, f"{runtime} is there twice", "keep one of the two")
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
        protocols_on=_protocols_on(source, raw),
        deviations=deviations_of(
            source, ("deviations",), raw.deviations, raw.protocols, "protocols."
        ),
        operations=operations_of(source, ("operations",), raw.operations, operations),
        yardstick=None if raw.yardstick is None else tuple(raw.yardstick),
        samples_alone=_samples_alone(source, raw),
        directory=directory,
        is_project=raw.source is not None,
    )


def built_folder(source: YamlFile) -> Path:
    """Return the folder that a manifest builds: its own, or the project that its `source` names."""
    own, named = source.path.parent, source.tree.get("source")
    return (own / named).resolve() if isinstance(named, str) else own


def _protocols_on(source: YamlFile, raw: RawStack) -> dict[str, dict[str, tuple[Protocol, ...]]]:
    """Read after `_protocols`, so that those are known to be right."""
    for runtime, legs in raw.protocols_on.items():
        if runtime not in raw.runtimes:
            raise source.error(
                ("protocols_on", runtime),
                "is not a runtime of the stack",
                suggestion(runtime, raw.runtimes),
            )
        for leg, typed in legs.items():
            spoken = raw.protocols.get(leg, [])
            for position, protocol in enumerate(typed):
                if protocol not in spoken or protocol in typed[:position]:
                    raise source.error(
                        ("protocols_on", runtime, leg, position),
                        f"{protocol} is there twice, or not in protocols.{leg}",
                        "write what is left of protocols on this runtime",
                    )
    return {
        runtime: {leg: tuple(Protocol(each) for each in typed) for leg, typed in legs.items()}
        for runtime, legs in raw.protocols_on.items()
    }


def _samples_alone(source: YamlFile, raw: RawStack) -> bool:
    if raw.contract is not None and raw.yardstick is not None:
        raise source.error(
            ("contract",),
            "does not go with yardstick, which names what is run",
            "keep one of the two",
        )
    return raw.contract is not None


def _protocols(
    source: YamlFile, raw: RawStack, service: Service
) -> dict[str, tuple[Protocol, ...]]:
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
                    f"{protocol} is there twice, or is no protocol of a leg",
                    f"known: {', '.join(SPOKEN)}",
                )
        spoken[leg] = tuple(Protocol(protocol) for protocol in typed)
    return spoken
