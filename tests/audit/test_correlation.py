"""Requests of one second that resemble each other are a note, with how many they are worth."""

import dataclasses
from pathlib import Path

import numpy as np

from loadstone.audit.figures.correlated_requests import correlated_requests
from loadstone.findings.model import Severity
from loadstone.results.window import WindowedRun
from observed import observed
from results_builder import rate


def shifted(run: WindowedRun, by_ns: float) -> WindowedRun:
    """The same run whose seconds are slower and faster in turn."""
    times = tuple(
        dataclasses.replace(each, mean_ns=each.mean_ns + by_ns * (-1) ** number)
        for number, each in enumerate(run.times["echo"])
    )
    return dataclasses.replace(run, times={"echo": times})


def test_independent_requests_have_no_note(tmp_path: Path) -> None:
    assert list(correlated_requests(observed(tmp_path, workload=rate(200)))) == []


def test_seconds_that_differ_are_a_note_that_withholds_nothing(tmp_path: Path) -> None:
    run = observed(tmp_path, workload=rate(200))
    spread_ns = np.sqrt(np.mean([each.variance_ns2 for each in run.times["echo"]]))
    (note,) = correlated_requests(shifted(run, 2 * spread_ns))
    assert note.severity == Severity.NOTE
    assert "lies between seconds" in note.evidence
    assert "requests tell as much as 1" in note.evidence
