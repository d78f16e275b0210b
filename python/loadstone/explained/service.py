"""Findings on the service and on what it asks."""

from loadstone.explained.model import ExplainedFinding, Section

_FINDINGS = (
    ExplainedFinding(
        name="service-not-saturated",
        means="closed users did not fill the service's CPUs, and what was full instead, all of "
        "it: its quota, the engine, one thread of several CPUs, others on its CPUs, a dependency "
        "or a bench service, a CPU of the bench, memory or a disk, or nothing that was watched",
        why="the throughput is of something else than the service, and ranks nothing",
        threshold="90 % of the CPU time that it could use",
        severities="warning",
        do="add users, or widen what is named",
    ),
    ExplainedFinding(
        name="waits-not-on-cpu",
        means="closed users who ask again at once waited for a service that hardly computed, "
        "while nothing else that was watched was full: told in the place of "
        "`service-not-saturated`. `bench` adds a second step with half of the users, or of the "
        "streams of each: where throughput stays, requests are taken one at a time (a lock, a "
        "pool); where the response time stays, each waits for itself (a sleep, an upstream), "
        "which is a note. Not told where a dependency's `delay` is half of the wait",
        why="more CPU would not help: the answers wait for something that is not computing",
        threshold="less than half of the CPU time that it could use; 2 ms",
        severities="note, warning",
        do="look for what is named",
    ),
    ExplainedFinding(
        name="throttled",
        means="a CPU quota held the service back. A note where closed users fill the quota: it is "
        "then the limit that is measured",
        why="answers waited for the next period of the quota, which the code has no part in",
        threshold="1 % of the window",
        severities="note, warning",
        do="raise `cpus` in `limits`, or lower the load",
    ),
    ExplainedFinding(
        name="out-of-memory",
        means="the kernel killed a process of the service (withhold); or its control group was "
        "full: of its own memory (warning), or of files that the kernel keeps while there is room "
        "(note)",
        why="what was killed served nobody, and what is full spends its time on finding room",
        threshold="any kill; 99 % of the limit charged, 90 % of it resident",
        severities="note, warning, withhold",
        do="raise `memory` in `limits`",
    ),
    ExplainedFinding(
        name="memory-grows",
        means="resident memory still rose evenly at the end, so the peak depends on the duration. "
        "Not told of windows below 30 s and of loads that change",
        why="a longer run would have a higher peak, or end by it",
        threshold="lowest moment of each sixth of the window above the one before, 5 % in all, "
        "the second half at least 70 % of the first",
        severities="warning",
        do="set a longer `duration`",
    ),
    ExplainedFinding(
        name="service-restarted",
        means="a process of the service began in mid-load in the place of another",
        why="part of the load met a cold service, or none",
        threshold="any, 10 ms after the one before at least",
        severities="warning",
        do="see in its log why processes end",
    ),
    ExplainedFinding(
        name="service-stalls",
        means="the service stood still again and again: all that was in flight waited together. "
        "Not told of fewer than 8 requests in flight",
        why="a caller in a stall waits far longer than the quantiles over all requests tell",
        threshold="twice, 250 ms and ten times the median, 80 % of the closed users or of what is "
        "due in 250 ms",
        severities="warning",
        do="look at its log and its collector",
    ),
    ExplainedFinding(
        name="unequal-users",
        means="closed users who were there throughout were served several times slower than the "
        "median user of their group, had far fewer ok answers though those took no longer, or "
        "waited far longer than the p99 over requests, which quantiles over requests hide. Not "
        "told of a rate; slowness not of users with fewer than 3 answers",
        why="somebody waits for long while the figures over all requests look well",
        threshold="2 times in the geometric mean, or half of the answers where the median user "
        "had 20, p < 0.001 over all users, 1 % of the users; or 10 times the p99 in the mean",
        severities="warning",
        do="see what is apart for them: a worker, a shard, a lock",
    ),
    ExplainedFinding(
        name="periodic-stalls",
        means="the service stood still as if by a clock: what was in flight waited together, with "
        "a period, over the whole load. Told in the place of `service-stalls`. Times are known to "
        "the second: periods from a second on, and below two seconds not of Poisson arrivals",
        why="what comes by a clock comes in production, too, and meets whoever asks then",
        threshold="four times, 75 ms; p < 0.01 that spaces at random are as even and 20 % between "
        "them at most; of about one a second p < 0.001 by their counts",
        severities="warning",
        do="look for what has such a period: collection, flush, health check, cron",
    ),
    ExplainedFinding(
        name="network-timer",
        means="some answers or connects took longer than the others by as much as a timer of the "
        "network, and hardly any shortly before or after: 40 ms (delayed acknowledgement), 200 ms "
        "(least time-out of a retransmission), 1 s and 3 s (first packet of a connection). Where "
        "most answers of an operation end so late, those that had begun at once",
        why="the wait is neither work nor queueing: it goes away by a setting",
        threshold="0.1 %, 20 answers or 3 connects, three times each neighbour and five standard "
        "deviations; a bulk no wider than a quarter of the timer",
        severities="warning",
        do="write answers at once or set `TCP_NODELAY`; look for loss; widen the queue of new "
        "connections",
    ),
    ExplainedFinding(
        name="cached-answers",
        means="a URL that nobody had asked for takes longer than that of the load: what was "
        "measured is a cache. By `bench`, of GET and HEAD: after the load, [single "
        "requests](../guides/load-a-server.md) of each kind in turn",
        why="the figure is of the cache, and the service behind it may be far slower",
        threshold="2 times and 0.3 ms at the median of 8 rounds or more, p at most 0.001 "
        "(Brunner-Munzel)",
        severities="warning",
        do="load many URLs, or say that it is the cache",
    ),
    ExplainedFinding(
        name="answers-by-caller",
        means="a caller with the headers of a browser waits longer than the load did; by the same "
        "single requests",
        why="real callers wait longer than the load did",
        threshold="as above",
        severities="warning",
        do="`--header` with what its users send",
    ),
    ExplainedFinding(
        name="coding-not-asked-for",
        means="the answers are compressed, though no request accepted it",
        why="a caller that cannot decode it is served wrongly, and the work may have been done "
        "long before",
        threshold="any",
        severities="warning",
        do="see whether the answer is kept ready; `--header 'Accept-Encoding: gzip'`",
    ),
    ExplainedFinding(
        name="works-after-load",
        means="the service went on computing behind its last answer, so that it had answered "
        "before the work was done. By `bench`, of methods other than GET and HEAD",
        why="the answers say that it is done, and the work is not in their times",
        threshold="from 2 s to 5 s behind the load 3 % of the load's CPU time a second, 0.1 % of "
        "a CPU, and 3 times what it used before",
        severities="warning",
        do="count what was carried out, not what was acknowledged",
    ),
    ExplainedFinding(
        name="dependency-skipped",
        means="a dependency computed too little to have been asked for each ok request; or it or "
        "a bench service far less than for other arms under the same settings; or a database was "
        "sent far fewer statements: cached answers, requests put together",
        why="an answer that does not ask the database is less work than the others do",
        threshold="1 µs of CPU time for each; a fifth of the other arms'; of statements half",
        severities="warning",
        do="look in the code for caches; where operations do not need it, nothing",
    ),
    ExplainedFinding(
        name="database-idle",
        means="hardly a request asked the database for anything. A database counts its "
        "statements, so that `dependency-skipped` is not told of its CPU time",
        why="an answer that does not ask the database is less work than the others do",
        threshold="1 statement for 100 ok requests",
        severities="warning",
        do="look in the code for caches; where operations do not need it, nothing",
    ),
    ExplainedFinding(
        name="costly-dependency",
        means="dependencies and bench services took a good part of the CPU time that the service "
        "took for the same requests; each is named with its own",
        why="what the service saves may have been moved to another process",
        threshold="a third of it, together",
        severities="note",
        do="compare CPU per ok, which is the service's alone; with a database the costs of both "
        "are the result",
    ),
    ExplainedFinding(
        name="database-limited",
        means="closed users filled the database's CPU in place of the service's: the throughput "
        "is the database's. Told in the place of `service-not-saturated` and `costly-dependency`",
        why="the throughput ranks databases, not services",
        threshold="the service below 90 % of its CPU time; the database at 90 % of its CPUs, or "
        "at more than any other of CPUs that are 85 % busy",
        severities="warning",
        do="compare CPU per ok of both; or less CPU for the service, the same for all arms",
    ),
    ExplainedFinding(
        name="growing-tables",
        means="the tables grew under the load, and a request came to cost the database more, or "
        "less: an arm that writes more then reads longer tables. By the mean over its runs of a "
        "straight line through each window",
        why="an arm that is faster writes more, and so makes its own later requests dearer",
        threshold="1 % of the rows; 3 % of the cost, with p at most 1 %",
        severities="warning",
        do="a load with a fixed rate, by which every arm writes the same; or more rows at the "
        "begin",
    ),
    ExplainedFinding(
        name="ignores-sigterm",
        means="a process did not end on SIGTERM and was killed",
        why="a service that has to be killed loses what was in flight at each deployment",
        threshold="any",
        severities="note",
        do="let it end on SIGTERM",
    ),
    ExplainedFinding(
        name="coarse-startup-clock",
        means="the start-up clock was kept from looking",
        why="the start-up time may be longer than the true one by what the clock did not see",
        threshold="1 ms and 5 % of the start",
        severities="warning",
        do="use a quieter machine",
    ),
)

SERVICE = Section("The service", _FINDINGS)
