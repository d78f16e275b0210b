"""One load against any URL: no deployment, no contract, and still a full run record.

The process behind it is observed where it is one of this machine.
"""

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from loadstone.deploy.binaries import binary_version, find_engine
from loadstone.deploy.listener import NoListener, find_listener
from loadstone.deploy.target_address import Target, connect, resolve_targets
from loadstone.errors import LoadstoneError, StepFailed
from loadstone.machine.compile_threads import compiling
from loadstone.measure.loading.engine_plan import EngineOptions, engine_plan
from loadstone.measure.loading.feed_rows import feed_rows
from loadstone.measure.loading.offer import LoadProgress, offer_load
from loadstone.measure.loading.steady_watch import SteadyWatch
from loadstone.measure.loading.window import window_of
from loadstone.measure.process_facts import listener_facts, probe_facts
from loadstone.results import folder
from loadstone.results.asked import asked_facts
from loadstone.results.record import ProcessFacts, RunIdentity, RunRecord, now_utc
from loadstone.results.service_facts import AddressFacts
from loadstone.results.write import write_text
from loadstone.study.values.arrivals import Rate, Think, Users
from loadstone.study.values.groups import Group
from loadstone.study.values.model import Protocol, Workload
from loadstone.study.values.steps import AnswerCheck, Send
from loadstone.study.values.stop_rules import StopRules
from loadstone.study.values.timing import Timing

STUDY = "bench"
SERVICE = "service"
"""Name of the process that is loaded: a URL has no other."""

CONNECT_SECONDS = 1.0
"""For the first connection, which only shows that something listens."""

NO_CHECK = AnswerCheck()
"""Any 2xx will do."""

_GRACE_NS = 5 * 10**9
_SEED = 1
"""Any number: two loads of the same options draw the same."""


def parse_header(text: str) -> tuple[str, str]:
    """Return name and value of `Name: value`. Raises LoadstoneError."""
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise LoadstoneError(
            f"--header {text!r} is not a header", "for example --header 'Accept: application/json'"
        )
    return name.strip(), value.strip()


def url_workload(
    url: str,
    *,
    arrivals: Users | Rate,
    method: str,
    check: AnswerCheck = NO_CHECK,
    headers: tuple[tuple[str, str], ...],
    body: str,
    timing: Timing,
    connect_timeout_ns: int,
    timeout_ns: int,
    think: Think | None = None,
    streams: int = 1,
    new_connections: bool = False,
    redirects: int = 0,
    stop: StopRules | None = None,
) -> Workload:
    """Return the workload of one operation: the URL's path and query.

    Its times are whole seconds, as the engine's intervals are. Raises LoadstoneError.
    """
    if new_connections and streams > 1:
        raise LoadstoneError(
            "--streams and --new-connections exclude each other: a connection for each request "
            "carries only one",
            "take one of them out",
        )
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    operation = Send(
        operation=method.lower(),
        method=method.upper(),
        path=path,
        headers=headers,
        body=body,
        check=check,
    )
    return Workload(
        workload=STUDY,
        groups=(Group(group="users", arrivals=arrivals, think=think, session=(operation,)),),
        is_flat=True,
        **timing._asdict(),
        connect_timeout_ns=connect_timeout_ns,
        timeout_ns=timeout_ns,
        grace_ns=_GRACE_NS,
        streams=streams,
        new_connections=new_connections,
        redirects=redirects,
        stop=stop or StopRules(),
    )


def load_url(
    workload: Workload,
    url: str,
    directory: Path,
    *,
    folder_of_feeds: Path = Path(),
    protocol: Protocol,
    allowed: Sequence[str],
    cpus: tuple[int, ...],
    options: EngineOptions,
    on_progress: LoadProgress,
) -> RunRecord:
    """Load a URL, with the engine's files and the record in `directory`.

    Raises TargetRefused before anything is sent, LoadstoneError when the engine cannot do it.
    """
    target = answering(url, allowed)
    found, address = _service(target)
    compilers = {each.name: threads for each in found if (threads := compiling(each.pid))}
    started_at = now_utc()
    try:
        with feed_rows(workload, folder_of_feeds) as feeds:
            plan = engine_plan(
                workload,
                target=target,
                protocol=protocol,
                cpus=cpus,
                seed=_SEED,
                options=options,
                run_id=run_id_now(),
                feeds=feeds,
            )
            loaded = offer_load(
                plan,
                directory,
                cpus,
                (*found, probe_facts(sorted(os.sched_getaffinity(0)))),
                on_progress=on_progress,
                compile_threads=compilers,
                watch=lambda: None,
                steady=_steady_watch(workload, found, compilers),
            )
        window = window_of(loaded, directory, workload)
    except StepFailed as failure:
        raise LoadstoneError(failure.reason, failure.log_tail or None) from failure
    load = loaded.load
    record = RunRecord(
        run=RunIdentity(
            index=1,
            id=STUDY,
            study=STUDY,
            arm=url,
            factors={},
            workload=workload.workload,
            block=1,
            seed=_SEED,
        ),
        status="completed",
        started_at=started_at,
        finished_at=now_utc(),
        outcomes=load.outcomes,
        operations=load.operations,
        **asked_facts(workload),
        new_connections=workload.new_connections,
        load=load,
        window=window,
        processes=loaded.processes,
        address=address,
        resources=loaded.resources(window),
        cpus=loaded.cpu_busy(window),
        machine=loaded.machine(window),
        probe=loaded.probe,
        versions={"loadstone-engine": binary_version(find_engine())},
    )
    write_text(directory / folder.RECORD, record.model_dump_json(indent=1))
    return record


def run_id_now() -> str:
    """What tells the values of a load from those of others: the time, in milliseconds."""
    return f"t{time.time_ns() // 1_000_000:x}"


def _steady_watch(
    workload: Workload,
    services: Sequence[ProcessFacts],
    compilers: Mapping[str, tuple[str, ...]],
) -> SteadyWatch | None:
    """Watch the warm-up of a workload whose window waits for its end; none for any other."""
    if workload.steady_within_ns is None:
        return None
    return SteadyWatch(
        {each.name: compilers.get(each.name) for each in services},
        changes_ns=workload.changes_ns,
        is_closed=workload.is_closed,
    )


def answering(url: str, allowed: Sequence[str]) -> Target:
    """Return the address that answers.

    TargetRefused where it may not be loaded, LoadstoneError where nothing is there; whatever else goes
    wrong is for the engine to count.
    """
    targets = resolve_targets(url, allowed)
    try:
        target, connection = connect(targets, CONNECT_SECONDS)
    except ConnectionRefusedError as error:
        raise LoadstoneError(f"nothing listens at {url}", "start the server first") from error
    except OSError:
        return targets[0]
    connection.close()
    return target


def _service(target: Target) -> tuple[tuple[ProcessFacts, ...], AddressFacts]:
    """Return the process that listens there, and what is known of the address."""
    found = find_listener(target.address)
    if isinstance(found, NoListener):
        return (), AddressFacts(url=target.url, not_found=found.reason)
    return (listener_facts(found, SERVICE),), AddressFacts(url=target.url, not_found=None)
