//! What sessions do: steps whose operations, values and alternatives are there, and which come to an end.

use super::arrivals::check_think;
use super::group::check_value;
use super::{PlanError, template, wrong};
use crate::plan::Group;
use crate::plan::session_format::{Expression, Node, Piece, RepeatNode, SendNode, Term};
use crate::session::program::{MOST_NESTED, MOST_TURNS};

/// Far beyond any session; rows number steps by 16 bits.
const MOST_SENDS: usize = 10_000;

/// Sessions are flattened, and counted through, level by level.
const MOST_LEVELS: usize = 16;

/// How many choices and repeats a step stands in.
#[derive(Clone, Copy, Debug, Default)]
struct Depth {
    levels: usize,
    repeats: usize,
}

/// Checks what a group does once, and what its sessions do.
///
/// # Errors
/// Names the first key that is wrong.
pub(super) fn check(key: &str, group: &Group) -> Result<(), PlanError> {
    if group.session.is_empty() {
        let message = "a session needs at least one step";
        return Err(wrong(format!("{key}.session"), message));
    }
    let mut sends = 0;
    for (name, nodes) in [("once", &group.once), ("session", &group.session)] {
        let key = format!("{key}.{name}");
        check_nodes(&key, group, nodes, Depth::default(), &mut sends)?;
        if sends > MOST_SENDS {
            return Err(wrong(
                key,
                format!("has {sends} steps, {MOST_SENDS} at most"),
            ));
        }
    }
    Ok(())
}

fn check_nodes(
    key: &str,
    group: &Group,
    nodes: &[Node],
    depth: Depth,
    sends: &mut usize,
) -> Result<(), PlanError> {
    if depth.levels == MOST_LEVELS {
        let message = format!("steps stand in each other {MOST_LEVELS} levels deep at most");
        return Err(wrong(key, message));
    }
    let inner = Depth {
        levels: depth.levels + 1,
        ..depth
    };
    for (index, node) in nodes.iter().enumerate() {
        let key = format!("{key}[{index}]");
        match node {
            Node::Send(send) => {
                *sends += 1;
                check_send(&format!("{key}.send"), group, send)?;
            }
            Node::Choose(choose) => {
                let key = format!("{key}.choose.alternatives");
                let weights = choose.alternatives.iter().map(|one| u64::from(one.weight));
                if weights.sum::<u64>() == 0 {
                    return Err(wrong(key, "need one of a weight above 0"));
                }
                for (index, alternative) in choose.alternatives.iter().enumerate() {
                    let key = format!("{key}[{index}].steps");
                    check_nodes(&key, group, &alternative.steps, inner, sends)?;
                }
            }
            Node::Repeat(repeat) => {
                let key = format!("{key}.repeat");
                if depth.repeats == MOST_NESTED {
                    let message = format!("repeats stand in each other {MOST_NESTED} deep at most");
                    return Err(wrong(key, message));
                }
                check_times(&format!("{key}.times"), group, repeat)?;
                let inner = Depth {
                    repeats: depth.repeats + 1,
                    ..inner
                };
                let key = format!("{key}.steps");
                check_nodes(&key, group, &repeat.steps, inner, sends)?;
            }
        }
    }
    Ok(())
}

fn check_send(key: &str, group: &Group, send: &SendNode) -> Result<(), PlanError> {
    let count = group.operations.len();
    if send.operation >= count {
        let message = format!(
            "there is no operation {}: the group has {count}",
            send.operation
        );
        return Err(wrong(format!("{key}.operation"), message));
    }
    if let Some(value) = send.when {
        check_value(&format!("{key}.when"), group, value)?;
    }
    let think = send.think.as_ref();
    think.map_or(Ok(()), |think| check_think(&format!("{key}.think"), think))
}

fn check_times(key: &str, group: &Group, repeat: &RepeatNode) -> Result<(), PlanError> {
    template::check_expression(key, group, &repeat.times)?;
    if let Expression::Integer(terms) = &repeat.times
        && let [Term::Number(times)] = terms.as_slice()
        && !(0..=i64::from(MOST_TURNS)).contains(times)
    {
        let message = format!("must be between 0 and {MOST_TURNS}");
        return Err(wrong(key, message));
    }
    if depends_on_answers(group, &repeat.times) {
        let message = "must not depend on what answers say: the steps of a session are planned \
                       when it begins";
        return Err(wrong(key, message));
    }
    Ok(())
}

/// Whether an expression has a value that is taken out of answers.
fn depends_on_answers(group: &Group, expression: &Expression) -> bool {
    let captures = || group.operations.iter().flat_map(|one| &one.captures);
    let is_captured = |value: usize| captures().any(|capture| capture.value == value);
    match expression {
        Expression::Value(value) => is_captured(*value),
        Expression::Integer(terms)
        | Expression::Date {
            offset_s: terms, ..
        } => terms.iter().any(|term| match term {
            Term::Value(term) => is_captured(term.value),
            Term::Number(_) | Term::Word(_) => false,
        }),
        Expression::Base64(pieces) => pieces.iter().any(|piece| match piece {
            Piece::Placed(placed) => depends_on_answers(group, &placed.expression),
            Piece::Literal(_) => false,
        }),
        Expression::SessionNumber
        | Expression::UserNumber
        | Expression::Turn
        | Expression::Random { .. }
        | Expression::Uuid { .. }
        | Expression::Now { .. }
        | Expression::EpochMs => false,
    }
}
