"""`python -m benchmarks.ray`: what Ray costs a machine that measures, idle and under load."""

import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.engine.judgement import Table, Verdict, at_most
from benchmarks.engine.settings import say
from benchmarks.ray.trial import RayUse, Trial
from loadstone.errors import ExitCode
from loadstone.text import units
from tests.cluster.namespaces import machines, reason_for_none

STUDIES = 3
"""Each way, in turn; of two runs each."""
MOST_RATIO = 1.1
"""Of the engine's lateness with Ray to that without it."""


def main() -> ExitCode:
    """Measure, print, and say whether the bar holds, or why no machines can be made."""
    reason = reason_for_none()
    if reason is not None:
        say(f"error: {reason}")
        return ExitCode.COULD_NOT_RUN
    directory = Path(tempfile.mkdtemp(prefix="loadstone-ray-", dir="/var/tmp"))
    try:
        with machines(directory) as made:
            trial = Trial(directory, made.add("head"), made.add("a", groups=True), made.add("b"))
            return _measure(trial)
    finally:
        shutil.rmtree(directory)


def _measure(trial: Trial) -> ExitCode:
    say("building, and holding the contract ...")
    trial.build()
    table, verdict = _beside_ray(trial)
    sys.stdout.write(f"{table.markdown()}\n\n")
    sys.stdout.flush()
    say("the same study at one site, then at two ...")
    with trial.joined(both=True):
        alone, together = trial.wall_seconds(both=False), trial.wall_seconds(both=True)
    sys.stdout.write(
        f"a study of services that hardly work took {alone:.0f} s at one site, and {together:.0f} s "
        f"at two: {together / alone:.2f} times\n"
    )
    return ExitCode.OK if verdict is Verdict.HOLDS else ExitCode.DOES_NOT_HOLD


def _beside_ray(trial: Trial) -> tuple[Table, Verdict]:
    without: list[int] = []
    joined: list[int] = []
    idle: list[RayUse] = []
    loaded: list[RayUse] = []
    for number in range(STUDIES):
        say(f"study {number + 1} of {STUDIES}, each without Ray and with it ...")
        for with_ray in (True, False) if number % 2 else (False, True):
            if with_ray:
                with trial.joined():
                    idle.append(trial.idle())
                    lateness, use = trial.lateness_with()
                joined += lateness
                loaded.append(use)
            else:
                without += trial.lateness_without()
    ratio = median(joined) / median(without)
    verdict = at_most(ratio, MOST_RATIO)
    table = Table(
        f"Ray on a machine that measures, {len(joined)} runs each way",
        ["what", "without Ray", "with Ray"],
        [
            ["lateness of the engine, p99.9, median", _times(without), _times(joined)],
            ["CPU, idle", "", _shares(idle)],
            ["CPU, under load", "", _shares(loaded)],
            ["memory, idle", "", _sizes(idle)],
            ["memory, under load", "", _sizes(loaded)],
        ],
        [
            f"lateness at most {MOST_RATIO:g} times: {ratio:.2f}, {verdict}; the head of the cluster "
            "and the driver of the study ran on the same CPUs"
        ],
    )
    return table, verdict


def _times(lateness: list[int]) -> str:
    low, high = (units.duration(edge(lateness)) for edge in (min, max))
    return f"{units.duration(round(median(lateness)))} ({low} to {high})"


def _shares(uses: list[RayUse]) -> str:
    return f"{median(use.cpu_share for use in uses):.2%} of a CPU"


def _sizes(uses: list[RayUse]) -> str:
    return units.size(round(median(use.memory_bytes for use in uses)))


if __name__ == "__main__":
    sys.exit(main())
