"""What a dry run prints of a workload: one session of each group, as far as it is known."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from loadstone.report.workload_text import group_text
from loadstone.study.design.sample_session import SampleSession, sample_session
from loadstone.study.files.rows_file import rows_for
from loadstone.study.values.arrivals import Rate
from loadstone.study.values.expression_text import expression_shown, text_shown
from loadstone.study.values.feeds import Feed, FileRows
from loadstone.study.values.groups import Group
from loadstone.study.values.model import Workload
from loadstone.study.values.steps import (
    AnswerCheck,
    Capture,
    Choose,
    Exactly,
    Filled,
    FromCookie,
    FromHeader,
    FromJson,
    Instead,
    Repeat,
    Send,
    Step,
    pointer_shown,
)
from loadstone.text.secrets import is_secret_header
from loadstone.text.words import counted

INDENT = "  "
LONGEST_BODY = 2_000
"""Characters of a body that are shown."""


def print_sessions(
    console: Console, workload: Workload, folder: Path, run_id: str | None = None
) -> None:
    """Print the first session of each group. Raises InputError where a feed's file cannot be read."""
    for group in workload.groups:
        session = sample_session(group, folder, run_id)
        for line in _group(workload, group, session):
            console.print(line, markup=False, highlight=False, soft_wrap=True)


def _group(workload: Workload, group: Group, session: SampleSession) -> Iterator[str]:
    yield ""
    yield f"{workload.workload}, group {group.group}: {group_text(group)}"
    for feed in group.feeds:
        yield f"{INDENT}{_feed(workload, group, feed)}"
    for let in group.lets:
        found = session.values[let.let]
        made_of = expression_shown(let.integer) if let.integer is not None else None
        shown = text_shown(let.text or "") if made_of is None else f"{{{{{made_of}}}}}"
        yield f"{INDENT}{let.let} = {shown if found is None else found}"
    if group.once:
        yield f"{INDENT}once, before the first session of a user:"
        yield from _steps(group.once, session, INDENT * 2)
        yield f"{INDENT}then, session 0 of user 0:"
    else:
        yield f"{INDENT}session 0{'' if isinstance(group.arrivals, Rate) else ' of user 0'}:"
    yield from _steps(group.session, session, INDENT * 2)


def _feed(workload: Workload, group: Group, feed: Feed) -> str:
    source = feed.source
    name = source.name if isinstance(source, FileRows) else f"{source.first} to {source.last}"
    told = f"feed {feed.feed}: {name}, {counted(source.rows, 'row')}"
    if feed.take == "random":
        return f"{told}, drawn"
    if feed.take == "in_turn":
        return f"{told}, in turn"
    if isinstance(group.arrivals, Rate) or feed.per == "user":
        return f"{told}, each once"
    each = counted(rows_for(workload, group, feed), "session")
    return f"{told}, each once: {each} of each user, then the load stops"


def _steps(steps: Sequence[Step], session: SampleSession, indent: str) -> Iterator[str]:
    for step in steps:
        match step:
            case Send():
                yield from (f"{indent}{line}" for line in _send(step, session))
            case Choose():
                weights = sum(each.weight for each in step.choose)
                for alternative in step.choose:
                    yield f"{indent}{alternative.weight} times in {weights}:"
                    yield from _steps(alternative.steps, session, indent + INDENT)
            case Repeat():
                times = session.known(step.repeat)
                told = expression_shown(step.repeat) if times is None else times
                yield f"{indent}{told} times, here turn 0:"
                yield from _steps(step.steps, session, indent + INDENT)


def _send(send: Send, session: SampleSession) -> Iterator[str]:
    when = f", when {send.when} is there" if send.when else ""
    yield f"{send.operation}: {send.method} {session.text(send.path)}{when}"
    for name, value in send.headers:
        is_secret = is_secret_header(name)
        yield f"{INDENT}{name}: {session.secret(value) if is_secret else session.text(value)}"
    body = session.text(send.body)
    if body:
        cut = f"... ({len(body)} characters)" if len(body) > LONGEST_BODY else ""
        yield from (f"{INDENT}{line}" for line in (body[:LONGEST_BODY] + cut).splitlines())
    yield f"{INDENT}expects {_expected(send.check, session)}"
    for capture in send.captures:
        yield f"{INDENT}captures {_captured(capture)}"


def _expected(check: AnswerCheck, session: SampleSession) -> str:
    parts = [" or ".join(map(str, check.status)) or "any 2xx"]
    parts += [f"{status}, which ends the session" for status in check.or_end]
    if check.body_contains is not None:
        parts.append(f"{session.text(check.body_contains)!r} in the body")
    for member in check.members:
        where = pointer_shown(member.pointer) or "the body"
        parts.append(f"{where} {_is(member.expect, session)}")
    for header in check.headers:
        parts.append(f"{header.header} {_is(header.expect, session)}")
    return ", ".join(parts)


def _is(expect: str | Exactly | Filled, session: SampleSession) -> str:
    match expect:
        case Exactly():
            return f"= {expect.value!r}"
        case Filled():
            return f"= {session.text(expect.text)!r}"
        case _:
            return expect


def _captured(capture: Capture) -> str:
    match capture.source:
        case FromJson() as source:
            where = pointer_shown(source.pointer) or "the whole body"
            picked = source.pick
            if picked != "first":
                where += f", of these {picked if picked == 'random' else expression_shown(picked)}"
        case FromHeader() as source:
            where = f"header {source.header}"
        case FromCookie() as source:
            where = f"cookie {source.cookie}"
    missing = capture.missing
    otherwise = f", or {missing.value!r}" if isinstance(missing, Instead) else ""
    if missing == "end":
        otherwise = ", or the session ends"
    return f"{{{{{capture.value}}}}}: {where}{otherwise}"
