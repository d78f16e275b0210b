"""Findings on a study as a whole, and on what its arms are held to."""

from loadstone.explained.model import ExplainedFinding, Section

_FINDINGS = (
    ExplainedFinding(
        name="too-few-runs",
        means="an arm has too few completed runs to tell differences",
        why="two or three runs fall together by chance as often as not",
        threshold="6; below 3 nothing can be told",
        severities="warning",
        do="plan at least 6 blocks",
    ),
    ExplainedFinding(
        name="failed-run",
        means="a planned run has no figures",
        why="a service that fails now and then is only seen in its good moments",
        threshold="any",
        severities="warning",
        do="read its logs; `--resume`",
    ),
    ExplainedFinding(
        name="fixed-warm-up",
        means="the warm-up was set, not watched; and what the seconds of each arm show: level, "
        "still warming, not judged. Not told of arms whose runtimes never compile",
        why="nobody looked whether the service was warm when the window began",
        threshold="any",
        severities="note",
        do="`warm_up: steady`",
    ),
    ExplainedFinding(
        name="cross-check",
        means="a second test without normality contradicts a verdict",
        why="a verdict that hangs on the shape of the distribution is a weak one",
        threshold="either side of the level",
        severities="warning",
        do="look at the single runs, add blocks",
    ),
    ExplainedFinding(
        name="fixed-order",
        means="the arms were run in the order of the study's file, so that a change of the "
        "machine meets one arm more than another",
        why="whatever drifts while the study runs meets the later arms alone",
        threshold="`order: as-listed`",
        severities="warning",
        do="take `order` out",
    ),
    ExplainedFinding(
        name="published-rows-doubted",
        means="published rows beside the study's own cannot be right as printed: users, pause, "
        "mean and throughput contradict each other by Little's law, or a note of their source says "
        "why",
        why="a figure that contradicts its own row is no measure for another's",
        threshold="more than the users, or less than 90 % of them; any note",
        severities="note",
        do="read the notes of the table of published rows before you quote one",
    ),
    ExplainedFinding(
        name="drift",
        means="a primary metric drifted over the study: comparisons stand, absolute figures are "
        "of no single state",
        why="figures of the first and of the last block are of two states of the machine",
        threshold="p < 0.01 (Holm) and the smallest margin",
        severities="warning",
        do="see what changed meanwhile; run again when the machine is quiet",
    ),
)

STUDY = Section("The study", _FINDINGS)
