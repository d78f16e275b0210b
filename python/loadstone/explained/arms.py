"""Findings on arms that differ in more than what is compared."""

from loadstone.explained.model import ExplainedFinding, Section

_FINDINGS = (
    ExplainedFinding(
        name="failures-differ",
        means="more requests to one arm failed: the arms did not carry the same load",
        why="the arm that fails more has less to do, and a failed request is often a quick one",
        threshold="0.1 % of the requests apart, and p < 0.01 by Fisher's exact test",
        severities="warning",
        do="find out why, or lower the load until all answer",
    ),
    ExplainedFinding(
        name="mix-differs",
        means="operations had other shares of the requests of one arm than of the most usual one: "
        "figures over all of them are of other work. Those by operation and by group stand",
        why="a mean over all operations tells the mix, not the service",
        threshold="1 % of the requests apart, and p < 0.01 over all operations; withheld above 5 %",
        severities="warning, withhold",
        do="compare operations or groups apart, or ask for a rate",
    ),
    ExplainedFinding(
        name="connections-differ",
        means="one arm opens connections again where another keeps them; or runs of one workload "
        "were asked for different loads",
        why="what one arm spends on connections the other does not",
        threshold="1 % of the ok requests apart; any difference of the load",
        severities="warning",
        do="let every arm keep its connections, or none",
    ),
    ExplainedFinding(
        name="tls-differs",
        means="arms with the same client protocol spoke another TLS version or cipher suite, or "
        "resumed more sessions",
        why="one arm encrypts otherwise, which can cost as much as the rest",
        threshold="any; 10 % of the handshakes apart",
        severities="warning",
        do="set version and cipher suites alike",
    ),
    ExplainedFinding(
        name="settings-differ",
        means="a dependency's settings, or the CPUs, limits or control groups of what was started "
        "were not the same for all arms and are no factor",
        why="the difference may be the settings', not the arm's",
        threshold="any",
        severities="warning",
        do="give all arms the same, or make it a factor",
    ),
    ExplainedFinding(
        name="versions-differ",
        means="tools, runtimes, dependencies or the builds of an arm changed between runs",
        why="a part of the difference may be the new version's",
        threshold="any",
        severities="warning",
        do="do the study again with one version of everything",
    ),
    ExplainedFinding(
        name="same-code",
        means="labels of one service that are [revisions](study.md#revisions) were built from one "
        "commit, with the same changes",
        why="what differs between them is noise, whatever their labels say",
        threshold="any",
        severities="warning",
        do="commit the change, or compare `git: working-tree`",
    ),
    ExplainedFinding(
        name="uncommitted-changes",
        means="a commit was built while the working tree at it had uncommitted changes, which are "
        "not in the build",
        why="what was measured is not what its author has on the screen",
        threshold="any",
        severities="note",
        do="commit them, or write `git: working-tree`",
    ),
    ExplainedFinding(
        name="not-held",
        means="a service of the arm is not held to all of its contract, as its author says: it "
        "deviates from clauses, does not have every operation (note), is held by its sampled "
        "answers alone (`contract: samples`), or is a yardstick; or it was running already, so "
        "that only the quick checks are held. The same stands beside its figures, in the answers "
        "and in every table",
        why="a service that leaves a part of the work out, or does it otherwise, may be faster "
        "for that alone",
        threshold="any",
        severities="note, warning",
        do="read what it leaves out before its figures; name its `deviations` in place of "
        "`contract: samples`, and give a command in place of an address",
    ),
)

ARMS = Section("Arms", _FINDINGS)
