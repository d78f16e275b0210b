//! Groups: their names, what their sessions take of feeds and make at their beginning, and that all that
//! is meant by a number is there.

use std::collections::HashSet;

use super::{PlanError, arrivals, nodes, operation, template, wrong};
use crate::plan::cells::cells;
use crate::plan::session_format::Let;
use crate::plan::{Arrivals, Group, Per, Plan};

/// Far beyond any workload; each costs histograms every second.
const MOST_GROUPS: usize = 32;

/// Far beyond any session; each costs histograms every second, and rows number them by 16 bits.
const MOST_CELLS: usize = 1_000;

/// Checks all groups.
///
/// # Errors
/// Names the first key that is wrong.
pub(super) fn check_all(plan: &Plan) -> Result<(), PlanError> {
    if !(1..=MOST_GROUPS).contains(&plan.groups.len()) {
        let count = plan.groups.len();
        let message = format!("must be between 1 and {MOST_GROUPS}, the plan has {count}");
        return Err(wrong("groups", message));
    }
    let mut connections = 0;
    for (index, group) in plan.groups.iter().enumerate() {
        let key = format!("groups[{index}]");
        if !is_name(&group.group) {
            return Err(wrong(format!("{key}.group"), NAME_RULE));
        }
        let mut before = plan.groups[..index].iter();
        if before.any(|other| other.group == group.group) {
            let message = "the name is used twice in the plan";
            return Err(wrong(format!("{key}.group"), message));
        }
        connections += arrivals::check(&key, plan, group, connections)?;
        check_feeds(&key, plan, group)?;
        check_lets(&key, group)?;
        operation::check_all(&key, plan.protocol, group)?;
        nodes::check(&key, group)?;
    }
    check_cells(plan)
}

/// What a name in a histogram's tag may be.
pub(super) const NAME_RULE: &str =
    "must be of letters, digits, `_`, `-` and `.`: it is part of a histogram's tag";

pub(super) fn is_name(text: &str) -> bool {
    let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    !text.is_empty() && text.bytes().all(is_name_byte)
}

/// The index of a value must be that of a name.
pub(super) fn check_value(key: &str, group: &Group, value: usize) -> Result<(), PlanError> {
    let count = group.values.len();
    if value < count {
        return Ok(());
    }
    let message = format!("there is no value {value}: the group has {count}");
    Err(wrong(key, message))
}

fn check_feeds(key: &str, plan: &Plan, group: &Group) -> Result<(), PlanError> {
    for (index, feed) in group.feeds.iter().enumerate() {
        let key = format!("{key}.feeds[{index}]");
        let Some(of) = plan.feeds.get(feed.feed) else {
            let message = format!(
                "there is no feed {}: the plan has {}",
                feed.feed,
                plan.feeds.len()
            );
            return Err(wrong(format!("{key}.feed"), message));
        };
        if feed.values.len() as u64 != of.columns {
            let message = format!("must be {}, one for each column of the feed", of.columns);
            return Err(wrong(format!("{key}.values"), message));
        }
        for (column, value) in feed.values.iter().enumerate() {
            check_value(&format!("{key}.values[{column}]"), group, *value)?;
        }
        if feed.per == Per::User && matches!(group.arrivals, Arrivals::Rate(_)) {
            return Err(wrong(format!("{key}.per"), "a rate has no users"));
        }
    }
    Ok(())
}

fn check_lets(key: &str, group: &Group) -> Result<(), PlanError> {
    for (index, one) in group.lets.iter().enumerate() {
        let key = format!("{key}.let[{index}]");
        let value = match one {
            Let::Text(text) => text.value,
            Let::Integer(integer) => integer.value,
        };
        check_value(&format!("{key}.value"), group, value)?;
        match one {
            Let::Text(text) => {
                let key = format!("{key}.text");
                template::check_pieces(&key, group, &text.text, template::ANYWHERE)?;
            }
            Let::Integer(integer) => {
                let key = format!("{key}.integer");
                template::check_terms(&key, group, &integer.integer)?;
            }
        }
    }
    Ok(())
}

/// Cells are told apart by their names.
fn check_cells(plan: &Plan) -> Result<(), PlanError> {
    let cells = cells(plan);
    if cells.len() > MOST_CELLS {
        let message = format!(
            "have {} cells, one for each operation and each further status that it expects; \
             {MOST_CELLS} at most",
            cells.len()
        );
        return Err(wrong("groups", message));
    }
    let mut names = HashSet::new();
    for cell in &cells {
        if !names.insert(cell.name.as_str()) {
            let key = format!(
                "groups[{}].operations[{}].cell",
                cell.group, cell.operation_of_group
            );
            let message = format!("{} is used twice in the plan", cell.name);
            return Err(wrong(key, message));
        }
    }
    Ok(())
}
