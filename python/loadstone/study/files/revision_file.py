"""A stack as a revision of its repository has it, as typed in a study."""

import re
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from loadstone.errors import WrongValueError
from loadstone.study.files.raw import Name, Raw
from loadstone.text.quoted import shortened

REVISION_PATTERN = r"^[^\s-]\S*$"
"""Git takes what begins with a hyphen for an option."""


def _is_revision(text: str) -> str:
    if not re.fullmatch(REVISION_PATTERN, text):
        raise WrongValueError(
            f"{shortened(text)!r} is not a revision",
            "write a branch, a tag, a commit, HEAD or working-tree",
        )
    return text


class RawRevision(Raw):
    """A stack built from a revision of the git repository that its folder is in."""

    elsewhere: ClassVar = {
        "dir": "it belongs to command: a stack knows where it is in its repository"
    }

    label: Name
    """The factor's level: what tables call it."""
    git: Annotated[
        str, AfterValidator(_is_revision), Field(json_schema_extra={"pattern": REVISION_PATTERN})
    ]
    """A branch, a tag, a commit or `HEAD`; or `working-tree`: its commit with what is changed and new
    there, but not ignored."""
    stack: Name | None = None
    """The stack's name. Default: the only one that the service has."""
    runtime: Name | None = None
    """One of the stack's runtimes. Default: its first."""
