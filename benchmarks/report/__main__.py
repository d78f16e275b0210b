"""`python -m benchmarks.report`: analyse and render a large study, cold and cached."""

import argparse
import json
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.engine.judgement import Section, Table, Verdict, at_most, number
from benchmarks.engine.settings import CHECKOUT, say
from benchmarks.report.process_tree import Cost, cost_of
from loadstone.errors import ExitCode
from loadstone.results import folder

COLD_SECONDS, CACHED_SECONDS = 60.0, 15.0
PEAK_BYTES, HTML_BYTES = 1e9, 15e6
MODULES_SHOWN = 20
SIZES = (folder.REPORT_HTML, folder.REPORT_MARKDOWN, folder.ANALYSIS, folder.FINDINGS)
MAKER = CHECKOUT / "tests"
"""Where the maker of large studies is."""


def main(arguments: list[str]) -> ExitCode:
    """Make the study unless it is there, measure, print and keep what was found."""
    parsed = _parser().parse_args(arguments)
    study = parsed.study / f"{parsed.arms}-{parsed.blocks}-{parsed.seconds}"
    if not study.exists():
        _make(study, parsed)
    section = Section()
    with TemporaryDirectory(prefix="loadstone-bench-report-") as cache:
        environment = {"XDG_CACHE_HOME": cache}
        command = [sys.executable, "-m", "loadstone", "report", str(study)]
        (study / folder.REPORT_HTML).unlink(missing_ok=True)
        say("cold ...")
        cold = cost_of(command, environment)
        say("cached ...")
        cached = cost_of(command, environment)
        cache_bytes = sum(each.stat().st_size for each in Path(cache).rglob("*") if each.is_file())
    if not (study / folder.REPORT_HTML).is_file():
        say("error: `loadstone report` made no report: see it by hand")
        return ExitCode.COULD_NOT_RUN
    section.tables.append(_costs(section, cold, cached))
    section.tables.append(_sizes(section, study, cache_bytes))
    if not parsed.no_profile:
        section.tables += [_profile(study, name) for name in ("cold", "cached")]
    for table in section.tables:
        sys.stdout.write(f"{table.markdown()}\n\n")
    (study.parent / "figures.json").write_text(
        json.dumps({"cold": asdict(cold), "cached": asdict(cached)}, indent=1) + "\n"
    )
    return ExitCode.DOES_NOT_HOLD if section.missed else ExitCode.OK


def _make(study: Path, parsed: argparse.Namespace) -> None:
    say(f"making {study}: minutes, and 3 MB for a minute of load")
    study.parent.mkdir(parents=True, exist_ok=True)
    partial = study.with_name(f".{study.name}")
    shutil.rmtree(partial, ignore_errors=True)
    size = [f"--{name}={getattr(parsed, name)}" for name in ("arms", "blocks", "seconds")]
    subprocess.run(
        [sys.executable, "-m", "large_study", partial, *size],
        env={"PYTHONPATH": f"{MAKER}:{CHECKOUT / 'python'}", "PATH": "/usr/bin:/bin"},
        check=True,
    )
    partial.rename(study)


def _costs(section: Section, cold: Cost, cached: Cost) -> Table:
    table = Table(
        "Analysis and report of a large study",
        ["", "wall s", "at most", "", "CPU s", "peak MB", "at most", ""],
    )
    for name, cost, bar in (("cold", cold, COLD_SECONDS), ("cached", cached, CACHED_SECONDS)):
        in_time = section.judge(at_most(cost.wall_seconds, bar))
        in_memory = section.judge(at_most(cost.peak_bytes, PEAK_BYTES))
        table.rows.append(
            [
                name,
                number(cost.wall_seconds, 1),
                number(bar, 0),
                in_time,
                number(cost.cpu_seconds, 1),
                number(cost.peak_bytes / 1e6, 0),
                number(PEAK_BYTES / 1e6, 0),
                in_memory,
            ]
        )
    table.notes.append("Memory is that of all processes together, shared pages counted in each.")
    return table


def _sizes(section: Section, study: Path, cache_bytes: int) -> Table:
    table = Table("Sizes", ["file", "MB", "at most", ""])
    for name in SIZES:
        size = (study / name).stat().st_size
        bar = HTML_BYTES if name == folder.REPORT_HTML else None
        verdict = section.judge(at_most(size, bar)) if bar else str(Verdict.NO_BAR)
        table.rows.append([name, number(size / 1e6), number(bar and bar / 1e6, 0), verdict])
    table.rows.append(["cache", number(cache_bytes / 1e6), "–", str(Verdict.NO_BAR)])
    return table


def _profile(study: Path, name: str) -> Table:
    say(f"profile, {name} ...")
    with TemporaryDirectory(prefix="loadstone-bench-report-") as scratch:
        out = Path(scratch) / "profile.json"
        command = [sys.executable, "-m", "benchmarks.report.profile", str(study), str(out)]
        environment = {"XDG_CACHE_HOME": scratch}
        for _ in range(1 if name == "cold" else 2):
            cost_of(command, environment)
        seconds: dict[str, float] = json.loads(out.read_text())
    total = sum(seconds.values())
    table = Table(f"CPU seconds by module, {name}, in one process", ["module", "s", "share"])
    for module, spent in list(seconds.items())[:MODULES_SHOWN]:
        table.rows.append([module, number(spent), f"{spent / total:.1%}"])
    table.notes.append(
        f"{total:.1f} s in all, sampled; a module has what it calls outside Loadstone."
    )
    return table


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.report",
        description="Measure the analysis and the report of a large study.",
        epilog="Exit codes: 0 every bar holds; 1 one was missed; 2 it could not run.",
    )
    parser.add_argument(
        "--study",
        type=Path,
        default=CHECKOUT / ".loadstone" / "bench-report",
        metavar="DIR",
        help="where studies are made and kept; default: .loadstone/bench-report/",
    )
    parser.add_argument("--arms", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--no-profile", action="store_true", help="do not tell where the time goes")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
