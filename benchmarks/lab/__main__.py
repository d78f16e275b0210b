"""`python -m benchmarks.lab`: run one arm against itself, or judge such a run that is there already."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from benchmarks.engine.judgement import Table, Verdict, at_most
from benchmarks.engine.settings import CHECKOUT, say
from benchmarks.lab.same_again import (
    BLOCKS,
    METRIC,
    MOST_DIFFERENT_SHARE,
    Group,
    data_of,
    groups_of,
    is_different,
)
from loadstone.errors import ExitCode, LoadstoneError
from loadstone.measure.resume import results_folders
from loadstone.results.write import write_text

STUDY, PROFILE = "mediation-same-again", "pairs"
FIGURES = "same-again.json"
COMMAND = Path(sys.executable).parent / "loadstone"


def main(arguments: list[str]) -> ExitCode:
    """Run the study unless its results are given, judge its groups, print and keep what was found."""
    parsed = _parser().parse_args(arguments)
    try:
        results = parsed.of or _run(parsed.out)
        groups, left_out = groups_of(results)
        write_text(results / FIGURES, json.dumps(data_of(groups, left_out), indent=1) + "\n")
    except LoadstoneError as error:
        say(f"error: {error.message}" + (f"\n{error.remedy}" if error.remedy else ""))
        return ExitCode.COULD_NOT_RUN
    different = sum(map(is_different, groups))
    verdict = at_most(different / len(groups) if groups else None, MOST_DIFFERENT_SHARE)
    sys.stdout.write(f"{_table(groups, left_out, different, verdict).markdown()}\n")
    say(f"figures: {results / FIGURES}")
    return ExitCode.DOES_NOT_HOLD if verdict is not Verdict.HOLDS else ExitCode.OK


def _run(out: Path) -> Path:
    """Run the study by the command that a user has. A run that fails leaves its group out."""
    ended = subprocess.run(
        [COMMAND, "run", STUDY, "--profile", PROFILE, "--out", out], cwd=CHECKOUT, check=False
    )
    if ended.returncode == ExitCode.COULD_NOT_RUN:
        raise LoadstoneError(f"`loadstone run {STUDY}` could not run", "see above")
    return results_folders(out, STUDY)[0]


def _table(groups: tuple[Group, ...], left_out: int, different: int, verdict: Verdict) -> Table:
    table = Table(
        f"One gateway against itself: {METRIC}, {len(groups)} disjoint groups of {BLOCKS} blocks",
        ["first block", "ratio", "low", "high", "verdict"],
    )
    for group in groups:
        figures = [f"{each:.3f}" for each in (group.ratio, group.low, group.high)]
        table.rows.append([str(group.first_block), *figures, group.relation])
    table.notes.append(
        f"{different} of {len(groups)} different (at most {MOST_DIFFERENT_SHARE:.1%}): {verdict}; "
        f"{left_out} groups left out, since a run of theirs has no figure"
    )
    return table


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.lab",
        description="Measure one gateway against itself: how often is a difference found?",
        epilog="Exit codes: 0 the bar holds; 1 it was missed; 2 it could not run.",
    )
    parser.add_argument(
        "--of", type=Path, metavar="RESULTS", help="judge these results and run nothing"
    )
    parser.add_argument(
        "--out", type=Path, default=CHECKOUT / "results", metavar="DIR", help="default: results/"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
