"""A cell whose figures are those of one group, or of one operation.

What belongs to the process, such as its memory and its CPU time, is of the whole load: nobody can tell
which part of it a group or an operation took.
"""

from collections.abc import Iterable

from loadstone.analysis.model import Cell, GroupFigures, OperationFigures


def narrowed(cell: Cell, group: str | None, operation: str | None) -> Cell:
    """The same cell where it has no such part, or where all of it is that part."""
    part = _part(cell, group, operation)
    if part is None:
        return cell
    figures = tuple(part.by_metric.get(each.metric, each) for each in cell.figures)
    # A copy would keep the figures by metric that were looked up before.
    fields = {name: getattr(cell, name) for name in Cell.model_fields}
    return Cell.model_construct(**(fields | {"figures": figures, "outcomes": part.outcomes}))


def _part(
    cell: Cell, group: str | None, operation: str | None
) -> GroupFigures | OperationFigures | None:
    if operation is None:
        return next((each for each in cell.groups if each.group == group), None)
    if group is None:
        over = next((each for each in cell.over_groups if each.operation == operation), None)
        return over or _named(cell.operations, operation)
    return _named((each for each in cell.operations if each.group in ("", group)), operation)


def _named(operations: Iterable[OperationFigures], name: str) -> OperationFigures | None:
    """The operation of that name, whatever its group: a record names it behind that."""
    return next(
        (
            each
            for each in operations
            if each.operation == name or each.operation.endswith(f".{name}")
        ),
        None,
    )
