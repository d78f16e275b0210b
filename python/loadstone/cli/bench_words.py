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
from loadstone.study.values.timing import Timing
from loadstone.text.typed_units import duration_ns as read_duration_ns
from loadstone.text.typed_units import fraction
from loadstone.text.typed_units import whole_seconds_ns as read_whole_seconds_ns
from loadstone.text.typed_units import whole_seconds_or_zero_ns as read_whole_seconds_or_zero_ns

DEFAULT_USERS = 10
DEFAULT_WINDOW = "10s"
STEADY_WITHIN_NS = 30 * 10**9
"""A person waits: most that compile nothing are told steady by then, the others are marked."""
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


def timing(
    duration: str | None,
    warm_up: str | None,
    window: str | None,
    course: Users | Rate,
    *,
    is_stopped: bool,
) -> Timing:
    """How long to load and what of it to measure.

    Nothing said is a warm-up until steady and a window, where the load does not change and nothing is
    to end it early.
    """
    if duration is not None and window is not None:
        raise LoadstoneError("--duration and --window exclude each other", "give one of them")
    is_unsaid = warm_up is None and duration is None
    if warm_up == "steady" or (is_unsaid and not course.length_ns and not is_stopped):
        if duration is not None:
            raise LoadstoneError(
                "--warm-up steady lasts as long as it must, and --duration would end it",
                "give --window in its place",
            )
        if not course.is_steady:
            raise LoadstoneError(
                "--warm-up steady needs users or a rate that do not change",
                "leave --stages out, or give --warm-up a time",
            )
        window_ns = whole_seconds_ns("--window", window or DEFAULT_WINDOW)
        return Timing(window_ns, None, STEADY_WITHIN_NS)
    warm_up_ns = 0 if warm_up is None else whole_seconds_ns("--warm-up", warm_up, or_zero=True)
    if window is not None or (duration is None and not course.length_ns):
        window_ns = whole_seconds_ns("--window", window or DEFAULT_WINDOW)
        return Timing(warm_up_ns + window_ns, warm_up_ns, None)
    duration_ns = load_duration_ns(duration, course)
    if warm_up_ns >= duration_ns:
        raise LoadstoneError(
            f"--warm-up {warm_up} leaves nothing to measure of {duration_ns / SECOND_NS:g} s",
            "shorten it, or lengthen --duration",
        )
    return Timing(duration_ns, warm_up_ns, None)


def whole_seconds_ns(option: str, text: str, *, or_zero: bool = False) -> int:
    """A time of whole seconds above zero, or of zero too."""
    read = read_whole_seconds_or_zero_ns if or_zero else read_whole_seconds_ns
    return _read(option, lambda: read(text))


def load_duration_ns(text: str | None, course: Users | Rate) -> int:
    """How long to load: as said, else as long as the stages take."""
    length_ns = course.length_ns
    if text is None and length_ns:
        nanoseconds = length_ns
    else:
        nanoseconds = duration_ns("--duration", text or DEFAULT_WINDOW)
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
