"""The shape of a study's file, as typed. What it means is `study.py`."""

from typing import Annotated, Any, ClassVar, Final

from pydantic import AfterValidator, Discriminator, Field, Tag

from loadstone.errors import WrongValueError
from loadstone.study.files.claim_file import RawClaim
from loadstone.study.files.own_service import RawOwnAddress, RawOwnCommand, shape_of
from loadstone.study.files.raw import Name, Raw, Text
from loadstone.study.files.revision_file import RawRevision
from loadstone.study.files.startup_file import MOST_STARTS
from loadstone.study.files.timing_file import RawSteadyWarmUp, RawWarmed
from loadstone.study.values.model import LEAST_LATE_LOOK_NS, FurtherAnalysis, Order
from loadstone.text.quoted import shortened
from loadstone.text.typed_units import Fraction, Size, WarmUp, WholeSeconds

LARGEST_SEED = 2**53 - 1
"""JSON readers that hold numbers as doubles keep every whole number up to here."""
MOST_BLOCKS = 1000
"""At ten seconds a run and two arms this is six hours; more is a slip of the keyboard."""

LEAST_CPUS = 0.01
"""The smallest quota that the kernel takes with its usual period."""
MOST_CPUS = 1024.0

Seed = Annotated[int, Field(ge=0, le=LARGEST_SEED)]

ADAPTIVE: Final = "adaptive"
"""The word that stands for a number of blocks."""


def _is_adaptive(text: str) -> str:
    if text != ADAPTIVE:
        raise WrongValueError(
            f"{shortened(text)!r} is neither a whole number nor {ADAPTIVE}",
            f"write a whole number, or {ADAPTIVE}",
        )
    return text


Blocks = Annotated[
    Annotated[int, Field(ge=1, le=MOST_BLOCKS), Tag("as number")]
    | Annotated[
        str,
        AfterValidator(_is_adaptive),
        Field(json_schema_extra={"const": ADAPTIVE}),
        Tag("as word"),
    ],
    Discriminator(lambda typed: "as word" if isinstance(typed, str) else "as number"),
]


class RawChoice(Raw):
    """A stack under a label of its own, so that it can be there twice (A/A)."""

    elsewhere: ClassVar = {
        "dir": "it belongs to command: a stack has a folder of its own",
        **dict.fromkeys(
            ("operations", "deviations", "contract"), "a stack says so itself, in its stack.yaml"
        ),
    }

    stack: Name
    """The stack's name."""
    label: Name
    """The factor's level: what tables call it."""
    runtime: Name | None = None
    """One of the stack's runtimes. Default: its first."""


def _kind(typed: Any) -> str:
    return shape_of(typed) if isinstance(typed, dict) else "as text"


Level = Annotated[
    Annotated[str, Tag("as text")]
    | Annotated[RawChoice, Tag("as stack")]
    | Annotated[RawOwnCommand, Tag("as command")]
    | Annotated[RawOwnAddress, Tag("as url")]
    | Annotated[RawRevision, Tag("as git")],
    Discriminator(_kind),
]


Levels = Annotated[
    Annotated[str, Tag("as word")]
    | Annotated[Annotated[list[str], Field(min_length=1)], Tag("as list")],
    Discriminator(lambda typed: "as list" if isinstance(typed, list) else "as word"),
]
"""A level of a factor, or several of which any will do."""

Pruning = Annotated[list[dict[str, Levels]], Field(min_length=1)]


class RawQuestion(Raw):
    """Goal-question-metric: a question with the factor, metrics and margin that answer it."""

    question: Text
    """The question, for people; unique in the study."""
    compare: Name
    """The factor whose levels are compared."""
    metrics: Annotated[list[str], Field(min_length=1)]
    """Metrics of the catalogue; the first is primary."""
    margin: Fraction
    """A difference up to here does not matter."""
    workloads: Annotated[list[Name], Field(min_length=1)] | None = None
    """Workloads that it is asked of. Default: all of the study that its arms are run under."""
    operation: Name | None = None
    """Ask it of this operation: of its figures alone, under the workloads that have it."""
    group: Name | None = None
    """Ask it of this group of users: of its figures alone, under the workloads that have it."""
    where: dict[str, Levels] = Field(default_factory=dict)
    """Factor to a level, or to several: ask it only of the arms that have one of each. Default: of all
    arms."""


class RawLimits(Raw):
    """What a service may use at most."""

    cpus: Annotated[float, Field(ge=LEAST_CPUS, le=MOST_CPUS)] | None = None
    """CPU time a second, in CPUs: 0.5 is half of one. Default: the CPUs of its role, in full."""
    memory: Size | None = None
    """Memory, page cache that it fills included: `512M`. Default: all that there is."""
    warm_up_cpus: Annotated[float, Field(ge=LEAST_CPUS, le=MOST_CPUS)] | None = None
    """As `cpus`, until a `warm_up: steady` is over, which comes sooner then. Default: as `cpus`."""


Cpus = Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1)]


class RawPlacement(Raw):
    """Which CPUs each role may use."""

    service: Cpus
    """Of the services under test."""
    bench: Cpus
    """Of engine, probe, dependencies and bench services."""


def _is_no_detection(typed: int | str) -> int | str:
    if typed == "detected":
        raise WrongValueError("does not detect", "write steady, or whole seconds such as 10s")
    return typed


ProfileWarmUp = Annotated[
    Annotated[WarmUp, AfterValidator(_is_no_detection), Tag("as text")]
    | Annotated[RawSteadyWarmUp, Tag("as mapping")],
    Discriminator(lambda typed: "as mapping" if isinstance(typed, dict) else "as text"),
]


def _is_long_enough(typed_ns: int) -> int:
    if typed_ns < LEAST_LATE_LOOK_NS:
        least = f"{LEAST_LATE_LOOK_NS // 10**9}s"
        raise WrongValueError("is too short to be told from noise", f"write at least {least}")
    return typed_ns


LateLook = Annotated[WholeSeconds, AfterValidator(_is_long_enough)]


class RawScale(Raw):
    """How much shorter and smaller every load is."""

    time: Fraction = 1.0
    """Of the times of stages, delays and stop rules, and of a `duration` that the profile does not say
    itself. Default 100%."""
    users: Fraction = 1.0
    """Of the closed users of every stage. Default 100%."""


class RawProfile(Raw):
    """What a profile changes. The one named `default` is what is run where none is named."""

    blocks: Blocks | None = None
    """Repetitions, or `adaptive`."""
    duration: WholeSeconds | None = None
    """Of every workload, whole seconds, its warm-up included."""
    window: WholeSeconds | None = None
    """Of every workload: how long it is measured, behind its warm-up. Either duration or window."""
    warm_up: ProfileWarmUp | None = None
    """Of every workload: whole seconds, `steady`, or `{until: steady, at_most: 60s}`."""
    warmed: RawWarmed | None = None
    """Before every workload: a load that makes the service warm, `{at_most: 120s}`."""
    ramp: WholeSeconds | None = None
    """Closed users that begin at once come one after the other over this time instead."""
    scale: RawScale | None = None
    """Shortens and lessens every workload alike, such as `{time: 10%, users: 20%}`."""
    except_: Annotated[Pruning | None, Field(alias="except")] = None
    """Drop these arms too, as the study's own `except` does."""
    workloads: Annotated[list[Name], Field(min_length=1)] | None = None
    """The workloads that are left."""
    seed: Seed | None = None
    """Another seed."""
    starts: Annotated[int, Field(ge=1, le=MOST_STARTS)] | None = None
    """Of every arm, under a workload of kind startup."""


class RawStudy(Raw):
    """A study: arms x workloads x blocks, with the questions that it must answer."""

    study: Name
    """Its name: results are kept under it."""
    goal: Text
    """What it is to find out, in a sentence."""
    system: Name
    """A folder of `systems/`."""
    entry: Name | None = None
    """The service that is loaded itself, by the leg by which others call it: it stands with what it
    needs alone, and arms name nothing else. Default: the entry of the system."""
    arms: dict[str, Annotated[list[Level], Field(min_length=1)]]
    """Factor to levels, their cross product: for each service a stack, `stack@runtime`,
    `{stack, label, runtime}`, one from a revision of its repository, `{label, git, stack, runtime}`, or
    one of your own, `{label, command, dir}` or `{label, url}`; for each leg a protocol; settings of the
    system and `page-cache: [warm, cold]` if wanted."""
    limits: dict[str, RawLimits] = Field(default_factory=dict)
    """By service."""
    placement: RawPlacement | None = None
    """CPUs by role. Default: from the machine's topology, half of its cores for the service."""
    only: Pruning | None = None
    """Keep the arms that fit at least one of these maps of factor to level, or to a list of levels. A
    map may name a `workload` or an `operation`, too: the arm is then kept under those alone."""
    except_: Annotated[Pruning | None, Field(alias="except")] = None
    """Then drop the arms that fit at least one of these maps."""
    workloads: Annotated[list[Name], Field(min_length=1)]
    """Names of the system's workloads."""
    blocks: Blocks
    """Repetitions: in each, every arm runs under every workload once. A workload of kind startup has as
    many blocks as starts. `adaptive`: at most 24, and after 6 and 12 the study ends if every comparison
    by a primary metric is decided.
    """
    order: Order = "random"
    """Of the runs in a block: `random`, or `as-listed`, in the order of this file. Default random."""
    seed: Seed
    """Of the order and of the engine's draws: the same seed gives the same plan."""
    late_look: LateLook | None = None
    """How long the first watched run of the same services on the same runtimes goes on behind its
    window, whole seconds, at least 60s: the lab looks whether they became cheaper late. Default: none
    does.
    """
    allow_target: list[str] = Field(default_factory=list)
    """Hosts, or `host:port`, that are the author's own. Loopback needs no entry."""
    questions: Annotated[list[RawQuestion], Field(min_length=1)]
    """What it must answer."""
    claims: list[RawClaim] = Field(default_factory=list)
    """What others claimed of its arms: each is reproduced, not reproduced, or undecided."""
    analysis: FurtherAnalysis | None = None
    """`per-request`: the report compares the arms of its questions and claims as publications often
    do, too: by single requests of one run a side, beside what the runs say. Default: it does not."""
    profiles: dict[Name, RawProfile] = Field(default_factory=dict)
    """Shorter forms of the study, by name."""
