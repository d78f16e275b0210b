"""Findings on what became of requests and connections."""

from loadstone.explained.model import ExplainedFinding, Section

_FINDINGS = (
    ExplainedFinding(
        name="contract",
        means="checks of the contract did not hold before, during or after the load",
        why="how fast a wrong answer comes is not a figure of the service",
        threshold="any",
        severities="withhold",
        do="make the service keep its contract, also under load",
    ),
    ExplainedFinding(
        name="unchecked-answers",
        means="no check of a contract was held before, in or after the load, as of a system that "
        "has none: whether its answers were right is not known",
        why="how fast a wrong answer comes is not a figure of the service",
        threshold="0 checks",
        severities="warning",
        do="write `checks.yaml` beside `system.yaml` ([reference](checks.md))",
    ),
    ExplainedFinding(
        name="answers-not-held",
        means="sampled answers of an operation could not be held against the contract: their "
        "bodies were cut, or coded, or what the OpenAPI document says of them leads out of it",
        why="an answer that is not judged may be a wrong one",
        threshold="any",
        severities="note",
        do="check the values that matter in `checks.yaml` ([reference](checks.md))",
    ),
    ExplainedFinding(
        name="failures",
        means="requests were not ok",
        why="a failed request often takes no time, so that a service looks faster for failing",
        threshold="any; withheld above 1 % of the window's",
        severities="warning, withhold",
        do="see which outcome they had, and its samples",
    ),
    ExplainedFinding(
        name="not-accepted",
        means="requests timed out or stayed unanswered on connections that the kernel had "
        "established and the service had not accepted: they stood in its listen queue, as where a "
        "worker hangs while it still listens. Told only of a service on the engine's machine",
        why="callers wait for a worker that is not there, and no log of the service tells it",
        threshold="any",
        severities="warning",
        do="see which worker does not accept",
    ),
    ExplainedFinding(
        name="unanswered",
        means="requests had no answer when the grace period ended",
        why="what was never answered has no time, and the answers that came look like all",
        threshold="any; withheld above 1 %",
        severities="warning, withhold",
        do="see whether the service hangs, or allow a longer grace period",
    ),
    ExplainedFinding(
        name="wrong-protocol",
        means="another version of HTTP than the plan's was spoken, or TLS where none was asked "
        "for, or none where it was",
        why="the figures are of another protocol than the one that their table names",
        threshold="any",
        severities="withhold",
        do="see which protocols the service offers",
    ),
    ExplainedFinding(
        name="connections-missing",
        means="closed users had fewer connections than there were users: the load was a smaller "
        "one",
        why="fewer users put less load on the service, and it looks better for refusing the others",
        threshold="5 % of the users",
        severities="withhold",
        do="see how many connections the service accepts",
    ),
    ExplainedFinding(
        name="connection-churn",
        means="connections that were to last were opened again and again",
        why="handshakes, and not answers, take a part of the time and of the CPU",
        threshold="1 % of the requests",
        severities="warning",
        do="turn keep-alive on, or plan it: `new_connections: true`, `bench --new-connections`",
    ),
    ExplainedFinding(
        name="answers-differ",
        means="a few answers to the same request had another body than the others: wrong ones, or "
        "another caller's, that count as ok. Not looked for where the load writes something else "
        "each time",
        why="one caller may see what belongs to another, and the figure counts it as success",
        threshold="any, below 20 % of the operation's",
        severities="warning",
        do="check the body: `--expect-body`, `--expect-json`, or `check` of a workload",
    ),
    ExplainedFinding(
        name="answers-vary",
        means="the bodies of an operation vary, so that wrong ones cannot be told by comparing "
        "them. Not told where a contract was held",
        why="nothing was compared, so that a wrong answer would not have been noticed",
        threshold="20 % of the answers",
        severities="note",
        do="check what stays the same; `--varying-answers`",
    ),
    ExplainedFinding(
        name="answers-of-two-lengths",
        means="answers to the same request came in a few kinds, some of them far shorter: an "
        "error or an empty answer that counts as ok",
        why="an error page with status 200 is quick, and makes a service look better",
        threshold="from 20 % of the answers; at most 4 bodies, 2 times and 16 bytes apart in "
        "length",
        severities="warning",
        do="check the body: `--expect-body`, `--expect-json`, or `check` of a workload",
    ),
    ExplainedFinding(
        name="answer-size-changed",
        means="answers became shorter or longer while the load went on, so that its figures are "
        "not of the same work. Not told where 1 % failed",
        why="the later answers are less work, or more, than those that the figure seems to be of",
        threshold="20 % between fifths of the load, each of 100 answers or more",
        severities="warning",
        do="see what answers lack under load; begin from the same state",
    ),
    ExplainedFinding(
        name="failed-checks",
        means="checks of another tool failed; of which requests is not told, so those count as ok",
        why="the figures count answers as ok that the tool's own script calls wrong",
        threshold="any",
        severities="warning",
        do="see in its script what they check",
    ),
    ExplainedFinding(
        name="no-free-connection",
        means="the requests of a rate waited for a connection to be free",
        why="the wait is of the load's own limit, and it stands in the response time",
        threshold="10 % of the response times",
        severities="warning",
        do="allow more connections; the service time stands",
    ),
    ExplainedFinding(
        name="no-free-stream",
        means="requests waited since the server allowed no more streams",
        why="the wait is of the server's limit for a connection, and a real caller would open "
        "another",
        threshold="10 % of the response times",
        severities="warning",
        do="more connections, or fewer streams on each",
    ),
    ExplainedFinding(
        name="stop-rule",
        means="a rule of the workload stopped the load",
        why="figures of a load that ended early are of fewer requests, and of the load until then",
        threshold="any",
        severities="note",
        do="read the figures as those of the time until then",
    ),
)

REQUESTS = Section("Requests", _FINDINGS)
