"""`loadstone bench URL`: one load against any URL."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from loadstone.cli import bench_expectations, bench_words
from loadstone.cli.app import output, sweep_leftovers
from loadstone.cli.panels import PanelCommand

LOAD, REQUEST, CONNECTION, RESULT = "Load", "Request", "Connection", "Result"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bench", short_help="Load one URL", cls=PanelCommand)(bench)


def bench(
    context: typer.Context,
    url: Annotated[
        str,
        typer.Argument(metavar="URL", help="For example http://127.0.0.1:8080/ or https://[::1]/"),
    ],
    workload: Annotated[
        Path | None,
        typer.Option(
            "--workload",
            metavar="FILE",
            help="Load as a workload's file says: its groups, their sessions and feeds",
            rich_help_panel=LOAD,
        ),
    ] = None,
    users: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="NUM",
            help="Closed load: so many users, each with its own connection",
            show_default="10",
            rich_help_panel=LOAD,
        ),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            metavar="NUM",
            help="Open load: so many requests a second, evenly spaced",
            rich_help_panel=LOAD,
        ),
    ] = None,
    poisson: Annotated[
        bool,
        typer.Option(
            "--poisson",
            help="With --rate: requests start independently of each other",
            rich_help_panel=LOAD,
        ),
    ] = False,
    stages: Annotated[
        str | None,
        typer.Option(
            metavar="STAGES",
            help="Change users, or the rate with --rate: TO/TIME or FROM..TO/TIME, one after "
            "another, such as 10..100/30s,100/1m; TIME 0s is a step",
            rich_help_panel=LOAD,
        ),
    ] = None,
    think: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Pause of a user after each request: 500ms, uniform:100ms..1s or "
            "exponential:500ms",
            rich_help_panel=LOAD,
        ),
    ] = None,
    duration: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="How long to load, in whole seconds, its warm-up included",
            show_default="the stages, or warm-up and window",
            rich_help_panel=LOAD,
        ),
    ] = None,
    warm_up: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="What is left out of the figures: a time, or steady: until the service is warm, "
            "at most 30s",
            show_default="steady; with --duration, --stages or --stop-on none",
            rich_help_panel=LOAD,
        ),
    ] = None,
    window: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="How long to measure behind the warm-up, in whole seconds",
            show_default="10s",
            rich_help_panel=LOAD,
        ),
    ] = None,
    stop_on: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="Stop before: timeout, failed-check, failure, 'failures>50%/10s' (share, how long), "
            "'mean>30s/60s' or 'p99>1s/10s' (response time, how long); may be repeated",
            rich_help_panel=LOAD,
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="METHOD",
            help="HTTP method",
            show_default="GET, or POST with --body",
            rich_help_panel=REQUEST,
        ),
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option(
            metavar="'NAME: VALUE'",
            help="A request header; may be repeated",
            rich_help_panel=REQUEST,
        ),
    ] = None,
    body: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Request body; @FILE reads it from a file",
            rich_help_panel=REQUEST,
        ),
    ] = None,
    redirects: Annotated[
        int,
        typer.Option(
            min=0,
            max=20,
            metavar="NUM",
            help="Follow so many redirects of a request, on the same host alone",
            rich_help_panel=REQUEST,
        ),
    ] = 0,
    expect: Annotated[
        int | None,
        typer.Option(
            min=200,
            max=599,
            metavar="STATUS",
            help="The status of a good answer",
            show_default="any 2xx",
            rich_help_panel=REQUEST,
        ),
    ] = None,
    expect_body: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", help="Text in the body of a good answer", rich_help_panel=REQUEST
        ),
    ] = None,
    expect_json: Annotated[
        list[str] | None,
        typer.Option(
            metavar="'PATH=VALUE'",
            help="A value in the JSON body of a good answer, by its JSON pointer, such as "
            "'/items/0/id=7'; may be repeated",
            rich_help_panel=REQUEST,
        ),
    ] = None,
    varying_answers: Annotated[
        bool,
        typer.Option(
            "--varying-answers",
            help="Answers are meant to differ: do not compare their bodies",
            rich_help_panel=REQUEST,
        ),
    ] = False,
    timeout: Annotated[
        str,
        typer.Option(metavar="TIME", help="Longest wait for an answer", rich_help_panel=REQUEST),
    ] = "30s",
    http: Annotated[
        Literal["1.1", "2"],
        typer.Option(
            metavar="VERSION",
            help="1.1, or 2: by ALPN over https, by prior knowledge over http",
            rich_help_panel=CONNECTION,
        ),
    ] = "1.1",
    connections: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="NUM",
            help="With --rate: the most connections to open",
            rich_help_panel=CONNECTION,
        ),
    ] = 100,
    streams: Annotated[
        int,
        typer.Option(
            min=1,
            max=1000,
            metavar="NUM",
            help="Requests in flight on one connection: HTTP/2 streams, or pipelined HTTP/1.1",
            rich_help_panel=CONNECTION,
        ),
    ] = 1,
    new_connections: Annotated[
        bool,
        typer.Option(
            "--new-connections",
            help="Open a connection for every request",
            rich_help_panel=CONNECTION,
        ),
    ] = False,
    connect_timeout: Annotated[
        str,
        typer.Option(
            metavar="TIME", help="Longest wait for a connection", rich_help_panel=CONNECTION
        ),
    ] = "10s",
    insecure: Annotated[
        bool,
        typer.Option(
            "--insecure",
            help="Do not verify the server's certificate",
            rich_help_panel=CONNECTION,
        ),
    ] = False,
    ca: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Verify by these certificates (PEM) instead of Mozilla's",
            rich_help_panel=CONNECTION,
        ),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="Share of connections that ask to resume a TLS session, such as 50%",
            show_default="none",
            rich_help_panel=CONNECTION,
        ),
    ] = None,
    allow_target: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOST",
            help="A host of your own that is not loopback; may be repeated",
            rich_help_panel=CONNECTION,
        ),
    ] = None,
    cpus: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="CPUs for the engine, one thread each: 0 or 0,1",
            show_default="one thread, not pinned",
            rich_help_panel="Engine",
        ),
    ] = None,
    event_loop: Annotated[
        Literal["auto", "io_uring", "epoll"],
        typer.Option(
            metavar="LOOP",
            help="How it waits for the kernel: io_uring, epoll, or auto, whichever works best",
            rich_help_panel="Engine",
        ),
    ] = "auto",
    max_failures: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="NUM",
            help="More failures than this are exit code 1",
            rich_help_panel=RESULT,
        ),
    ] = 0,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Print what sessions send; load nothing", rich_help_panel=RESULT
        ),
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print the run record as JSON", rich_help_panel=RESULT),
    ] = False,
    hlog: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keep the HdrHistogram interval log", rich_help_panel=RESULT
        ),
    ] = None,
    requests: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep a row of 80 bytes for every request",
            rich_help_panel=RESULT,
        ),
    ] = None,
) -> None:
    """Load one URL and say how it answered, how sure that is, and what the generator itself cost.

    Every request counts: failures, timeouts and requests that were never answered are part of the
    quantiles. With --rate, response time runs from the time at which a request was due, so a slow
    server cannot hide requests.

    Where users wait while the service's CPU is idle, a second step of some seconds with half of them
    tells a lock from a pause. After a load of GET or HEAD, at most 61 single requests tell whether a
    browser, or a new URL (one more parameter), waits longer than the load did; after a load of
    another method the service is watched for 5 s, whether it goes on working.

    Exit code: 0 it stands, 1 a figure is withheld or there are more failures than --max-failures, 2
    it could not run.

    Examples:

      loadstone bench http://127.0.0.1:8080/ --users 50 --duration 5s

      loadstone bench http://127.0.0.1:8080/ --rate 500 --poisson --json

      loadstone bench https://[::1]:8443/ --http 2 --users 10 --streams 10

      loadstone bench http://127.0.0.1:8080/ --stages 10..100/30s,100/1m

      loadstone bench http://127.0.0.1:8080/ --workload shop.yaml --dry-run
    """
    from loadstone.cli.bench_file import of_file
    from loadstone.cli.bench_load import Asked, load_and_tell
    from loadstone.measure.loading.engine_plan import EngineOptions, protocol_of
    from loadstone.measure.loading.url_load import parse_header, url_workload
    from loadstone.report.terminal.sessions import print_sessions

    arrivals = bench_words.arrivals(users, rate, stages, connections, poisson=poisson)
    load = of_file(context, workload, url) or url_workload(
        url,
        arrivals=arrivals,
        method=method or ("GET" if body is None else "POST"),
        headers=tuple(parse_header(text) for text in header or []),
        body=bench_words.body(body),
        check=bench_expectations.check(expect, expect_body, expect_json or []),
        timing=bench_words.timing(duration, warm_up, window, arrivals, is_stopped=bool(stop_on)),
        connect_timeout_ns=bench_words.duration_ns("--connect-timeout", connect_timeout),
        timeout_ns=bench_words.duration_ns("--timeout", timeout),
        think=bench_words.think(think),
        streams=streams,
        new_connections=new_connections,
        redirects=redirects,
        stop=bench_words.stop_rules(stop_on or []),
    )
    asked = Asked(
        url,
        load,
        protocol_of(url, http2=http == "2"),
        allow_target or [],
        bench_words.cpus(cpus),
        EngineOptions(
            verify=not insecure,
            roots_pem=bench_words.certificates(ca),
            resumed_share=bench_words.resumed_share(resume),
            event_loop=event_loop,
            record_requests=requests is not None,
            compare_answers=not varying_answers,
        ),
        folder=Path() if workload is None else workload.parent,
    )
    bench_words.refuse_idle_tls_words(url, insecure=insecure, ca=ca, resume=resume)
    if dry_run:
        print_sessions(output(), load, asked.folder)
        return
    sweep_leftovers()
    told = load_and_tell(asked, max_failures, as_json=as_json, hlog=hlog, requests=requests)
    raise typer.Exit(told)
