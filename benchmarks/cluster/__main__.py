"""`python -m benchmarks.cluster`: gather the runs of a study at 100 machines that are made up."""

import argparse
import json
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.cluster.canned_wire import LINES_A_RUN, CannedWire
from benchmarks.engine.judgement import Table, Verdict, at_most
from benchmarks.engine.settings import CHECKOUT, say
from loadstone.cluster.open_sites import open_sites
from loadstone.cluster.packing import pack
from loadstone.errors import ExitCode
from loadstone.measure.execute import execute
from loadstone.measure.told import Told
from loadstone.results import folder
from loadstone.results.environment import Environment, Machine
from loadstone.results.looks import Look
from loadstone.results.record import ONE_MACHINE
from loadstone.simulate.site import simulated_site
from loadstone.study.design.order import runs_by_block
from loadstone.study.design.resolve import ResolvedPlan, resolve_plan
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.values.machines import Machines
from loadstone.study.values.model import Plan, PlannedRun
from loadstone.text import units

STUDY = CHECKOUT / "studies" / "mediation-release.yaml"
BEHAVIOURS = "default: {}\n"
RUN_SECONDS = 20
"""Of a load, when machines do them in their own time."""
MOST_CPU_SHARE = 0.5
"""Of a CPU, for 100 machines with a run of 20 s each: the rest is for Ray, which is not measured."""


class Silent:
    """Nobody watches."""

    def plan_began(self, plan: Plan, remaining: Sequence[PlannedRun], until: int) -> None:
        """Say nothing."""

    def look_taken(self, look: Look, remaining: Sequence[PlannedRun], until: int) -> None:
        """Say nothing."""

    def told(self, told: Told) -> None:
        """Say nothing."""


def main(arguments: list[str]) -> ExitCode:
    """Gather, print what it took, and say whether the bar holds."""
    parsed = _parser().parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="bench-cluster-") as text:
        directory = Path(text)
        resolved = _resolved(parsed.runs)
        archive = _canned(resolved, directory)
        say(f"gathering {len(resolved.plan.runs):,} runs of {parsed.machines} machines ...")
        wall, cpu = time.monotonic(), time.process_time()
        _gather(resolved, parsed.machines, archive, directory / "results")
        wall, cpu = time.monotonic() - wall, time.process_time() - cpu
        gathered = len([*(directory / "results" / folder.RUNS).glob(f"*/{folder.RECORD}")])
        size = archive.stat().st_size
    share = cpu / gathered * parsed.machines / RUN_SECONDS
    verdict = at_most(share, MOST_CPU_SHARE)
    table = Table(
        f"{gathered:,} run folders of {parsed.machines} machines, {LINES_A_RUN} lines each",
        ["what", "figure"],
        [
            ["a folder, packed", units.size(size)],
            ["gathered a second", f"{gathered / wall:,.0f}"],
            ["CPU time a run", units.duration(round(cpu / gathered * 1e9))],
            [
                "memory at most",
                units.size(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024),
            ],
            [f"of a CPU, at a run in {RUN_SECONDS} s each", f"{share:.1%}"],
        ],
        [f"at most {MOST_CPU_SHARE:.0%} of a CPU: {verdict}; without Ray, and without a network"],
    )
    sys.stdout.write(f"{table.markdown()}\n")
    figures = {
        "runs": gathered,
        "machines": parsed.machines,
        "wall_s": wall,
        "cpu_s": cpu,
        "bytes": size,
    }
    say(json.dumps(figures))
    return ExitCode.OK if verdict is Verdict.HOLDS else ExitCode.DOES_NOT_HOLD


def _resolved(runs: int) -> ResolvedPlan:
    """Return a study with as many blocks as make so many runs; one block is always there."""
    resolved = resolve_plan(STUDY, Catalogue(CHECKOUT))
    plan = resolved.plan
    (first, *_) = runs_by_block(plan)
    blocks = max(1, runs // len(first))
    repeated = tuple(
        run.model_copy(
            update={
                "block": block,
                "index": (block - 1) * len(first) + position,
                "id": f"{(block - 1) * len(first) + position:05d}-{run.arm}-{run.workload}",
            }
        )
        for block in range(1, blocks + 1)
        for position, run in enumerate(first, start=1)
    )
    return replace(
        resolved,
        plan=plan.model_copy(update={"blocks": blocks, "looks": (), "runs": repeated}),
    )


def _canned(resolved: ResolvedPlan, directory: Path) -> Path:
    """Simulate one run, and return an archive of what it leaves."""
    behaviours = directory / "behaviours.yaml"
    behaviours.write_text(BEHAVIOURS)
    site = simulated_site(resolved, behaviours)
    run = directory / "run"
    site._run(resolved.plan.runs[0], ONE_MACHINE, run, lambda _: None)
    archive = directory / "run.tar.gz"
    pack(run, archive)
    shutil.rmtree(run)
    return archive


def _gather(resolved: ResolvedPlan, count: int, archive: Path, results: Path) -> None:
    names = tuple(f"m{number}" for number in range(1, count + 1))
    machines = Machines(
        path=Path("machines.yaml"),
        head="127.0.0.1:6379",
        token=Path("token"),
        addresses={name: f"10.0.0.{number}" for number, name in enumerate(names, start=1)},
        sites=names,
    )
    environment = Environment(machine=Machine(cpu_model="made up", cpus=2))
    with open_sites(
        resolved, machines, results, lambda _: CannedWire(environment, archive)
    ) as sites:
        execute(resolved, sites, results, Silent(), _no_look, resume=False)


def _no_look(results: Path, block: int) -> Look:
    raise AssertionError(f"{results} has no look after block {block}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.cluster",
        description="Gather the runs of machines that are made up: what does it cost the driver?",
        epilog="Exit codes: 0 the bar holds; 1 it was missed.",
    )
    parser.add_argument("--runs", type=int, default=10_000, metavar="NUM", help="default: 10000")
    parser.add_argument("--machines", type=int, default=100, metavar="NUM", help="default: 100")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
