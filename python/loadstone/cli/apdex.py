"""The option `--apdex`: up to when an answer satisfies its user, and up to when it is tolerated."""

from typing import Annotated

import typer

from loadstone.analysis.model import ApdexThresholds
from loadstone.errors import InputError

ApdexOption = Annotated[
    str | None,
    typer.Option(
        metavar="SATISFIED,TOLERATED",
        help="Response times up to which Apdex counts a user as satisfied, and as tolerating",
        show_default="1s,10s",
    ),
]


def thresholds(typed: str | None) -> ApdexThresholds:
    """`1s,10s` as thresholds; the usual ones where nothing was typed. `InputError` for another text."""
    if typed is None:
        return ApdexThresholds()
    from loadstone.errors import WrongValueError
    from loadstone.text.typed_units import duration_ns

    try:
        satisfied, tolerated = (duration_ns(part.strip()) for part in typed.split(","))
    except WrongValueError as error:
        raise InputError(f"--apdex {typed}: {error}", remedy=error.remedy) from None
    except ValueError:
        raise InputError(
            f"--apdex {typed}: these are not two times", remedy="write 1s,10s"
        ) from None
    if satisfied > tolerated:
        raise InputError(
            f"--apdex {typed}: what satisfies takes longer than what is tolerated",
            remedy=f"write {','.join(reversed(typed.split(',')))}",
        )
    return ApdexThresholds(satisfied_ns=satisfied, tolerated_ns=tolerated)
