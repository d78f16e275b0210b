"""Numbers that R gave for the data sets in `reference/`, and the data sets.

They are recorded beside the script that made them, `X.R` in `X.recorded.csv`; to record anew:
`cd tests/stats/reference && Rscript --vanilla X.R > X.recorded.csv` (R 4 with `survival` and `nlme`,
which come with it).
"""

import csv
import io
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

FOLDER = Path(__file__).parent / "reference"

Values = dict[tuple[str, str], dict[str, float | None]]
"""By data set and statistic, by name; None where R has none."""


def recorded(script: str) -> Values:
    return read(recorded_path(script).read_text())


def recorded_path(script: str) -> Path:
    return FOLDER / f"{script}.recorded.csv"


def read(text: str) -> Values:
    values: Values = {}
    for row in csv.DictReader(io.StringIO(text)):
        value = None if row["value"] == "none" else float(row["value"])
        values.setdefault((row["set"], row["statistic"]), {})[row["name"]] = value
    return values


def of(values: Values, statistic: str) -> list[tuple[str, dict[str, float | None]]]:
    """Of each data set that has the statistic: its name and the numbers."""
    return [(name, found) for (name, kind), found in values.items() if kind == statistic]


def missing_for(script: str) -> str:
    """What this machine lacks to run a script again; empty if nothing."""
    if shutil.which("Rscript") is None:
        return "there is no Rscript"
    packages = [
        name for name in ("survival", "nlme") if name in (FOLDER / f"{script}.R").read_text()
    ]
    for package in packages:
        probe = f'quit(status = !requireNamespace("{package}", quietly = TRUE))'
        if subprocess.run(["Rscript", "--vanilla", "-e", probe], check=False).returncode:
            return f"R has no package {package}"
    return ""


def run_again(script: str) -> str:
    return subprocess.run(
        ["Rscript", "--vanilla", f"{script}.R"],
        cwd=FOLDER,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def rows(data: str) -> dict[str, list[Mapping[str, str]]]:
    """The rows of a file of data sets, by set."""
    sets: dict[str, list[Mapping[str, str]]] = {}
    with (FOLDER / f"{data}.csv").open() as file:
        for row in csv.DictReader(file):
            sets.setdefault(row["set"], []).append(row)
    return sets


def arms() -> dict[str, tuple[list[float], list[float]]]:
    """Values of baseline and other, by set."""
    return {
        name: (_values(of_set, "baseline"), _values(of_set, "other"))
        for name, of_set in rows("two_arms").items()
    }


def _values(of_set: Iterable[Mapping[str, str]], arm: str) -> list[float]:
    return [float(row["value"]) for row in of_set if row["arm"] == arm]
