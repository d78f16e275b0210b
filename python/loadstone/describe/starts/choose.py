"""The way to start a service: the only one, the one that was named, or what a person answers."""

import shlex
from typing import Protocol

from loadstone.describe.starts.find import FoundStarts
from loadstone.describe.starts.model import Way
from loadstone.describe.yaml_text import unwritable
from loadstone.errors import LoadstoneError
from loadstone.text.quoted import shortened, suggestion

GIVEN = "--command"
"""Where a command is from that somebody typed."""
_SAY_IT = "say how the service starts: loadstone init ... --command './service --port $PORT'"


class Ask(Protocol):
    """Asks a person, or says that there is none."""

    def __call__(self, question: str, default: str | None) -> str | None:
        """Return the answer; none where nobody can be asked."""


def choose_way(found: FoundStarts, command: str | None, process: str | None, ask: Ask) -> Way:
    """Return the way to start. Raises LoadstoneError where nobody says which."""
    if command is not None and process is not None:
        raise LoadstoneError("--command and --process exclude each other", "give one of the two")
    if command is not None:
        return _given(command)
    names = [each.name for each in found.ways]
    if process is not None:
        return _named(found, process)
    if len(names) == 1:
        return _judged(found.ways[0])
    if not names:
        return _asked(found, ask)
    answer = ask(f"{found.told_by} has {', '.join(names)}. Which is the service?", names[0])
    if answer is None:
        listed = "; ".join(f"{each.name}: {shortened(each.command)}" for each in found.ways)
        raise LoadstoneError(
            f"{found.told_by} has {len(names)} processes ({listed})",
            f"say which is the service: loadstone init ... --process {names[0]}",
        )
    return _named(found, answer.strip())


def _given(command: str) -> Way:
    """What somebody typed. Raises LoadstoneError where it is no command line."""
    return _judged(Way(GIVEN, command.replace("\n", " ").strip()))


def _judged(way: Way) -> Way:
    """Refuse what cannot be run or written. Raises LoadstoneError."""
    try:
        words = shlex.split(way.command)
    except ValueError as error:
        raise LoadstoneError(
            f"the command of {way.name} cannot be read: {error}", _SAY_IT
        ) from None
    reason = unwritable(way.run) if words else "is empty"
    if reason is not None:
        raise LoadstoneError(f"the command of {way.name} {reason}", _SAY_IT)
    return way


def _named(found: FoundStarts, name: str) -> Way:
    names = [each.name for each in found.ways]
    if name not in names:
        raise LoadstoneError(
            f"there is no process {shortened(name)!r} in {found.told_by or 'the project'}",
            suggestion(name, names) if names else _SAY_IT,
        )
    return _judged(found.ways[names.index(name)])


def _asked(found: FoundStarts, ask: Ask) -> Way:
    hint = found.container_command
    answer = ask("Which command starts the service, listening on 127.0.0.1:$PORT?", hint)
    if answer is not None and answer.strip():
        return _given(answer)
    told = "" if hint is None else f"; its container runs `{shortened(hint)}`"
    raise LoadstoneError(
        f"no file of the project says how its service starts{told}",
        _SAY_IT,
    )
