"""What a Redis server is started with, the same in every run of every study, and recorded.

Nothing is written to files unless the system's file asks for it, as where a Redis is a cache: a
snapshot would come into the window of one arm and not of another. What that file sets stands in place
of these.
"""

from collections.abc import Mapping
from pathlib import Path

from loadstone.deploy.ports import LOOPBACK

SETTINGS: Mapping[str, str] = {
    "save": '""',
    "appendonly": "no",
    "maxmemory": "0",
    "maxmemory-policy": "noeviction",
    "io-threads": "1",
    "lazyfree-lazy-user-flush": "no",
}
"""As in a `redis.conf`."""

_OWN: Mapping[str, str] = {
    "daemonize": "no",
    "supervised": "no",
    "logfile": '""',  # standard output, which is its log
    "loglevel": "notice",
    "always-show-logo": "no",
    "set-proc-title": "no",  # the mark of the lab is in the environment, which a title writes over
}
"""What changes no figure."""

_ROOM_BYTES = 256 << 20
"""For the files of one that writes some."""
_LITTLE_ROOM_BYTES = 1 << 20
"""For its configuration alone."""

CONFIGURATION = "redis.conf"


def with_own(typed: Mapping[str, str]) -> dict[str, str]:
    """Return the settings with those of the system's file in place of the usual ones."""
    return {**SETTINGS, **{name: text or '""' for name, text in typed.items()}}


def is_persistent(settings: Mapping[str, str]) -> bool:
    """Whether it writes its data to files."""
    return settings["appendonly"] != "no" or settings["save"].strip() not in ("", '""')


def room_bytes(settings: Mapping[str, str]) -> int:
    """Return how much memory must be free for its files."""
    return _ROOM_BYTES if is_persistent(settings) else _LITTLE_ROOM_BYTES


def configuration(home: Path, address: str, port: int, settings: Mapping[str, str]) -> str:
    """Return the text of a `redis.conf`, with all that it writes below its home."""
    places = {"bind": address, "port": str(port), "dir": f'"{home}"'}
    if address != LOOPBACK:
        places["protected-mode"] = "no"  # which would take nobody from another machine
    told = {**_OWN, **places, **settings}
    return "".join(f"{name} {text}\n" for name, text in told.items())
