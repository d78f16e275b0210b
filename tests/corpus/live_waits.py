"""Real servers whose answers wait: for a lock, for a timer of the network, for the end of a stall."""

from corpus.live import NOISE, healthy, rate, under, users
from corpus.model import Clean, Defect
from corpus.workloads import load

LONGER_SECONDS = 20
"""Enough for nine stalls."""

DEFECTS = (
    Defect(
        "live: users pinned by a lock",
        ("waits-not-on-cpu",),
        (2.0, 10.0),
        10.0,
        "ms for which each of 20 users has it",
        under("takes_turns", users(20)),
        live=True,
    ),
    Defect(
        "live: answers written in parts",
        ("network-timer",),
        (0.0, 0.05, 0.3),
        0.3,
        "share of the answers",
        under("writes_in_parts", rate(100)),
        live=True,
    ),
    Defect(
        "live: new connections that find no room",
        ("network-timer",),
        (0.0, 1.0),
        1.0,
        "whether they do",
        under("overflows", users(20, new_connections=True)),
        live=True,
    ),
    Defect(
        "live: stalls every 2 s",
        ("periodic-stalls",),
        (0.0, 0.1, 0.3),
        0.3,
        "seconds of each",
        under("stands_still", load(rate=200, seconds=LONGER_SECONDS, warm_up=0)),
        live=True,
    ),
)

CLEAN = (
    Clean(
        "live: each answer after 50 ms",
        healthy("waits", users(10), 50.0),
        {**NOISE, "waits-not-on-cpu": "its users wait, and its CPU is idle"},
        live=True,
    ),
)
