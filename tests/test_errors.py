"""The tree of errors: what the lab raises is in it, and stands in its picture."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator

import loadstone
from loadstone import errors
from loadstone.errors import Interrupted, LoadstoneError


def exceptions() -> Iterator[type[BaseException]]:
    """Yield every exception that the lab defines."""
    for module in pkgutil.walk_packages(loadstone.__path__, "loadstone."):
        if module.name.endswith("__main__"):
            continue
        for _, found in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if issubclass(found, BaseException) and found.__module__ == module.name:
                yield found


def test_every_error_derives_from_a_base_and_stands_in_the_picture() -> None:
    found = set(exceptions())
    assert {LoadstoneError, Interrupted} < found
    for each in found:
        assert issubclass(each, LoadstoneError | Interrupted), f"{each} has no base"
        assert each.__name__ in (errors.__doc__ or ""), f"{each} is not in the picture"
