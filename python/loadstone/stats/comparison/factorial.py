"""What each factor of a study, and their interactions, do to a figure: an analysis of variance.

The model is linear, of the figure's logarithm, on the terms (factors and their interactions up to an
order) and the blocks. Blocks have an effect of their own each ("fixed"). Where they are complete this
is the mixed model with random blocks, as far as terms go: every contrast of arms is then made of
differences within blocks, in which a block's effect cancels whatever it is, and the F tests are the
same (Pinheiro & Bates, "Mixed-Effects Models in S and S-PLUS", 2000, section 1.2). Where runs are
missing it remains right for any effects of blocks; the mixed model would also use what the means of
blocks tell of arms, which is little, and would have to know how much blocks vary, from a few of them,
which makes its tests too liberal.

Sums of squares are of type II: each term is held against the model of all terms that do not contain
it (Langsrud, "ANOVA for unbalanced data: Use Type II instead of Type III sums of squares", Statistics
and Computing 13(2), 2003). In a complete cross product of complete blocks all types agree. A term
contains another where it tells apart all runs that the other does, so that `gateway x client` contains
`gateway`, and `runtime` does where each runtime is of one gateway. What a pruned cross product leaves
of an interaction is tested with the degrees of freedom that are left.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc

from loadstone.stats.comparison.estimate import require_finite

_RANK_TOLERANCE = 1e-9
"""Of the squared length of a column over the runs: what is less is its rounding."""
_NOISE_TOLERANCE = 1e-20
"""Of the sum of squares: what is left below it is rounding, no variance."""

Floats = NDArray[np.float64]
Partition = NDArray[np.int64]
"""For each run the number of its cell: which runs a term tells apart."""


@dataclass(frozen=True)
class Term:
    """A factor, or an interaction of several."""

    factors: tuple[str, ...]
    degrees: int
    """Of freedom: independent contrasts that the term adds."""
    share: float
    """Of the variance, from 0 to 1: epsilon squared, its sum of squares less what chance alone would
    give it, over the total."""
    f_value: float | None
    """None where nothing is left to hold it against."""
    p_value: float | None


@dataclass(frozen=True)
class LeftOut:
    """A term that the study cannot tell, and why."""

    factors: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Factorial:
    """Shares add up to 1 where blocks are complete and all combinations are there; else factors also
    explain something together, which is in none of the shares or in several."""

    terms: tuple[Term, ...]
    """Factors in their order, then interactions of two, and so on."""
    block_share: float
    """Of what blocks differ by."""
    residual_share: float
    """Of what is left: noise, and interactions beyond the order."""
    residual_degrees: int
    left_out: tuple[LeftOut, ...]


def factorial(
    values: Sequence[float],
    factors: Mapping[str, Sequence[str]],
    blocks: Sequence[int],
    order: int = 2,
) -> Factorial:
    """Analyse `values`, one a run and already logarithms, by each run's levels and block.

    Factors with one level are no terms. Shares are epsilon squared (Kelley, "An Unbiased Correlation
    Ratio Measure", PNAS 21(9), 1935), 0 where it is below: a plain share of the sum of squares
    credits a term without effect with 1 / (n - 1) for each degree of freedom, which is a tenth in a
    study of eleven runs, and of the corrected ones it is the least biased (Okada, "Is Omega Squared
    Less Biased?", Behaviormetrika 40(2), 2013). What chance gave the terms goes to the residual.
    Where nothing is left beside the terms, the shares are not corrected.

    `ValueError` for no runs, sequences of different length, a value that is not finite, an order below
    1, and where no factor has two levels.
    """
    _require_fitting(values, factors, blocks, order)
    varying = {name: _numbers(levels) for name, levels in factors.items() if len(set(levels)) > 1}
    if not varying:
        raise ValueError("no factor has two levels")
    candidates, left_out = _terms(varying, order)
    seen = np.asarray(values, dtype=float)
    seen = seen - seen.mean()
    total = float(seen @ seen) if np.ptp(values) else 0.0
    block_cells = _numbers(blocks)
    squares: dict[tuple[str, ...], tuple[int, float]] = {}
    for names, cells in candidates.items():
        beside = [other for other in candidates.values() if not _tells(other, cells)]
        degrees, explained = _added(seen, _space([block_cells, *beside]), cells)
        if degrees:
            squares[names] = degrees, explained
        else:
            left_out.append(LeftOut(names, "it cannot be told from the other terms"))
    space = _space(candidates.values())
    block_degrees, block_squares = _added(seen, space, block_cells)
    whole = _space([block_cells, *candidates.values()])
    rest = seen - whole @ (whole.T @ seen)
    degrees_left = len(seen) - whole.shape[1]
    noise = float(rest @ rest) if degrees_left else 0.0
    if noise <= _NOISE_TOLERANCE * total:
        noise = 0.0
    unit = noise / degrees_left if degrees_left else 0.0
    shares = {
        names: _share(explained, degrees * unit, total)
        for names, (degrees, explained) in squares.items()
    }
    block_share = _share(block_squares, block_degrees * unit, total)
    explained_by_all = block_squares + sum(explained for _, explained in squares.values())
    by_chance = explained_by_all - total * (block_share + sum(shares.values()))
    return Factorial(
        terms=tuple(
            Term(names, degrees, shares[names], *_test(degrees, explained, unit, degrees_left))
            for names, (degrees, explained) in squares.items()
        ),
        block_share=block_share,
        residual_share=max(0.0, (noise + by_chance) / total) if total else 0.0,
        residual_degrees=degrees_left,
        left_out=tuple(left_out),
    )


def _require_fitting(
    values: Sequence[float],
    factors: Mapping[str, Sequence[str]],
    blocks: Sequence[int],
    order: int,
) -> None:
    require_finite([*values])
    if not values:
        raise ValueError("no runs, no effects")
    if order < 1:
        raise ValueError(f"terms have at least one factor, not {order}")
    lengths = {"blocks": len(blocks)} | {name: len(levels) for name, levels in factors.items()}
    for name, length in lengths.items():
        if length != len(values):
            raise ValueError(f"{len(values)} values cannot have {length} of {name}")


def _terms(
    varying: Mapping[str, Partition], order: int
) -> tuple[dict[tuple[str, ...], Partition], list[LeftOut]]:
    """The cells of each term; without those that tell apart the same runs as one before them."""
    kept: dict[tuple[str, ...], Partition] = {}
    left_out: list[LeftOut] = []
    for count in range(1, order + 1):
        for names in combinations(varying, count):
            cells = _numbers(list(zip(*(varying[name].tolist() for name in names), strict=True)))
            same = next(
                (
                    other
                    for other, known in kept.items()
                    if _tells(known, cells) and _tells(cells, known)
                ),
                None,
            )
            if same is None:
                kept[names] = cells
            else:
                left_out.append(
                    LeftOut(names, f"it tells apart the same runs as {' x '.join(same)}")
                )
    return kept, left_out


def _numbers(labels: Sequence[object]) -> Partition:
    """The same number for the same label."""
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    return np.array([numbers[label] for label in labels], dtype=np.int64)


def _tells(finer: Partition, coarser: Partition) -> bool:
    """Whether runs of one cell of `finer` are always of one cell of `coarser`."""
    pairs = len(np.unique(finer * (coarser.max() + 1) + coarser))
    return pairs == int(finer.max()) + 1


def _columns(cells: Partition) -> Floats:
    return np.eye(int(cells.max()) + 1)[cells]


def _space(partitions: Iterable[Partition]) -> Floats:
    """Orthonormal columns that span the mean and the indicators of all cells."""
    columns = [_columns(cells) for cells in partitions]
    ones = np.ones((len(columns[0]), 1))
    return _basis(np.hstack([ones, *columns]))


def _basis(columns: Floats) -> Floats:
    """By the eigenvectors of the columns' products, which are fewer than the runs."""
    sizes, vectors = np.linalg.eigh(columns.T @ columns)
    kept = sizes > _RANK_TOLERANCE * len(columns)
    basis: Floats = columns @ (vectors[:, kept] / np.sqrt(sizes[kept]))
    return basis


def _added(values: Floats, space: Floats, cells: Partition) -> tuple[int, float]:
    """Degrees of freedom and sum of squares that a term adds to a space."""
    columns = _columns(cells)
    new = _basis(columns - space @ (space.T @ columns))
    explained = new.T @ values
    return new.shape[1], float(explained @ explained)


def _share(explained: float, by_chance: float, total: float) -> float:
    return max(0.0, (explained - by_chance) / total) if total else 0.0


def _test(
    degrees: int, explained: float, unit: float, degrees_left: int
) -> tuple[float | None, float | None]:
    """F and its p value, where there is noise."""
    if not unit:
        return None, None
    f_value = explained / degrees / unit
    return f_value, float(fdtrc(degrees, degrees_left, f_value))
