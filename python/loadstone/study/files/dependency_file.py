"""A dependency of a system's file, as typed: a kind alone, or a kind with what is said of it."""

import re
import shlex
from signal import Signals
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag

from loadstone.errors import WrongValueError
from loadstone.study.files.raw import Raw, Text
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.values.dependency import (
    DATA,
    PORT,
    USUAL_URL,
    Account,
    DependencyKind,
    DependencyOptions,
    ServerCommands,
)
from loadstone.text.quoted import shortened, suggestion

KNOWN: Final = (PORT, DATA)
"""What a command may hold in braces."""
ENDING: Final = ("SIGTERM", "SIGINT", "SIGQUIT", "SIGHUP", "SIGUSR1", "SIGUSR2")
"""What a server can be told to end by."""
OF_THE_LAB: Final = frozenset(
    {
        *("aclfile", "bind", "cluster-enabled", "daemonize", "dbfilename", "dir", "include"),
        *("logfile", "masterauth", "pidfile", "port", "protected-mode", "rename-command"),
        *("replicaof", "requirepass", "set-proc-title", "slaveof", "supervised", "tls-port"),
        *("unixsocket", "user"),
    }
)
"""Settings of a Redis that the lab decides: where it is, whose it is, and that the lab reaches it."""

_WORD = re.compile(r"\{([a-z_]+)\}")
_USER = re.compile(r"[a-z_][a-z0-9_]{0,31}")
_SETTING = re.compile(r"[a-z][a-z0-9-]*")


def _is_template(text: str) -> str:
    """Other braces are the command's own: a lower-case word alone in them is a slip."""
    for word in _WORD.findall(text):
        if f"{{{word}}}" not in KNOWN:
            raise WrongValueError(
                f"{{{word}}} is nothing that the lab fills in", suggestion(f"{{{word}}}", KNOWN)
            )
    return text


def _is_signal(text: str) -> str:
    if text not in ENDING:
        raise WrongValueError(f"{shortened(text)!r} ends no server", suggestion(text, ENDING))
    return Signals[text].name


def _is_path(text: str) -> str:
    if not re.fullmatch(r"/[!-~]*", text):
        raise WrongValueError(f"{shortened(text)!r} is not a path", "write one such as /healthz")
    return text


def _is_user(text: str) -> str:
    if not _USER.fullmatch(text):
        raise WrongValueError(
            f"{shortened(text)!r} is not a user's name",
            "write lower-case letters, digits and '_', at most 32, not beginning with a digit",
        )
    return text


Template = Annotated[Text, AfterValidator(_is_template)]


class RawReadiness(Raw):
    """When a server of one's own is ready."""

    get: Annotated[str, AfterValidator(_is_path)] | None = None
    """Path that is answered by a status of 2xx."""
    command: Template | None = None
    """Shell command that ends with 0."""


class RawCommandServer(Raw):
    """Any server, by the command lines that start it and fill it. They are run in the system's folder;
    `{port}` stands for its port, also in `PORT`, and `{data}` for an empty folder in memory."""

    kind: Literal["command"]
    """`command`."""
    start: Template
    """Command line, run without a shell; it stays in the foreground."""
    ready: RawReadiness | None = None
    """When it is ready. Default: when it accepts a connection."""
    seed: Template | None = None
    """Shell command that fills it before any service is there. It needs a `reset` beside it."""
    reset: Template | None = None
    """Shell command that brings it back to what the seed left, between check and load."""
    stop: Annotated[str, AfterValidator(_is_signal), Field(json_schema_extra={"enum": ENDING})] = (
        "SIGTERM"
    )
    """The signal that ends it in order. Default SIGTERM."""
    url: Template = USUAL_URL
    """What stands for it in the variables of services. Default `http://127.0.0.1:{port}`."""


class RawDatabase(Raw):
    """A database whose user and database the lab makes: its seed needs tables and rows alone."""

    kind: Literal["mariadb", "postgres"]
    """`mariadb` or `postgres`."""
    user: Annotated[str, AfterValidator(_is_user)]
    """The user whom services log in as, and whose the data are."""
    password: Text
    """Of that user."""


class RawRedis(Raw):
    """A Redis with settings of one's own."""

    kind: Literal["redis"]
    """`redis`."""
    settings: Annotated[dict[str, str], Field(min_length=1)]
    """By the names of `redis.conf`, such as `{maxmemory: 64mb, appendonly: "yes"}`."""


def _shape(typed: Any) -> str:
    if not isinstance(typed, dict):
        return "as word"
    return f"as {typed['kind']}" if typed.get("kind") in ("command", "redis") else "as database"


RawDependency = Annotated[
    Annotated[Literal["echo", "mariadb", "postgres", "redis"], Tag("as word")]
    | Annotated[RawCommandServer, Tag("as command")]
    | Annotated[RawRedis, Tag("as redis")]
    | Annotated[RawDatabase, Tag("as database")],
    Discriminator(_shape),
]


def kind_of(raw: RawDependency) -> DependencyKind:
    """What kind of dependency was typed."""
    return raw if isinstance(raw, str) else raw.kind


def options_of(source: YamlFile, at: KeyPath, raw: RawDependency) -> DependencyOptions:
    """What was typed of it beside its kind. Raises InputError."""
    if isinstance(raw, RawDatabase):
        return DependencyOptions(account=Account(user=raw.user, password=raw.password))
    if isinstance(raw, RawRedis):
        for name, text in raw.settings.items():
            _judge_setting(source, (*at, "settings", name), name, text)
        return DependencyOptions(settings=raw.settings)
    if isinstance(raw, RawCommandServer):
        return DependencyOptions(commands=_commands(source, at, raw))
    return DependencyOptions()


def _judge_setting(source: YamlFile, at: KeyPath, name: str, text: str) -> None:
    if name in OF_THE_LAB:
        raise source.error(at, "is decided by the lab", "take it out")
    if not _SETTING.fullmatch(name):
        raise source.error(at, "is no setting of a Redis", "write it as in redis.conf: appendonly")
    if "\n" in text:
        raise source.error(at, "has several lines", "write its value in one line")


def _commands(source: YamlFile, at: KeyPath, raw: RawCommandServer) -> ServerCommands:
    start = " ".join(raw.start.split("\n")).strip()
    try:
        shlex.split(start)
    except ValueError as error:
        raise source.error(
            (*at, "start"), f"is not a command line: {error}", "close what was opened"
        ) from None
    if raw.seed is not None and raw.reset is None:
        raise source.error(
            (*at, "seed"),
            "stands without a reset: what checks change would still be there in the load",
            "add reset, a command that brings it back to what the seed left",
        )
    ready = raw.ready or RawReadiness()
    if raw.ready is not None and (ready.get is None) == (ready.command is None):
        raise source.error((*at, "ready"), "is one of get and command", "write one of the two")
    return ServerCommands(
        start=start,
        ready_path=ready.get,
        ready_command=ready.command,
        seed=raw.seed,
        reset=raw.reset,
        stop_signal=raw.stop,
        url=raw.url,
    )
