//! What is put together for each request: nothing but what may stand in its place, of values that there
//! are, and integers that can be computed.

use super::group::check_value;
use super::{PlanError, wrong};
use crate::plan::Group;
use crate::plan::session_format::{Expression, Piece, Place, Term, Word};
use crate::session::integer::MOST_WAITING;

/// Where an expression may stand in a path.
pub(super) const IN_PATH: &[Place] = &[Place::Segment, Place::Query, Place::Location];

/// Where it may stand in a header.
pub(super) const IN_HEADER: &[Place] = &[Place::Header];

/// Where it may stand in a body.
pub(super) const IN_BODY: &[Place] = &[
    Place::JsonString,
    Place::Json,
    Place::JsonNumber,
    Place::Form,
    Place::Raw,
];

/// Where it may stand in a text that nobody parses.
pub(super) const ANYWHERE: &[Place] = &[
    Place::Segment,
    Place::Query,
    Place::Location,
    Place::Header,
    Place::JsonString,
    Place::Json,
    Place::JsonNumber,
    Place::Form,
    Place::Raw,
];

/// The text, if it is always the same.
#[must_use]
pub(super) fn constant(pieces: &[Piece]) -> Option<String> {
    let texts = pieces.iter().map(|piece| match piece {
        Piece::Literal(text) => Some(text.as_str()),
        Piece::Placed(_) => None,
    });
    texts.collect()
}

/// Its literal parts, by their number.
pub(super) fn literals(pieces: &[Piece]) -> impl Iterator<Item = (usize, &str)> {
    let numbered = pieces.iter().enumerate();
    numbered.filter_map(|(index, piece)| match piece {
        Piece::Literal(text) => Some((index, text.as_str())),
        Piece::Placed(_) => None,
    })
}

/// Checks pieces whose expressions may stand in these places.
///
/// # Errors
/// Names the first key that is wrong.
pub(super) fn check_pieces(
    key: &str,
    group: &Group,
    pieces: &[Piece],
    places: &[Place],
) -> Result<(), PlanError> {
    for (index, piece) in pieces.iter().enumerate() {
        let Piece::Placed(one) = piece else {
            continue;
        };
        let key = format!("{key}[{index}]");
        if !places.contains(&one.place) {
            let message = "an expression cannot stand in this place here: a server could read what it \
                           gives as something else";
            return Err(wrong(format!("{key}.as"), message));
        }
        check_expression(&format!("{key}.expression"), group, &one.expression)?;
    }
    Ok(())
}

/// Checks one expression.
///
/// # Errors
/// Names the first key that is wrong.
pub(super) fn check_expression(
    key: &str,
    group: &Group,
    expression: &Expression,
) -> Result<(), PlanError> {
    match expression {
        Expression::Value(value) => check_value(&format!("{key}.value"), group, *value),
        Expression::Integer(terms) => check_terms(&format!("{key}.integer"), group, terms),
        Expression::Random { least, most, .. } if least > most => {
            let message = "least must not be above most";
            Err(wrong(format!("{key}.random"), message))
        }
        Expression::Date { offset_s, .. } => {
            check_terms(&format!("{key}.date.offset_s"), group, offset_s)
        }
        Expression::Base64(pieces) => {
            check_pieces(&format!("{key}.base64"), group, pieces, ANYWHERE)
        }
        Expression::SessionNumber
        | Expression::UserNumber
        | Expression::Turn
        | Expression::Random { .. }
        | Expression::Uuid { .. }
        | Expression::Now { .. }
        | Expression::EpochMs => Ok(()),
    }
}

/// Checks that an integer in reverse Polish notation leaves one number.
///
/// # Errors
/// Names the first key that is wrong.
pub(super) fn check_terms(key: &str, group: &Group, terms: &[Term]) -> Result<(), PlanError> {
    let mut depth = 0_usize;
    for (index, term) in terms.iter().enumerate() {
        let key = format!("{key}[{index}]");
        match term {
            Term::Value(term) => {
                check_value(&format!("{key}.value"), group, term.value)?;
                depth += 1;
            }
            Term::Number(_) | Term::Word(Word::SessionNumber | Word::UserNumber | Word::Turn) => {
                depth += 1;
            }
            Term::Word(_) if depth < 2 => {
                return Err(wrong(key, "an operator needs two numbers before it"));
            }
            Term::Word(_) => depth -= 1,
        }
        if depth > MOST_WAITING {
            let message = format!("more than {MOST_WAITING} numbers wait for an operator");
            return Err(wrong(key, message));
        }
    }
    if depth == 1 {
        return Ok(());
    }
    let message = format!("must come to one number, and comes to {depth}");
    Err(wrong(key, message))
}
