"""Findings on figures that cannot all be true."""

from loadstone.explained.model import ExplainedFinding, Section

_FINDINGS = (
    ExplainedFinding(
        name="conservation",
        means="requests or sessions were lost or counted twice: files of one run disagree",
        why="a figure that rests on miscounted requests is of nothing that happened",
        threshold="any",
        severities="withhold",
        do="do the run again; report it where it returns",
    ),
    ExplainedFinding(
        name="contradictory-summary",
        means="the timeline and the histograms tell other means, medians, p99s or largest times "
        "of the same requests",
        why="one of the two files is wrong, and nothing tells which",
        threshold="two buckets of the histogram: 0.2 % and 2 µs",
        severities="withhold",
        do="do the run again, or import it anew from what was measured",
    ),
    ExplainedFinding(
        name="timeline-gap",
        means="the timeline does not cover the load: time is missing, or told twice",
        why="what happened in the missing time is in no figure over time, and may be the worst of "
        "it",
        threshold="1 ms",
        severities="withhold",
        do="do the run again",
    ),
    ExplainedFinding(
        name="short-window",
        means="the window was chosen as a small part of the load; not one behind a warm-up until "
        "steady",
        why="a few seconds of a long load were chosen, and others would have told something else",
        threshold="10 % of the load",
        severities="warning",
        do="a shorter warm-up, or a longer load",
    ),
    ExplainedFinding(
        name="littles-law",
        means="throughput, response time and pause do not account for all closed users of a "
        "group: some wait for answers that never come. The pause is the recorded one",
        why="requests that hang are in no quantile: the slowest users make the figures look better",
        threshold="5 % of the users, the edges of the window, and three standard errors of pauses "
        "that differ",
        severities="withhold",
        do="look for hung users, or a generator that stalls",
    ),
    ExplainedFinding(
        name="contradicting-times",
        means="durations of an imported run are not the sum of their parts, although its tool "
        "makes them of those: the file was changed",
        why="somebody typed or cut these times, so that they measure nothing",
        threshold="any; withheld above 1 % of the requests",
        severities="warning, withhold",
        do="import the file as its tool wrote it",
    ),
    ExplainedFinding(
        name="coarse-times",
        means="an imported run is too short for the times of its file: its length, and so its "
        "throughput, is not known well enough",
        why="a length that is known to a second gives a throughput that is known no better",
        threshold="twice the step of the times, 3 % of the load",
        severities="warning",
        do="load for longer, or have finer times written",
    ),
)

FIGURES = Section("Figures that contradict each other", _FINDINGS)
