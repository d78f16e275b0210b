"""Makes the builders beside it importable from every test folder, and keeps clocks and the user's own
cache out of tests.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

from loadstone.described import ask_for_descriptions

# For tests of schemas; the commands that tests start do without.
ask_for_descriptions()

# A deadline is an assertion on wall-clock time, and says more of the machine than of the code. And the
# gate draws the same each time, so that nobody's change meets another's rare draw: `make check-all`
# draws anew.
settings.register_profile("anew", deadline=None)
settings.register_profile("same", deadline=None, derandomize=True)
settings.load_profile("same")


@pytest.fixture(scope="session", autouse=True)
def _own_cache() -> Iterator[None]:
    """What tests read is kept in a folder of theirs, which commands that they start use, too.

    Go's compiler is left its own: it would first compile Go's library each time, for half a minute.
    """
    own = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    with (
        TemporaryDirectory(prefix="loadstone-test-cache-") as folder,
        pytest.MonkeyPatch.context() as changed,
    ):
        if "GOCACHE" not in os.environ:
            changed.setenv("GOCACHE", str(own / "go-build"))
        changed.setenv("XDG_CACHE_HOME", folder)
        yield
