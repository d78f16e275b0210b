"""The numbers of a box plot."""

import dataclasses
from pathlib import Path

from loadstone.analysis.figures.boxes import boxes
from observed import observed


def test_an_operation_has_a_box_of_its_ok_requests(tmp_path: Path) -> None:
    (box,) = boxes([observed(tmp_path)])
    quantiles = (box.p5_ns, box.p25_ns, box.median_ns, box.p75_ns, box.p95_ns)
    assert list(quantiles) == sorted(quantiles)
    assert box.least_ns <= box.p5_ns
    assert box.p95_ns <= box.most_ns
    assert box.least_ns <= box.mean_ns <= box.most_ns


def test_an_operation_that_was_never_ok_has_no_box(tmp_path: Path) -> None:
    assert boxes([dataclasses.replace(observed(tmp_path), histograms={})]) == ()
