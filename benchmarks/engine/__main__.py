"""`python -m benchmarks.engine`: wires options to sections, and sections to files and tables."""

import argparse
import resource
import sys
import time
from pathlib import Path

from benchmarks.engine.measure import stay_off_the_generator
from benchmarks.engine.sections import SECTIONS
from benchmarks.engine.settings import CHECKOUT, Settings, say
from loadstone.deploy.binaries import find_engine
from loadstone.deploy.interruptible import interruptible
from loadstone.errors import ExitCode, Interrupted, LoadstoneError
from loadstone.machine import ownership


def main(arguments: list[str]) -> ExitCode:
    """Run the sections, print their tables, keep their figures."""
    parsed = _parser().parse_args(arguments)
    names = [name for name in parsed.only.split(",") if name] or list(SECTIONS)
    if unknown := sorted(set(names) - set(SECTIONS)):
        say(f"error: no section {', '.join(unknown)}; there are: {', '.join(SECTIONS)}")
        return ExitCode.COULD_NOT_RUN
    try:
        settings = _settings(parsed)
        with interruptible():
            return _run(settings, names)
    except (LoadstoneError, Interrupted) as error:
        say(f"error: {error.message}" + (f"\n{error.remedy}" if error.remedy else ""))
        return ExitCode.COULD_NOT_RUN


def _run(settings: Settings, names: list[str]) -> ExitCode:
    ownership.sweep()
    ownership.sweep_scratch()
    stay_off_the_generator()
    missed = 0
    texts = []
    for name in names:
        say(f"{name} ...")
        section = SECTIONS[name](settings)
        missed += section.missed
        texts += [table.markdown() for table in section.tables]
        settings.keep(f"{name}.json", section.data)
        settings.keep("tables.md", "\n\n".join(texts) + "\n")
        for table in section.tables:
            sys.stdout.write(f"{table.markdown()}\n\n")
        sys.stdout.flush()
    say(f"figures: {settings.results}")
    return ExitCode.DOES_NOT_HOLD if missed else ExitCode.OK


def _settings(parsed: argparse.Namespace) -> Settings:
    # 10,000 connections, on both sides.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    moment = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    if not parsed.workbench.is_file():
        raise LoadstoneError(f"{parsed.workbench} is missing", "run `make bench-engine`")
    return Settings(
        rounds=parsed.rounds,
        seconds=parsed.seconds,
        memory_seconds=parsed.memory_seconds,
        rows=parsed.rows,
        engine=(parsed.engine or find_engine()).resolve(),
        workbench=parsed.workbench.resolve(),
        results=parsed.results / f"bench-engine-{moment}",
        engine_before=parsed.engine_before.resolve() if parsed.engine_before else None,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.engine",
        description="Measure the load engine against its peers, on this machine alone.",
        epilog="Exit codes: 0 no bar was missed; 1 a bar was missed; 2 it could not run.",
    )
    sections = ",".join(SECTIONS)
    parser.add_argument("--only", default="", metavar="NAMES", help=f"of {sections}; default: all")
    parser.add_argument("--rounds", type=_positive, default=7, help="paired rounds; default 7")
    parser.add_argument(
        "--seconds", type=_positive, default=4, help="of one throughput run; default 4"
    )
    parser.add_argument(
        "--memory-seconds", type=_positive, default=600, help="of the memory run; default 600"
    )
    parser.add_argument(
        "--rows", default="", metavar="TEXT", help="only throughput rows whose name contains TEXT"
    )
    parser.add_argument("--engine", type=Path, help="default: the installed loadstone-engine")
    parser.add_argument(
        "--engine-before", type=Path, help="an earlier engine, for the price of plain requests"
    )
    parser.add_argument(
        "--workbench", type=Path, default=CHECKOUT / "target/release/loadstone-workbench"
    )
    parser.add_argument("--results", type=Path, default=CHECKOUT / "results")
    return parser


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
