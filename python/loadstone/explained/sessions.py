"""Findings on sessions of several requests."""

from loadstone.explained.model import ExplainedFinding, Section

_FINDINGS = (
    ExplainedFinding(
        name="sessions-aborted",
        means="a failed request ended sessions, so that their later operations had less load than "
        "was planned",
        why="the operations behind the failed one had less load, and look better for it",
        threshold="0.1 % of the sessions that ended in the window; withheld above 1 %",
        severities="warning, withhold",
        do="see why the operation fails; allow a status that is a result of its own",
    ),
    ExplainedFinding(
        name="captures-failing",
        means="answers had the expected status and not the value that later steps need",
        why="the later steps asked for something else than was planned, or not at all",
        threshold="any; withheld above 1 % of the answers to an operation",
        severities="warning, withhold",
        do="see in the samples what stands in its place; `or` of the capture",
    ),
    ExplainedFinding(
        name="ended-early",
        means="an answer ended sessions before their last step, as `or_end` or a capture allows: "
        "later operations had less load",
        why="later operations were asked less often than the plan says",
        threshold="1 % of the finished sessions",
        severities="warning",
        do="let users compete for less, or compare operations apart",
    ),
    ExplainedFinding(
        name="sessions-cut",
        means="the load ended, or users left, between two requests of a session: durations lean "
        "to the short ones",
        why="the long sessions are those that are cut, so that the rest looks short",
        threshold="5 % of the sessions that ended in the window",
        severities="warning",
        do="a longer load; `leave: after_session`",
    ),
    ExplainedFinding(
        name="pace-not-held",
        means="sessions took longer than the pace of their group, so that the next began late and "
        "the load was a smaller one",
        why="the load was a smaller one than the plan says, just where the service was slow",
        threshold="1 % of the sessions with a pace",
        severities="warning",
        do="a longer pace, more users, or a rate",
    ),
    ExplainedFinding(
        name="feed-exhausted",
        means="a feed that is taken once had no row for the next session, and the load stopped",
        why="the load that was planned was never there",
        threshold="any",
        severities="withhold",
        do="more rows, or a shorter load",
    ),
    ExplainedFinding(
        name="feed-reused",
        means="a feed began again, so that later sessions have the values of earlier ones",
        why="a service may keep what it was asked before, and answer sooner the second time",
        threshold="any",
        severities="note",
        do="more rows; or read the figures as those of so many values",
    ),
    ExplainedFinding(
        name="cookies-ignored",
        means="answers that were looked at set cookies, and the group keeps none",
        why="a service that knows its callers by cookies saw a stranger with each request",
        threshold="any",
        severities="note",
        do="`cookies: true`",
    ),
    ExplainedFinding(
        name="cookies-dropped",
        means="a session had no room for a cookie, or was sent one for another host",
        why="a session that lost a cookie went on as another one",
        threshold="any",
        severities="warning",
        do="see which cookies the service sets",
    ),
)

SESSIONS = Section(
    "Sessions",
    _FINDINGS,
    about="Told of groups whose sessions have several requests.",
)
