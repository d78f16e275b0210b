"""Findings on whether a window was of one state, and of a warm one."""

from loadstone.explained.model import ExplainedFinding, Section

_FINDINGS = (
    ExplainedFinding(
        name="still-warming",
        means="an arm was still warming up in its windows, by all of its runs together: CPU per "
        "ok (over the engine's, where that is known; the median response time where no CPU time "
        "is) had not reached what it was heading for",
        why="a cold service is slower than it will be, so that it is ranked too low",
        threshold="3 %, and p < 0.01 over the runs; or 3 % and two standard errors in half of the "
        "runs, of fewer than three in any",
        severities="no claim",
        do="`warm_up: steady`, or a longer one; where it lasted as long as it may, a higher "
        "`at_most`; where it was seen to end, a set one that is longer",
    ),
    ExplainedFinding(
        name="compiling",
        means="compile threads of the service ran, or waited for a CPU, in the window: a flat "
        "series of slow code looks warm",
        why="code that is still compiled is slower than it will be, and the compiler takes CPU "
        "from it",
        threshold="0.10 CPUs; no claim from 0.25 in half of the runs on",
        severities="warning, no claim",
        do="`warm_up: steady`, a longer `warm_up`, or another CPU",
    ),
    ExplainedFinding(
        name="late-step",
        means="the run that [went on behind its window](study.md#a-late-look) became cheaper "
        "there (no claim), so that no window of its arm was warm; or dearer (warning), which no "
        "warm-up is",
        why="the window was of slower code than the service has in production",
        threshold="5 % of the window's cost, and 2.58 standard errors, over the last minute",
        severities="warning, no claim",
        do="a fixed `warm_up` that is longer than that; a higher `at_most` is no help unless the "
        "warm-up was at its cap",
    ),
    ExplainedFinding(
        name="warm-up-capped",
        means="the warm-up lasted as long as it may, and its end was not seen; nor that the "
        "service was moving",
        why="whether the window was warm, its own seconds alone can tell",
        threshold="any run",
        severities="note",
        do="a higher `at_most`",
    ),
    ExplainedFinding(
        name="warm-up-differs",
        means="the window of one run began long before those of the others",
        why="runs that began at another point of the warm-up are not of the same state",
        threshold="half of the median",
        severities="warning",
        do="see whether that run was warm; a fixed `warm_up` of the longest",
    ),
    ExplainedFinding(
        name="slower-cpu",
        means="the engine took more CPU time for the same work in some runs: the CPU itself was "
        "slower",
        why="the same work took longer for no reason of the service",
        threshold="10 % of the fastest run's",
        severities="note",
        do="compare within blocks, as the verdicts do",
    ),
    ExplainedFinding(
        name="no-steady-state",
        means="no level of throughput, p99 or CPU per ok holds for the last half of the window. "
        "Told of windows from 10 s on, with their warm-up; of shorter loads only two levels of "
        "throughput with no second between them. Also told where the window's figure lies off the "
        "level of its end, and the service had been as good before",
        why="a mean over two levels is of neither",
        threshold="the level of the last half, by change points; 2 times, of 4 s each; 10 %, and "
        "25 % of the p99",
        severities="warning",
        do="load for longer, or find what changes in mid-run",
    ),
    ExplainedFinding(
        name="warm-up-too-short",
        means="the window begins before the level was reached, which is better than all before, "
        "and its figure lies off it. Told of windows from 10 s on, with their warm-up",
        why="the beginning of the window pulls the figure away from what the service does when it "
        "is warm",
        threshold="3 %, and 25 % of the p99",
        severities="warning",
        do="as for `still-warming`",
    ),
    ExplainedFinding(
        name="correlated-requests",
        means="requests of one second resemble each other: they are not so many observations",
        why="an interval over requests would be far too narrow: many of them say the same",
        threshold="10 % of the variance lies between seconds",
        severities="note",
        do="compare runs, as the verdicts do",
    ),
    ExplainedFinding(
        name="short-run",
        means="the runs of a workload are so short that only a warm-up of a few seconds would be "
        "seen in them",
        why="a warm-up that takes longer than the run cannot be seen in it",
        threshold="20 s",
        severities="note",
        do="`warm_up: steady`, or a longer duration",
    ),
)

STEADY_STATE = Section(
    "Steady state",
    _FINDINGS,
    behind=(
        "Whether an arm was warm is judged at any length, from 8 points on: seconds, of fewer "
        "than 200 ok answers a second points of two, below 100 of five. Below 40, and while users "
        "or rate change (or may have changed, in an imported run) it is *not judged*, which the "
        "answer to a question says. Which seconds count depends on how the window began: 10 s "
        "before it where compilers were idle or nothing ever compiles, a third of the warm-up (at "
        "least 20 s) where the cost was level, and the last two thirds of the load where nothing "
        "was seen. Where the services have fewer CPUs in the window, no second before that change.",
        "`late-step` holds the last minute behind the window against the window, by the same "
        "cost, and tells nothing of runs that did not look and of steps that come later still. "
        "While a neighbour takes CPU time the relative cost rises by a tenth or two: one that is "
        "there in the window alone would look like a fall behind it, so the cheaper of the window "
        "and the 20 seconds before it counts. It cannot tell such a neighbour who was there all "
        "the time before, nor a step that one hides by coming after the window; `busy-neighbour` "
        "tells of the window alone. A rise may be a neighbour, too.",
    ),
)
