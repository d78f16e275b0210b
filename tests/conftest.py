"""Makes the builders beside it importable from every test folder, and keeps clocks and the user's own
cache out of tests.
"""

import os
from collections.abc import Iterator
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

# A deadline is an assertion on wall-clock time, and says more of the machine than of the code.
settings.register_profile("loadstone", deadline=None)
settings.load_profile("loadstone")


@pytest.fixture(scope="session", autouse=True)
def _own_cache() -> Iterator[None]:
    """What tests read is kept in a folder of theirs, which commands that they start use, too."""
    with TemporaryDirectory(prefix="loadstone-test-cache-") as folder:
        before = os.environ.get("XDG_CACHE_HOME")
        os.environ["XDG_CACHE_HOME"] = folder
        yield
        if before is None:
            del os.environ["XDG_CACHE_HOME"]
        else:
            os.environ["XDG_CACHE_HOME"] = before
