"""A runtime's file: how this machine shows that it is there, and how it launches a stack.

Asking the machine is `availability.py`.
"""

import string
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag

from loadstone.errors import WrongValueError
from loadstone.study.files.raw import Name, Raw, Text, judge_own_name, parse
from loadstone.study.files.yaml_file import YamlFile, read_yaml
from loadstone.study.systems.launch import ARTIFACTS, GC_LOG
from loadstone.study.values.manifest import (
    LONGEST_THREAD_NAME,
    Compiles,
    Exposes,
    JavaHome,
    ProgramHome,
    Runtime,
    RuntimeLog,
    Train,
)
from loadstone.text.quoted import shortened

PLACEHOLDERS = ("home", "artifacts", "arguments")


def _is_template(text: str) -> str:
    return _known(text, PLACEHOLDERS)


def _is_launch(text: str) -> str:
    return _known(text, (*PLACEHOLDERS, GC_LOG.strip("{}")))


def _known(text: str, placeholders: tuple[str, ...]) -> str:
    try:
        used = [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
    except ValueError:
        raise WrongValueError("has a brace without its other half", "double it: {{") from None
    for name in used:
        if name not in placeholders:
            known = ", ".join(f"{{{each}}}" for each in placeholders)
            raise WrongValueError(f"has an unknown placeholder {{{name}}}", f"known: {known}")
    return text


Template = Annotated[Text, AfterValidator(_is_template)]
LaunchTemplate = Annotated[Text, AfterValidator(_is_launch)]


def _is_thread_name(text: str) -> str:
    if not text.isascii() or not text.isprintable():
        raise WrongValueError(
            "is no thread's name: it holds more than printable ASCII",
            "write it as /proc/PID/task/TID/comm shows it",
        )
    if len(text) > LONGEST_THREAD_NAME:
        raise WrongValueError(
            f"{shortened(text)!r} is too long: the kernel keeps the first {LONGEST_THREAD_NAME} bytes",
            f"write {text[:LONGEST_THREAD_NAME]!r}",
        )
    return text


ThreadName = Annotated[
    Text,
    AfterValidator(_is_thread_name),
    Field(json_schema_extra={"maxLength": LONGEST_THREAD_NAME}),
]


class RawHome(Raw):
    """Where a runtime is, of which a machine can have several.

    Either `jdk`, or `program` and `variable`, and `folder` where the project installs it itself.
    """

    jdk: Annotated[int, Field(ge=8, le=99)] | None = None
    """The feature version of a JDK."""
    program: Text | None = None
    """A program in the folder's `bin`."""
    variable: Text | None = None
    """An environment variable that may name the folder; after it, the PATH is searched."""
    folder: Text | None = None
    """Where it is looked for last; relative to the root of the systems and runtimes."""


class RawTrain(Raw):
    """A run before the first measured one, whose exit leaves a file that later runs use."""

    launch: Template
    """The command line of that run."""
    creates: Template
    """The file."""


class RawExposes(Raw):
    """What a runtime tells of its garbage collector: `log`, or `nothing` and why."""

    log: RuntimeLog | None = None
    """`jvm-gc-log`: `{gc_log}` in `launch` writes it. `go-gctrace`: lines on stderr."""
    nothing: Text | None = None
    """Why it tells nothing: the reason that results give in place of a figure."""
    environment: dict[str, Text] = Field(default_factory=dict)
    """Variables of the deployed service, and not of its build."""


class RawCompiles(Raw):
    """How to tell a runtime's compile threads from its others."""

    threads: Annotated[list[ThreadName], Field(min_length=1)]
    """Their names as the kernel has them, 15 bytes at most: `cat /proc/PID/task/*/comm`. Only threads
    that do nothing else."""


def _compiles_form(typed: Any) -> str:
    return "as a word" if isinstance(typed, str) else "as a mapping"


RawCompilesOrNever = Annotated[
    Annotated[Literal["never"], Tag("as a word")] | Annotated[RawCompiles, Tag("as a mapping")],
    Discriminator(_compiles_form),
]


class RawRuntime(Raw):
    """What executes a stack. Commands may hold `{home}`, `{artifacts}` and `{arguments}`."""

    runtime: Name
    """Its name: the file's name without `.yaml`."""
    title: Text
    """Its name for people."""
    detect: Template
    """A command, without a shell, whose first line of output is the version; it fails where the
    runtime is not here."""
    install: Text
    """One sentence: how to get it."""
    home: RawHome | None = None
    """Default: what is on the PATH."""
    environment: dict[str, Template] = Field(default_factory=dict)
    """Variables of the build and the run."""
    replaces: Text | None = None
    """The first word of the run commands that it stands for: `java`."""
    launch: LaunchTemplate | None = None
    """The command line in place of a stack's own; `{arguments}` is what followed `replaces` there,
    `{gc_log}` the option by which a JVM writes its log."""
    prepare: Template | None = None
    """Shell command, run once in the built copy, that adds to it what the runtime needs."""
    train: RawTrain | None = None
    """A run whose exit leaves what later runs start from."""
    proof: Text | None = None
    """Text that a service's log holds after its start if this runtime is really in use."""
    exposes: RawExposes | None = None
    """What it tells of its garbage collector. Default: it is not known."""
    compiles: RawCompilesOrNever | None = None
    """Whether it compiles while it runs: `never`, or on which threads. Default: it is not known."""


def read_runtime(path: Path) -> Runtime:
    """Read a runtime. Raises InputError."""
    source = read_yaml(path)
    raw = parse(source, RawRuntime)
    judge_own_name(source, "runtime", "file")
    changes = [name for name in ("launch", "prepare", "train") if getattr(raw, name) is not None]
    if changes and raw.replaces is None:
        raise source.error(
            (changes[0],), "needs to know which program it stands for", "add `replaces: java`"
        )
    return Runtime(
        runtime=raw.runtime,
        title=raw.title,
        detect=raw.detect,
        install=" ".join(raw.install.split()),
        home=_home(source, raw.home, path.absolute().parents[1]),
        environment=raw.environment,
        replaces=raw.replaces,
        launch=raw.launch,
        prepare=raw.prepare,
        train=None if raw.train is None else _train(raw.train),
        proof=raw.proof,
        exposes=None if raw.exposes is None else _exposes(source, raw, raw.exposes),
        compiles=None if raw.compiles is None else _compiles(raw.compiles),
    )


def _home(source: YamlFile, raw: RawHome | None, root: Path) -> JavaHome | ProgramHome | None:
    if raw is None:
        return None
    if raw.jdk is not None and raw.program is raw.variable is raw.folder is None:
        return JavaHome(jdk=raw.jdk)
    if raw.jdk is None and raw.program is not None and raw.variable is not None:
        folder = None if raw.folder is None else root / raw.folder
        return ProgramHome(program=raw.program, variable=raw.variable, folder=folder)
    raise source.error(
        ("home",),
        "is neither a JDK nor a program with its variable",
        "write `{jdk: 17}`, or `{program: native-image, variable: GRAALVM_HOME}`",
    )


def _train(raw: RawTrain) -> Train:
    return Train(launch=raw.launch, creates=raw.creates.format(artifacts=ARTIFACTS))


def _exposes(source: YamlFile, raw: RawRuntime, exposes: RawExposes) -> Exposes:
    if (exposes.log is None) == (exposes.nothing is None):
        raise source.error(
            ("exposes",),
            "is neither a log nor a reason for none, or both",
            "write `{log: go-gctrace}`, or `{nothing: why}`",
        )
    writes_gc_log = raw.launch is not None and GC_LOG in raw.launch
    if writes_gc_log != (exposes.log == "jvm-gc-log"):
        raise source.error(
            ("exposes",),
            f"and `launch` differ: {GC_LOG} there, and the log jvm-gc-log here, go together",
            "write both, or neither",
        )
    return Exposes(log=exposes.log, nothing=exposes.nothing, environment=exposes.environment)


def _compiles(raw: RawCompiles | Literal["never"]) -> Compiles:
    return Compiles(threads=() if raw == "never" else tuple(raw.threads))
