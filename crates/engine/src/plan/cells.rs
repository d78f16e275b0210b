//! The cells in which a plan's requests are counted: each operation of a group has one, and one more for
//! each further status that it expects.

use crate::plan::{Operation, Plan};

/// One cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// As records name it.
    pub name: String,
    /// Whose it is.
    pub group: usize,
    /// The operation, counted over all groups.
    pub operation: usize,
    /// The same, counted in its group.
    pub operation_of_group: usize,
    /// The further status that it is for; none: it is the operation's first.
    pub status: Option<u16>,
}

/// The further statuses that an operation expects, each with a cell of its own after the first.
pub fn further_statuses(operation: &Operation) -> impl Iterator<Item = u16> {
    let check = &operation.check;
    check.status.iter().skip(1).chain(&check.or_end).copied()
}

/// All cells, group by group and operation by operation.
#[must_use]
pub fn cells(plan: &Plan) -> Vec<Cell> {
    let (mut cells, mut number) = (Vec::new(), 0);
    for (group, of_group) in plan.groups.iter().enumerate() {
        for (operation_of_group, operation) in of_group.operations.iter().enumerate() {
            let first = Cell {
                name: operation.cell.clone(),
                group,
                operation: number,
                operation_of_group,
                status: None,
            };
            cells.push(first.clone());
            cells.extend(further_statuses(operation).map(|status| Cell {
                name: format!("{}.{status}", operation.cell),
                status: Some(status),
                ..first.clone()
            }));
            number += 1;
        }
    }
    cells
}

/// Names of all groups.
#[must_use]
pub fn group_names(plan: &Plan) -> Vec<String> {
    plan.groups
        .iter()
        .map(|group| group.group.clone())
        .collect()
}
