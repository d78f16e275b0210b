"""Ray's programs on one machine, for as long as a command runs: `cluster up` and `cluster join`.

They are children of the command, carry its mark, and end with it: `ray stop` would end every Ray of the
machine, others' too, and is never called.
"""

import os
import secrets
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from loadstone.cluster.ray_settings import INSTALL
from loadstone.deploy.placement import available_cores, place
from loadstone.errors import Unavailable
from loadstone.machine import ownership

_TOKEN_BYTES = 32
_LEAVING_SECONDS = 10.0


def require_ray() -> None:
    """Raise Unavailable where Ray is not installed."""
    if find_spec("ray") is None:
        raise Unavailable("Ray is not installed", INSTALL)


def make_token(path: Path) -> bool:
    """Make the token of a cluster, for its owner alone; return whether it was not there before."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return False
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_hex(_TOKEN_BYTES))
    return True


def refuse_open_token(path: Path) -> None:
    """Raise Unavailable where there is no token, or others may read it: it runs code everywhere."""
    try:
        mode = path.stat().st_mode
    except OSError:
        raise Unavailable(
            f"there is no token at {path}",
            "copy it from the machine where `loadstone cluster up` runs",
        ) from None
    if mode & 0o077:
        raise Unavailable(f"others may read the token at {path}", f"chmod 600 {path}")


def run_ray(options: Sequence[str], variables: Mapping[str, str]) -> int:
    """Start Ray on the CPUs that measuring leaves to the bench, and wait until it ends.

    Returns its exit code. On Interrupted it is told to leave, and what stays is ended by its mark.
    Raises Unavailable where Ray is not installed.
    """
    require_ray()
    os.sched_setaffinity(0, place(available_cores()).bench)
    environment = {**os.environ, **variables, ownership.VARIABLE: ownership.mark()}
    child = subprocess.Popen(
        [sys.executable, "-m", "ray.scripts.scripts", "start", *options],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return child.wait()
    finally:
        if child.poll() is None:
            child.terminate()
            try:
                child.wait(_LEAVING_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        ownership.kill_marked(ownership.mark())
