"""Findings on the engine: it was the limit itself, or late."""

from loadstone.explained.model import ExplainedFinding, Section

_FINDINGS = (
    ExplainedFinding(
        name="generator-saturated",
        means="an engine thread computed nearly all the time",
        why="a full generator measures itself: it asks late, reads late and asks less",
        threshold="90 % of its time, over the load or in intervals; withheld from 10 % of the "
        "window on",
        severities="warning, withhold",
        do="give the engine another CPU, or a lighter load",
    ),
    ExplainedFinding(
        name="generator-busy",
        means="an engine thread kept up with little to spare",
        why="a little more load would have measured the generator",
        threshold="70 % of its time",
        severities="warning",
        do="give the engine another CPU, or a lighter load",
    ),
    ExplainedFinding(
        name="generator-stalled",
        means="the engine was kept from running",
        why="answers waited to be read while the engine stood still, and the wait looks like the "
        "service's",
        threshold="any interval that it marks; withheld above 1 % of the window",
        severities="warning, withhold",
        do="keep other work off its CPU",
    ),
    ExplainedFinding(
        name="engine-waited",
        means="threads of the engine waited for a CPU, 1 ms or more at a time, so that answers "
        "were read late: so much of a quantile is the mean of those waits, where as many answers "
        "may have met one; of a mean it is the share of the time. A note where only quantiles "
        "beyond p99.9 are touched",
        why="the time that an answer lay unread looks like time of the service",
        threshold="10 % of a figure; withheld from 50 % on",
        severities="note, warning, withhold",
        do="a CPU of the engine's own, or a larger quota",
    ),
    ExplainedFinding(
        name="generator-late",
        means="the engine wrote requests too late",
        why="a request that was written late has the generator's delay in its response time",
        threshold="10 % of a figure; withheld from 50 % and 1 ms on",
        severities="note, warning, withhold",
        do="a quieter machine, or a CPU of the engine's own",
    ),
    ExplainedFinding(
        name="rate-not-achieved",
        means="fewer sessions were begun than the rate asks for; of an imported run, iterations "
        "were dropped",
        why="the service had less load than the rate says, and looks better for it",
        threshold="99 %",
        severities="withhold",
        do="more connections if the service is slow, else more CPU",
    ),
    ExplainedFinding(
        name="pinned-throughput",
        means="closed users of a group pause so long that their number and the script set the "
        "throughput, not the service",
        why="the throughput would be the same with a service twice as fast, so it tells nothing "
        "of it",
        threshold="a service twice as fast would have less than 3 % more",
        severities="warning",
        do="compare response times, or take the pause out",
    ),
)

LOAD_GENERATOR = Section("The load generator", _FINDINGS)
