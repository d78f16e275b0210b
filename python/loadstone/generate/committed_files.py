"""Files that are generated and committed: written by `make generate`, checked fresh by `make check`."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from loadstone.errors import ExitCode

CHECKOUT = Path(__file__).resolve().parents[3]


def write_or_check(
    files: Mapping[Path, str],
    module: str,
    description: str | None,
    arguments: Sequence[str] | None = None,
) -> int:
    """Be a module's command: write the files that it makes, or with `--check` name the stale ones.

    `files` are paths in the checkout and their texts. Returns the exit code.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("--check", action="store_true", help="Write nothing; fail if one is stale")
    if not parser.parse_args(arguments).check:
        for path, text in files.items():
            (CHECKOUT / path).write_text(text, encoding="utf-8")
        return ExitCode.OK
    found = stale(files)
    for path in found:
        sys.stderr.write(f"{path}: stale: run `make generate`\n")
    return ExitCode.DOES_NOT_HOLD if found else ExitCode.OK


def stale(files: Mapping[Path, str]) -> tuple[Path, ...]:
    """Return the paths of the files that are missing or have another text."""
    paths = {CHECKOUT / path: text for path, text in files.items()}
    return tuple(
        path
        for path, text in paths.items()
        if not path.is_file() or path.read_text("utf-8") != text
    )
