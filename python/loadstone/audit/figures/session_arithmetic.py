"""The rule that adds up sessions: begun are finished, aborted and cut, in every file alike."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import SessionClock
from loadstone.results.group_facts import GroupFacts
from loadstone.results.session_counts import sessions_in
from loadstone.results.window import WindowedRun


def session_conservation(run: WindowedRun) -> Iterator[Finding]:
    """Groups whose sessions were lost or counted twice."""
    found = [
        text for name, facts in run.load.groups.items() for text in _of_group(run, name, facts)
    ]
    if found:
        yield Finding(
            code="conservation",
            severity=Severity.WITHHOLD,
            subject=scope.run(run.record.run),
            metrics=(*touched_metrics.COUNTED, *touched_metrics.SESSIONS),
            evidence=f"sessions were lost or counted twice: {'; '.join(found)}",
            advice="do the run again; where it returns, report it as a defect of the engine",
        )


def _of_group(run: WindowedRun, name: str, facts: GroupFacts) -> Iterator[str]:
    sessions = facts.sessions
    aborted = sum(sessions.aborted.values())
    ended = sessions.finished + aborted + sessions.cut
    if sessions.begun != ended:
        yield f"{name} began {sessions.begun}, of which {ended} ended"
    if sessions.ended_early > sessions.finished:
        yield f"{sessions.ended_early} of {name} ended early, of {sessions.finished} that finished"
    told = sessions_in((*run.timeline, *run.late), (name,))
    if told is None:
        yield f"the timeline tells nothing of {name}"
        return
    summary = sessions.begun, sessions.finished, sessions.ended_early, aborted, sessions.cut
    if told != summary:
        yield f"{name} in the timeline: {_text(told)} instead of {_text(summary)}"
    counted = run.sessions(run.groups[name])
    finished = 0 if counted is None else counted.finished
    recorded = run.histogram(SessionClock.SESSION_DURATION, ok=True, part=run.groups[name]).count
    if recorded != finished:
        yield f"durations of {name}: {recorded} instead of {finished}"


def _text(counts: tuple[int, ...]) -> str:
    """As a text that can be compared and read."""
    names = ("begun", "finished", "ended early", "aborted", "cut")
    return ", ".join(f"{count} {name}" for name, count in zip(names, counts, strict=True) if count)
