"""What all commands load before they do anything: nothing that takes a second."""

import subprocess
import sys

LOAD = """
import importlib, pkgutil, sys
import loadstone.cli
from loadstone.described import are_fields_described
for module in pkgutil.iter_modules(loadstone.cli.__path__, "loadstone.cli."):
    importlib.import_module(module.name)
print(*sorted({"scipy.stats", "scipy.optimize"} & set(sys.modules)), are_fields_described())
"""


def test_commands_load_neither_distributions_nor_descriptions_of_fields() -> None:
    ended = subprocess.run([sys.executable, "-c", LOAD], check=True, capture_output=True, text=True)
    assert ended.stdout.split() == ["False"]
