"""Makes the builders beside it importable from every test folder, and keeps clocks out of tests."""

from hypothesis import settings

# A deadline is an assertion on wall-clock time, and says more of the machine than of the code.
settings.register_profile("loadstone", deadline=None)
settings.load_profile("loadstone")
