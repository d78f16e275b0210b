//! What is computed where a text or a number is asked for, prepared once.

use crate::plan::session_format::{DateForm, Expression};
use crate::session::draws::{Purpose, between, uuid};
use crate::session::integer::{Integer, IntegerError};
use crate::session::occasion::Context;
use crate::session::template::{Template, Unsendable};
use crate::session::values::Value;
use crate::session::{escape, timestamps};

/// An expression, prepared.
#[derive(Clone, Debug)]
pub enum Source {
    /// A value of the session, by its index.
    Value(usize),
    /// A number.
    Number(Number),
    /// A text.
    Text(Text),
}

/// A number that is computed.
#[derive(Clone, Debug)]
pub enum Number {
    /// Of the session.
    Session,
    /// Of the user.
    User,
    /// The turn of the innermost `repeat`.
    Turn,
    /// From terms.
    Integer(Integer),
    /// Drawn.
    Random {
        /// The least.
        least: i64,
        /// The most.
        most: i64,
        /// The number of the draw.
        draw: u32,
    },
    /// Now, in milliseconds since 1970.
    EpochMs,
}

/// A text that is computed; of visible ASCII, and without a blank, a quote or a backslash.
#[derive(Clone, Debug)]
pub enum Text {
    /// Drawn, by the number of the draw.
    Uuid(u32),
    /// A time.
    Date {
        /// Where it is counted from, in seconds since 1970; none: now.
        base_s: Option<i64>,
        /// Seconds that are added; none: 0.
        offset_s: Option<Integer>,
        /// How it is written.
        form: DateForm,
    },
    /// A text in base64.
    Base64(Box<Template>),
}

impl Source {
    /// Prepares an expression.
    ///
    /// # Errors
    /// If terms in it are no integer.
    pub fn new(expression: &Expression) -> Result<Self, IntegerError> {
        Ok(match expression {
            Expression::Value(index) => Self::Value(*index),
            Expression::SessionNumber => Self::Number(Number::Session),
            Expression::UserNumber => Self::Number(Number::User),
            Expression::Turn => Self::Number(Number::Turn),
            Expression::Integer(terms) => Self::Number(Number::Integer(Integer::new(terms)?)),
            &Expression::Random { least, most, draw } => {
                Self::Number(Number::Random { least, most, draw })
            }
            Expression::EpochMs => Self::Number(Number::EpochMs),
            Expression::Uuid { draw } => Self::Text(Text::Uuid(*draw)),
            Expression::Now { form } => Self::Text(Text::Date {
                base_s: None,
                offset_s: None,
                form: *form,
            }),
            Expression::Date {
                base_s,
                offset_s,
                form,
            } => Self::Text(Text::Date {
                base_s: *base_s,
                offset_s: Some(Integer::new(offset_s)?),
                form: *form,
            }),
            Expression::Base64(pieces) => {
                Self::Text(Text::Base64(Box::new(Template::new(pieces)?)))
            }
        })
    }

    /// The integer that it is; none where it is none, or cannot be computed.
    #[must_use]
    pub fn integer(&self, context: &Context) -> Option<i64> {
        match self {
            Self::Value(index) => context.value(*index).and_then(Value::integer),
            Self::Number(number) => number.get(context),
            Self::Text(_) => None,
        }
    }
}

impl Number {
    /// What it comes to; none where that is beyond 64 bits or cannot be computed.
    #[must_use]
    pub fn get(&self, context: &Context) -> Option<i64> {
        let occasion = context.occasion;
        match self {
            Self::Session => i64::try_from(occasion.session_number).ok(),
            Self::User => i64::try_from(occasion.user_number).ok(),
            Self::Turn => i64::try_from(occasion.turn).ok(),
            Self::Integer(integer) => integer.evaluate(context),
            Self::Random { least, most, draw } => Some(between(
                occasion.draw(Purpose::Random, *draw),
                *least,
                *most,
            )),
            Self::EpochMs => i64::try_from(occasion.now_unix_ns / 1_000_000).ok(),
        }
    }
}

impl Text {
    /// Appends it.
    ///
    /// # Errors
    /// If it cannot be computed.
    pub fn write(&self, context: &Context, out: &mut Vec<u8>) -> Result<(), Unsendable> {
        let occasion = context.occasion;
        match self {
            Self::Uuid(draw) => {
                let bits = occasion.draw(Purpose::Uuid, *draw);
                out.extend_from_slice(&uuid(bits, occasion.run_key));
                Ok(())
            }
            Self::Date {
                base_s,
                offset_s,
                form,
            } => {
                let base_s = base_s.unwrap_or_else(|| occasion.now_unix_s());
                let offset_s = match offset_s {
                    Some(terms) => terms.evaluate(context).ok_or(Unsendable::Integer)?,
                    None => 0,
                };
                let unix_s = base_s.checked_add(offset_s).ok_or(Unsendable::Date)?;
                if timestamps::push(unix_s, *form, out) {
                    Ok(())
                } else {
                    Err(Unsendable::Date)
                }
            }
            Self::Base64(template) => {
                let start = out.len();
                template.render(context, out)?;
                escape::base64_in_place(out, start);
                Ok(())
            }
        }
    }
}
