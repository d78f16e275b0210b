"""The data directory of a dependency: its own, for one run, removed with it.

It lies in a scratch folder that carries the lab's mark, so that a sweep removes it after a lab that was
killed, whoever owns what is in it: servers such as PostgreSQL refuse to run as root, and get a data
directory of another user.
"""

import os
import pwd
from contextlib import ExitStack
from pathlib import Path

from loadstone.errors import StepFailed
from loadstone.machine import ownership


class DataDirectory:
    """An empty folder until `remove`; of mode 0700, as servers ask of their data."""

    def __init__(self, user: str | None = None) -> None:
        """Make it for `user`, else for the user who runs the lab.

        Raises StepFailed('deploy') where there is no such user, or the lab may not give it away.
        """
        with ExitStack() as parts:
            scratch = parts.enter_context(ownership.scratch_directory())
            self.path = scratch / "data"
            self.path.mkdir(mode=0o700)
            if user is not None:
                scratch.chmod(0o711)  # the user must get through to it, and see nothing else
                _give_to(user, self.path)
            self._parts = parts.pop_all()

    def remove(self) -> None:
        """Remove it with what is in it; once more does nothing."""
        self._parts.close()


def _give_to(user: str, path: Path) -> None:
    try:
        found = pwd.getpwnam(user)
        os.chown(path, found.pw_uid, found.pw_gid)
    except KeyError as error:
        raise StepFailed("deploy", f"there is no user {user} to own {path}") from error
    except PermissionError as error:
        raise StepFailed(
            "deploy", f"{path} cannot be given to {user}: only root may do that"
        ) from error
