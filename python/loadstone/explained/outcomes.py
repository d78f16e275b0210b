"""What becomes of requests, runs and figures."""

from loadstone.explained.model import Explained, Section

OF_REQUESTS = Section(
    "Outcomes of a request",
    (
        Explained(
            name="ok",
            means="a whole answer came, and it is what the plan expects",
            why="throughput and means are of these alone",
            do="nothing",
        ),
        Explained(
            name="connect",
            means="no connection: refused, unreachable, or not established in time",
            why="the service did not see the request",
            do="see whether it listens, how many connections it takes, and its queue of new ones",
        ),
        Explained(
            name="tls",
            means="the TLS handshake failed",
            why="the service did not see the request",
            do="see in the samples which side ended it: certificate, version or ALPN",
        ),
        Explained(
            name="send",
            means="the kernel did not take the whole request: the other side stopped reading",
            why="the service may have seen a part of it",
            do="see whether it refuses large bodies, or ends connections that it still reads",
        ),
        Explained(
            name="read",
            means="the connection ended or was reset before the answer was whole",
            why="the work may have been done, and the caller does not know",
            do="see in its log whether a process ended, or a limit of time or requests was reached",
        ),
        Explained(
            name="timeout",
            means="the answer was not whole within the time-out",
            why="it counts above every answer in a quantile, so that p99 may read *failed*",
            do="find what waits; a longer `timeout` shows by how much it is late",
        ),
        Explained(
            name="protocol",
            means="what came back is not HTTP, or goes beyond a limit of the engine",
            why="no caller could have read it",
            do="see the samples of what came, and whether another service listens at the address",
        ),
        Explained(
            name="status",
            means="a whole answer came, with another status than the one expected",
            why="an error is often quicker than the answer, and must not pass for one",
            do="see the samples; where the status is a result of its own, let the step allow it",
        ),
        Explained(
            name="check",
            means="the status was right, and something else was not: body, header, coding, or a "
            "value that a later step needs",
            why="a wrong answer that counts as ok makes a service look better",
            do="see in the samples what stands in its place",
        ),
        Explained(
            name="not_sent",
            means="the request was never written: no connection or no stream was free, too many "
            "sessions were open, or a value could not stand in it; the cause is counted beside it",
            why="it was due, so it counts as offered; the service did not see it",
            do="allow more connections or streams; else the service is too slow for the rate",
        ),
        Explained(
            name="unanswered",
            means="the request was written, and had no answer when the grace period ended",
            why="it may hang for ever: without this outcome it would be in no figure at all",
            do="see whether the service hangs, or allow a longer grace period",
        ),
    ),
    about="Each offered request has one. In a quantile every other outcome stands above every ok.",
)

OF_RUNS = Section(
    "Outcomes of a run",
    (
        Explained(
            name="completed",
            means="every step of the run was done; its record has figures",
            why="it counts for its arm, unless a finding withholds its figures",
            do="nothing",
        ),
        Explained(
            name="failed",
            means="a step did not succeed: of a service, a dependency, the engine or the lab "
            "itself. Step, reason and the end of the log are in its record",
            why="an arm that loses runs is compared by fewer of them, or not at all",
            do="read the logs in the run's folder; where the service was not to blame, remove "
            "that folder and go on with `--resume`",
        ),
        Explained(
            name="interrupted",
            means="a signal ended the study while the run went on",
            why="it has no figures, and is not held against its arm",
            do="go on with `--resume`: it is done again",
        ),
        Explained(
            name="simulated",
            means="the run was made up by a seed: nothing was started or loaded",
            why="its figures are of nothing, so that nothing of it is ranked",
            do="measure the study without `--simulate`",
        ),
    ),
)

STEPS = Section(
    "Steps in which a run fails",
    (
        Explained(
            name="build",
            means="the build or the training run of a stack failed, or took too long",
            why="all runs of its arms fail",
            do="read `logs/build-*.log` in the results folder",
        ),
        Explained(
            name="deploy",
            means="a process could not be started, its port was taken, its limits could not be "
            "set, or nothing listens at the address",
            why="nothing was measured",
            do="read the reason: it names the process and what it said",
        ),
        Explained(
            name="seed",
            means="the data of a dependency could not be made or brought back",
            why="runs would begin from different data",
            do="read the reason, and the server's log in the run's folder",
        ),
        Explained(
            name="start-up",
            means="the service ended before its first right answer, or did not give one in time",
            why="there is no start-up time, and nothing to load",
            do="read the end of its log in the record",
        ),
        Explained(
            name="check",
            means="the contract did not hold before the load, or a check is broken itself",
            why="what answers wrongly is never loaded",
            do="`loadstone check` names every clause, of a service of your own the reason does; "
            "name in `deviations` what it need not hold",
        ),
        Explained(
            name="warming",
            means="the load that makes the service warm came to no end of its own",
            why="what follows would be of a service that is cold, or gone",
            do="read the end of the log of the process that is named",
        ),
        Explained(
            name="reset",
            means="the data could not be brought back between check and load",
            why="the load would have met what the checks left",
            do="read the reason, and the server's log in the run's folder",
        ),
        Explained(
            name="load",
            means="the engine failed, or a process ended in mid-load",
            why="the figures would be of a part of the load",
            do="read the end of the log of the process that is named",
        ),
        Explained(
            name="first_requests",
            means="a service of a footprint did not answer one of its first requests as expected",
            why="its memory after so many requests is not known",
            do="read the reason, and the end of the log",
        ),
        Explained(
            name="rest",
            means="the lab failed, or the service ended, while a footprint waited for it to rest",
            why="its memory at rest is not known",
            do="read the reason, and the end of the log",
        ),
        Explained(
            name="runtime_figures",
            means="the lab could not read what a runtime tells of its collector",
            why="it is read when the load is over, so that what was measured is in the record",
            do="read the reason: it names the line of the lab",
        ),
        Explained(
            name="teardown",
            means="the lab could not end what it had started",
            why="what is left could disturb the next run",
            do="read the reason; the next command that starts processes sweeps what is left",
        ),
        Explained(
            name="run",
            means="the run was not done yet, was interrupted, or the lab failed outside of a step",
            why="it has no figures",
            do="go on with `--resume`; an error of the lab names its file and line",
        ),
    ),
)

OF_FIGURES = Section(
    "States of a figure",
    (
        Explained(
            name="value",
            means="it was measured, and no finding withholds it",
            why="it may be compared, where it is warm and has runs enough",
            do="nothing",
        ),
        Explained(
            name="withheld",
            means="a finding says that it cannot stand; its code is the reason",
            why="a figure that is wrong is worse than none",
            do="`loadstone explain` of the code that is printed in its place",
        ),
        Explained(
            name="failed",
            means="so many requests were not ok that the quantile falls among them",
            why="a request that failed has no time that could stand there",
            do="see which outcome they had, and compare the failures first",
        ),
        Explained(
            name="too few samples",
            means="fewer requests were answered than such a quantile needs",
            why="a p99.9 of 200 requests is the slowest of them, by another name",
            do="load for longer; the report has it over all runs together where those suffice",
        ),
        Explained(
            name="not measured",
            means="nothing could tell it: no such process, counter or part of the load",
            why="a missing figure is no zero",
            do="read the reason beside it",
        ),
        Explained(
            name="not reached",
            means="the load ended before the service failed, or the warm-up before it was seen to "
            "be steady",
            why="all that is known is a lower bound",
            do="a longer load, more users, or a higher `at_most`",
        ),
    ),
)
