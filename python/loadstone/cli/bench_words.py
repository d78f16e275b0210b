"""What is typed after `loadstone bench`, turned into values: each error names its option."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from loadstone.deploy.placement import available_cpus
from loadstone.errors import InputError, LoadstoneError, WrongValueError
from loadstone.study.design import load_text
from loadstone.study.values.arrivals import Rate, Stage, Think, Users, steady
from loadstone.study.values.stop_rules import StopRules
from loadstone.text.typed_units import duration_ns as read_duration_ns
from loadstone.text.typed_units import fraction

DEFAULT_USERS = 10
DEFAULT_DURATION = "10s"
SECOND_NS = 10**9

Value = TypeVar("Value")


def arrivals(
    users: int | None, rate: float | None, stages: str | None, connections: int, *, poisson: bool
) -> Users | Rate:
    """Closed users, or a rate: as many, or from as many on stage after stage."""
    if users is not None and rate is not None:
        raise LoadstoneError("--users and --rate exclude each other", "give one of them")
    if rate is None and poisson:
        raise LoadstoneError("--poisson is for a rate", "give --rate too, for example --rate 100")
    begin = users if rate is None else rate
    course: tuple[Stage, ...]
    if stages is None:
        course = steady(begin or DEFAULT_USERS)
    else:
        course = _read("--stages", lambda: load_text.stages_of(stages, begin or 0.0))
    if rate is not None:
        return Rate(stages=course, connections=connections, poisson=poisson)
    if not all(stage.to.is_integer() for stage in course):
        raise LoadstoneError(
            f"--stages {stages}: users are whole numbers", "for example 10..100/30s"
        )
    return Users(stages=course)


def load_duration_ns(text: str | None, course: Users | Rate) -> int:
    """How long to load: as said, else as long as the stages take."""
    length_ns = course.length_ns
    if text is None and length_ns:
        nanoseconds = length_ns
    else:
        nanoseconds = duration_ns("--duration", text or DEFAULT_DURATION)
    if nanoseconds % SECOND_NS:
        raise LoadstoneError(
            "--duration must be whole seconds"
            if text
            else f"--stages take {nanoseconds / SECOND_NS:g} s, which is not whole seconds",
            "for example --duration 10s",
        )
    if length_ns > nanoseconds:
        raise LoadstoneError(
            f"--stages take {length_ns / SECOND_NS:g} s, longer than --duration {text}",
            "leave --duration out, or lengthen it",
        )
    return nanoseconds


def duration_ns(option: str, text: str) -> int:
    """A time above zero."""
    return _read(option, lambda: read_duration_ns(text))


def think(text: str | None) -> Think | None:
    """The pause between requests."""
    return None if text is None else _read("--think", lambda: load_text.think_of(text))


def stop_rules(texts: Sequence[str]) -> StopRules:
    """What stops the load before its end."""
    return _read("--stop-on", lambda: load_text.stop_rules_of(texts))


def resumed_share(text: str | None) -> float:
    """A percentage as a fraction."""
    return 0.0 if text is None else _read("--resume", lambda: fraction(text))


def refuse_idle_tls_words(url: str, *, insecure: bool, ca: Path | None, resume: str | None) -> None:
    """Refuse words on TLS that would do nothing."""
    given = {"--insecure": insecure, "--ca": ca is not None, "--resume": resume is not None}
    for option, is_given in given.items():
        if is_given and not url.startswith("https:"):
            raise LoadstoneError(f"{option} is for TLS", "give an https:// URL")
    if insecure and ca is not None:
        raise LoadstoneError(
            "--insecure and --ca exclude each other", "with --ca the certificate is verified"
        )


def certificates(path: Path | None) -> str | None:
    """The text of a PEM file."""
    if path is None:
        return None
    text = _text(path, "the certificates", "give a PEM file")
    if "-----BEGIN CERTIFICATE-----" not in text:
        raise InputError("holds no certificate", path=path, remedy="give a PEM file")
    return text


def body(text: str | None) -> str:
    """A body, or what is in its file."""
    if text is None or not text.startswith("@"):
        return text or ""
    return _text(Path(text[1:]), "the body", "give a UTF-8 file")


def cpus(text: str | None) -> tuple[int, ...]:
    """A list of CPUs that this process may use."""
    if text is None:
        return ()
    try:
        found = tuple(sorted({int(word) for word in text.split(",")}))
    except ValueError as error:
        raise LoadstoneError(
            f"--cpus {text!r} is not a list of numbers", "for example --cpus 0,1"
        ) from error
    missing = set(found) - set(available_cpus())
    if missing:
        raise LoadstoneError(
            f"--cpus {text}: there is no CPU {min(missing)} for this process",
            f"choose from {','.join(map(str, available_cpus()))}",
        )
    return found


def keep(option: str, source: Path, destination: Path) -> None:
    """Copy a file of the engine to where it was asked for."""
    try:
        shutil.copyfile(source, destination)
    except OSError as error:
        raise LoadstoneError(
            f"{option} {destination} cannot be written: {error.strerror}"
        ) from error


def _read(option: str, read: Callable[[], Value]) -> Value:
    try:
        return read()
    except WrongValueError as error:
        raise LoadstoneError(f"{option} {error}", error.remedy) from error


def _text(path: Path, what: str, remedy: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be {what}: {error}", path=path, remedy=remedy) from error
