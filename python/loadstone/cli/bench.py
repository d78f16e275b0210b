"""`loadstone bench URL`: one load against any URL."""

import shutil
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from loadstone.cli.app import messages, output, sweep_leftovers
from loadstone.deploy import ownership
from loadstone.deploy.placement import available_cpus
from loadstone.errors import ExitCode, InputError, LoadstoneError
from loadstone.report import units
from loadstone.results import folder
from loadstone.results.outcomes import Outcome
from loadstone.study.model import Rate, Users

DEFAULT_USERS = 10


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bench", short_help="Load one URL")(bench)


def bench(
    url: Annotated[str, typer.Argument(metavar="URL", help="For example http://127.0.0.1:8080/")],
    users: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="NUM",
            help="Closed load: so many users, each with its own connection",
            show_default="10",
        ),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            min=0.001, metavar="NUM", help="Open load: so many requests a second, evenly spaced"
        ),
    ] = None,
    connections: Annotated[
        int, typer.Option(min=1, metavar="NUM", help="With --rate: the most connections to open")
    ] = 100,
    duration: Annotated[
        str, typer.Option(metavar="TIME", help="How long to load, in whole seconds")
    ] = "10s",
    connect_timeout: Annotated[
        str, typer.Option(metavar="TIME", help="Longest wait for a connection")
    ] = "10s",
    timeout: Annotated[
        str, typer.Option(metavar="TIME", help="Longest wait for an answer")
    ] = "30s",
    method: Annotated[
        str | None,
        typer.Option(metavar="METHOD", help="HTTP method", show_default="GET, or POST with --body"),
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option(metavar="'NAME: VALUE'", help="A request header; may be repeated"),
    ] = None,
    body: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Request body; @FILE reads it from a file")
    ] = None,
    cpus: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="CPUs for the engine, one thread each: 0 or 0,1",
            show_default="one thread, not pinned",
        ),
    ] = None,
    max_failures: Annotated[
        int, typer.Option(min=0, metavar="NUM", help="More failures than this are exit code 1")
    ] = 0,
    allow_target: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOST", help="A host of your own that is not loopback; may be repeated"
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the run record as JSON")] = False,
    hlog: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the HdrHistogram interval log")
    ] = None,
) -> None:
    """Load one URL and say how it answered, how sure that is, and what the generator itself cost.

    Every request counts: failures, timeouts and requests that were never answered are part of the
    quantiles. With --rate, response time runs from the time at which a request was due, so a slow
    server cannot hide requests.

    Exit code: 0 it stands, 1 a figure is withheld or there are more failures than --max-failures, 2
    it could not run.

    Examples:

      loadstone bench http://127.0.0.1:8080/ --users 50 --duration 5s

      loadstone bench http://127.0.0.1:8080/ --rate 500 --json
    """
    if users is not None and rate is not None:
        raise LoadstoneError("--users and --rate exclude each other", "give one of them")
    from loadstone.analysis.model import Severity
    from loadstone.analysis.run import figures_and_findings
    from loadstone.measure.url import load_url, parse_header, url_workload
    from loadstone.report.terminal import print_run_result

    workload = url_workload(
        url,
        arrivals=Users(users=users or DEFAULT_USERS)
        if rate is None
        else Rate(rate_per_second=rate, connections=connections),
        method=method or ("GET" if body is None else "POST"),
        headers=tuple(parse_header(text) for text in header or []),
        body=_body(body),
        duration_ns=_duration_ns("--duration", duration),
        connect_timeout_ns=_duration_ns("--connect-timeout", connect_timeout),
        timeout_ns=_duration_ns("--timeout", timeout),
    )
    sweep_leftovers()
    with ownership.scratch_directory() as directory:
        with messages().status(f"loading {url}") as status:
            record = load_url(
                workload,
                url,
                directory,
                allowed=allow_target or [],
                cpus=_cpus(cpus),
                on_progress=lambda event: status.update(_progress_line(event)),
            )
        figures, operations, findings = figures_and_findings(record, directory)
        if hlog is not None:
            _keep(directory / folder.HISTOGRAMS, hlog)
    if as_json:
        sys.stdout.write(record.model_dump_json(indent=1) + "\n")
    else:
        print_run_result(output(), record, figures, operations, findings)
    failures = sum(record.outcomes.values()) - record.outcomes[Outcome.OK]
    withheld = any(finding.severity is Severity.WITHHOLD for finding in findings)
    raise typer.Exit(ExitCode.DOES_NOT_HOLD if withheld or failures > max_failures else ExitCode.OK)


def _progress_line(event: dict[str, Any]) -> str:
    p99_ns = event["response_time_p99_ns"]
    p99 = "" if p99_ns is None else f", p99 {units.duration(p99_ns)}"
    failures = event["offered"] - event["outcomes"]["ok"] - event["in_flight"]
    return (
        f"{event['elapsed_ns'] / 1e9:.0f} s: {event['throughput']:,.0f} ok/s{p99}, "
        f"{max(failures, 0):,} failed, engine {event['cpu_share']:.0%} CPU"
    )


def _duration_ns(option: str, text: str) -> int:
    from loadstone.study.raw import WrongValueError
    from loadstone.study.units import duration_ns

    try:
        return duration_ns(text)
    except WrongValueError as error:
        raise LoadstoneError(f"{option} {error}", error.remedy) from error


def _body(text: str | None) -> str:
    if text is None or not text.startswith("@"):
        return text or ""
    path = Path(text[1:])
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot be the body: {error}", path=path, remedy="give a UTF-8 file"
        ) from error


def _cpus(text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    try:
        cpus = tuple(sorted({int(word) for word in text.split(",")}))
    except ValueError as error:
        raise LoadstoneError(
            f"--cpus {text!r} is not a list of numbers", "for example --cpus 0,1"
        ) from error
    missing = set(cpus) - set(available_cpus())
    if missing:
        raise LoadstoneError(
            f"--cpus {text}: there is no CPU {min(missing)} for this process",
            f"choose from {','.join(map(str, available_cpus()))}",
        )
    return cpus


def _keep(source: Path, destination: Path) -> None:
    try:
        shutil.copyfile(source, destination)
    except OSError as error:
        raise LoadstoneError(f"--hlog {destination} cannot be written: {error.strerror}") from error
