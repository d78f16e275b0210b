"""What `pg_stat_statements` has seen, as kinds of statements and their numbers."""

import re
from collections.abc import Iterable

KINDS = ("select", "insert", "update", "delete", "other_commands")
"""As `DatabaseWork` names them."""

_COMMENT = re.compile(r"/\*.*?\*/|--[^\n]*", re.DOTALL)
_VERB = re.compile(r"[\s(]*([a-z]+)", re.IGNORECASE)
_CHANGES = re.compile(r"\b(insert|update|delete)\b", re.IGNORECASE)

_BEGIN = ("begin", "start")
_END = ("commit", "rollback", "end", "abort")


def kind_of(query: str) -> str:
    """Return what kind of statement this text is, one of `KINDS`."""
    text, verb = _read(query)
    if verb == "with":
        changes = _CHANGES.search(text)
        verb = "select" if changes is None else changes[1].lower()
    return verb if verb in KINDS else "other_commands"


def count_kinds(calls: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Sum the calls of each text by `KINDS`.

    A COMMIT that a client has prepared on the server, as pgjdbc does, is counted at its first use on
    a connection alone: `pgss_ProcessUtility` of PostgreSQL 15 takes its identifier from the plan,
    which the server keeps. BEGIN is not prepared. So transactions end at least as often as they begin.
    """
    counts = dict.fromkeys(KINDS, 0)
    begun = ended = 0
    for query, number in calls:
        counts[kind_of(query)] += number
        _, verb = _read(query)
        begun += number * (verb in _BEGIN)
        ended += number * (verb in _END)
    counts["other_commands"] += max(0, begun - ended)
    return counts


def _read(query: str) -> tuple[str, str]:
    """A text without its comments, and the verb that it begins with."""
    text = _COMMENT.sub(" ", query)
    first = _VERB.match(text)
    return text, "" if first is None else first[1].lower()
