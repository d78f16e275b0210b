"""The template of a server's data: made once for a version and a seed, and copied for every run.

An empty data directory and the stored rows take seconds to make, and a copy tenths of one. All runs so
begin with the same files, page by page.
"""

import hashlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from loadstone.deploy.dependencies.data import DataDirectory, give_to
from loadstone.deploy.dependencies.interface import Place
from loadstone.deploy.dependencies.private_server import PrivateServer
from loadstone.deploy.dependencies.sql import SqlFailed
from loadstone.deploy.whole_folder import whole_folder
from loadstone.errors import StepFailed

DATA = "data"
"""The folder of a server's home that is the template's copy."""


def find_template(
    folder: Path, user: str | None, room_bytes: int, make: Callable[[Path], None]
) -> Path:
    """Return the folder of a template; where it is not there yet, `make` fills a home for it.

    Raises StepFailed('deploy'), or StepFailed('seed') where a file of the seed is not taken.
    """
    if not folder.is_dir():
        with whole_folder(folder) as partial:
            home = new_home(user, room_bytes)
            try:
                make(home.path)
                shutil.copytree(home.path / DATA, partial, copy_function=shutil.copyfile)
            finally:
                home.remove()
    return folder


def digest_of(told: Sequence[str], files: Sequence[Path]) -> str:
    """Return what a template is known by: 16 digits of the SHA-256 of texts and files."""
    digest = hashlib.sha256("\0".join(told).encode())
    for path in files:
        content = path.read_bytes()
        digest.update(f"\0{path.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def new_home(user: str | None, room_bytes: int) -> DataDirectory:
    """Return a home for a server: its data, and whatever else it writes, all in memory."""
    home = DataDirectory(user, memory_bytes=room_bytes)
    for name in (DATA, "temporary"):
        (home.path / name).mkdir(mode=0o700)
        if user is not None:
            give_to(user, home.path / name)
    return home


@contextmanager
def filling(place: Place, server: PrivateServer) -> Iterator[None]:
    """Have a server run that the block fills with its seed, and end it with all data at rest.

    Raises StepFailed('deploy'), or StepFailed('seed') where the block raises SqlFailed.
    """
    server.start()
    try:
        yield
        server.end()
    except SqlFailed as error:
        raise StepFailed(
            "seed", f"{place.name} does not take its seed: {error.message}", server.log_tail()
        ) from error
    except TimeoutError as error:
        raise StepFailed("deploy", str(error), server.log_tail()) from error
    finally:
        server.kill()


def copy_template(template: Path, data: Path, user: str | None) -> None:
    """Copy the template for a user. Raises StepFailed('deploy'), as where the memory is full."""
    try:
        shutil.copytree(template, data, copy_function=shutil.copyfile, dirs_exist_ok=True)
    except (OSError, shutil.Error) as error:
        raise StepFailed("deploy", f"the template {template} cannot be copied: {error}") from error
    for path in data.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
        if user is not None:
            give_to(user, path)


def copy_anew(template: Path, data: Path, user: str | None) -> None:
    """Put a new copy in the place of one that no server runs on. Raises StepFailed('deploy')."""
    for path in data.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    copy_template(template, data, user)


def account_text(place: Place) -> tuple[str, ...]:
    """Return the account that a template is made with, as a part of what it is known by."""
    account = place.options.account
    return () if account is None else (place.name, account.user, account.password)
