"""Findings on studies that several machines did."""

from loadstone.explained.model import ExplainedFinding, Section

SEVERAL_MACHINES = Section(
    "Several machines",
    (
        ExplainedFinding(
            "machines-differ",
            means="a primary metric was higher at one site than at another, in the mean of its arms",
            why="a figure by itself is a mean over unlike machines. Comparisons stand, since a block "
            "is done at one site",
            do="`loadstone cluster check`; see what else was at work there",
            threshold="p < 0.01 (Holm) by an F test over block means, and the smallest margin",
            severities="warning",
        ),
        ExplainedFinding(
            "machines-disagree",
            means="how the arms compare depends on the site",
            why="verdicts are those of these machines together, and not of all such machines. The test "
            "is weak: of effects of 2 %, 2 sites with 3 blocks each find 15 %, 4 with 6 find 78 %",
            do="run the study on one machine",
            threshold="p < 0.01 (Holm) by the F test of arm × site",
            severities="warning",
        ),
        ExplainedFinding(
            "machine-lost",
            means="blocks were done by another site than the one that began them, or whose turn it was",
            why="it tells why blocks are at other sites than was planned; half a block is in no figure",
            do="nothing, unless it comes again: then look at that machine",
            threshold="any",
            severities="note",
        ),
        ExplainedFinding(
            "unequal-machines",
            means="sites differ in what a study is not refused for: mitigations of CPU flaws, the "
            "link, the clock source, virtualisation",
            why="each of them moves figures, and blocks of unlike machines are taken together",
            do="make them alike; `machines-differ` says whether it is seen",
            threshold="any",
            severities="warning",
        ),
        ExplainedFinding(
            "clock-apart",
            means="how the clock of a machine lies to the driver's, or that of a machine with an "
            "engine, services or dependencies to that of the one which leads, is not known well, or "
            "changed during a load",
            why="what two machines wrote cannot be put in order by it. Times of requests are by the "
            "engine's clock alone; where CPU time of services and dependencies lies in the load "
            "crosses clocks",
            do="keep the network between them idle; let nothing set clocks but by slewing them",
            threshold="known to 1 ms; moved by 2 ms in a load",
            severities="warning",
        ),
        ExplainedFinding(
            "far-apart",
            means="a round trip to an engine, to services or to dependencies is a large part of the "
            "response times, or the engines of a site are not equally far",
            why="response times have the network in them: that to a service once for each call, and "
            "that to a database once for each statement",
            do="read them so; put engines equally far from the service",
            threshold="10 % of the median response time",
            severities="note, warning",
        ),
        ExplainedFinding(
            "engines-not-together",
            means="engines began their shares of a load at different times",
            why="second by second they are added up by each one's own time",
            do="see whether a machine was busy, and do the run again",
            threshold="10 ms, or 1 % of the window",
            severities="warning",
        ),
        ExplainedFinding(
            "unequal-engines",
            means="engines offered unequal shares of a rate, or the same service was slower for one",
            why="a service does not tell engines apart: one of them, or the way to it, is at fault",
            do="look at each engine in `loads` of the record; compare studies with one engine each",
            threshold="shares 1 %; mean service times 10 % beyond round trips",
            severities="warning",
        ),
        ExplainedFinding(
            "generator-not-alone",
            means="others computed on a machine that is there for an engine, services or dependencies",
            why="what takes its CPU or its caches makes the engine late, or a database slow",
            do="end other programs on it",
            threshold="5 % of its CPUs",
            severities="warning",
        ),
        ExplainedFinding(
            "network-full",
            means="a link between the machines of a site was nearly full, or segments of TCP were lost",
            why="the network was the limit then, or its losses are in the response times: a lost "
            "segment waits for a fifth of a second",
            do="take a faster network, or less load",
            threshold="80 % of the link; 0.1 % sent again",
            severities="warning",
        ),
        ExplainedFinding(
            "cluster-busy",
            means="Ray worked while it was measured beside it",
            why="it takes CPU from what is measured, and not from all runs alike",
            do="let nobody else use the cluster; join by `loadstone cluster join`",
            threshold="2 % of a CPU",
            severities="warning",
        ),
        ExplainedFinding(
            "wrong-priority",
            means="services or engine gave way to others, as what Ray starts does",
            why="whatever else runs on the machine goes before them, so that figures are of a service "
            "that waited",
            do="join by `loadstone cluster join`, from a shell that has neither",
            threshold="nice or OOM score other than 0",
            severities="withhold",
        ),
    ),
    about="Told of studies on [several machines](../guides/several-machines.md).",
)
