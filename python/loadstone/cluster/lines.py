"""What driver and lab say to each other: one JSON object a line, commands down, answers up.

Both ends are the same Loadstone, which is seen to before: so nothing here has a version. A line that
cannot be read is a defect, or another program that writes into the pipe.
"""

import hashlib
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from loadstone.cluster.apart.messages import (
    FromParts,
    PartAnswer,
    PartCommand,
    PartsAt,
    ToParts,
)
from loadstone.cluster.engines.messages import (
    EngineAnswer,
    EngineAt,
    EngineCommand,
    FromEngine,
    ToEngine,
)
from loadstone.deploy.ports import LOOPBACK
from loadstone.errors import LoadstoneError
from loadstone.frozen import Frozen
from loadstone.measure.told import Told
from loadstone.results.environment import ClockOffset, Environment, SiteFacts
from loadstone.study.values.model import Plan
from loadstone.text.quoted import shortened


class Begin(Frozen):
    """The first command: which study, and where its files are on the lab's machine."""

    do: Literal["begin"] = "begin"
    site: str
    """What this machine is called."""
    study: str
    """Path of the study's file."""
    profile: str | None
    """What shortens it."""
    plan: str
    """SHA-256 of the plan that the driver made of the same files."""
    results: str
    """Path of the folder that gets logs and runs, until they are fetched."""
    simulation: str | None = None
    """Path of the file of a simulation; none: it is measured."""
    clock: ClockOffset | None = None
    """How the clock there lies to the driver's."""
    cluster_pid: int | None = None
    """Of what joins the machine to the others, which is probed with all that it has started."""
    address: str = LOOPBACK
    """Of the machine, as the others reach it."""
    is_engine: bool = False
    """Whether it is one of engines alone: then it does what the site's other machine says."""
    engines: dict[str, EngineAt] = Field(default_factory=dict)
    """By machine, what loads the services here; none: the engine of this one."""
    has: Literal["dependencies", "services"] | None = None
    """What parts of the system it is for alone, as `is_engine`; none: it is no such machine."""
    dependencies: PartsAt | None = None
    """Where the dependencies of the services here are; none: on this one."""
    services: dict[str, PartsAt] = Field(default_factory=dict)
    """By service, where those are that are not on this one."""


class Prepare(Frozen):
    """Make every arm ready."""

    do: Literal["prepare"] = "prepare"


class DoBlock(Frozen):
    """Do runs of one block."""

    do: Literal["block"] = "block"
    block: int
    attempt: int
    runs: tuple[str, ...]
    """Ids, in the plan's order."""


Command = Annotated[
    Begin | Prepare | DoBlock | FromEngine | EngineCommand | FromParts | PartCommand,
    Field(discriminator="do"),
]


class Ready(Frozen):
    """Answers `begin`: the plan is the same, and this is what is here."""

    told: Literal["ready"] = "ready"
    pid: int
    """Of the lab."""
    environment: Environment
    facts: SiteFacts
    swept: str | None
    """What killed labs had left here."""
    engine_cpus: tuple[int, ...] = ()
    """Of a machine of engines: those that an engine may use."""


class Prepared(Frozen):
    """Answers `prepare`."""

    told: Literal["prepared"] = "prepared"
    builds: tuple[str, ...]
    """Names of the folders in the cache of builds that the arms are started from."""


class BlockDone(Frozen):
    """Answers `block`, behind the end of its last run."""

    told: Literal["block-done"] = "block-done"
    block: int


class Refused(Frozen):
    """The lab cannot do the study; it ends."""

    told: Literal["refused"] = "refused"
    message: str
    remedy: str | None


Line = Annotated[
    Told | Ready | Prepared | BlockDone | Refused | ToEngine | EngineAnswer | ToParts | PartAnswer,
    Field(discriminator="told"),
]

_COMMANDS: TypeAdapter[Command] = TypeAdapter(Command)
_LINES: TypeAdapter[Line] = TypeAdapter(Line)


def digest_of(plan: Plan) -> str:
    """Return the SHA-256 by which driver and lab know that they mean the same plan."""
    return hashlib.sha256(plan.model_dump_json().encode()).hexdigest()


def read_command(line: str) -> Command:
    """Read a command. Raises LoadstoneError."""
    try:
        return _COMMANDS.validate_json(line)
    except ValidationError as error:
        raise _not_read("command", line, error) from error


def read_line(line: str) -> Line:
    """Read a line of a lab. Raises LoadstoneError."""
    try:
        return _LINES.validate_json(line)
    except ValidationError as error:
        raise _not_read("line of a lab", line, error) from error


def _not_read(what: str, line: str, error: ValidationError) -> LoadstoneError:
    first = error.errors()[0]
    return LoadstoneError(
        f"this is no {what}: {shortened(line.strip())!r} ({first['msg']})",
        "use the same version of Loadstone on all machines",
    )
