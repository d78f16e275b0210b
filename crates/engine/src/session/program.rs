//! The steps of a session, one after the other: nested steps made into a list of instructions, and where
//! a session stands in it.
//!
//! Where a session goes depends on its number, draws and values alone, not on time.

use thiserror::Error;

use crate::plan::Think;
use crate::plan::session_format::{ChooseNode, Node, RepeatNode, SendNode};
use crate::session::draws::{Purpose, below};
use crate::session::integer::IntegerError;
use crate::session::occasion::{Context, Occasion};
use crate::session::source::Source;
use crate::session::template::Unsendable;
use crate::session::values::Values;

/// How deep `repeat`s stand in each other at most.
pub const MOST_NESTED: usize = 4;

/// How often a `repeat` is performed at most.
pub const MOST_TURNS: u16 = 1_000;

/// How often it is performed at most with all those in which it stands, so that no session goes on
/// for ever without a request.
pub const MOST_NESTED_TURNS: u64 = 100_000;

/// As far as the path of a session is followed that is not performed.
pub const MOST_WALKED: usize = 100_000;

/// Why steps cannot be performed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ProgramError {
    /// Too many `repeat`s in each other.
    #[error("more than {MOST_NESTED} repeats stand in each other")]
    Nested,
    /// Nothing can be chosen.
    #[error("none of the alternatives has a weight")]
    Weights,
    /// How often is no integer.
    #[error(transparent)]
    Times(#[from] IntegerError),
}

/// One request of a session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Its number in the program, those of `once` before those of the session.
    pub number: u32,
    /// The index of its operation.
    pub operation: usize,
    /// The pause after it; none: no pause.
    pub think: Option<Think>,
    /// The value without which it is skipped; none: it is always sent.
    pub when: Option<usize>,
}

#[derive(Clone, Debug)]
enum Instruction {
    Send(Step),
    /// Goes to one of the alternatives, each with its weight and those before it, summed up.
    Choose {
        draw: u32,
        alternatives: Box<[(u64, usize)]>,
    },
    Jump(usize),
    /// Begins turns, which go on at `end` when they are over.
    Repeat {
        times: Source,
        end: usize,
    },
    /// Ends one of the turns that begin at `begin`.
    EndTurn {
        begin: usize,
    },
    End,
}

/// The steps of a group's sessions.
#[derive(Clone, Debug)]
pub struct Program {
    instructions: Vec<Instruction>,
    /// Where the session begins; `once` stands before it.
    session: usize,
    steps: u32,
}

/// Where a session stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    at: usize,
    turns: [Turns; MOST_NESTED],
    nested: usize,
}

/// How far a `repeat` is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Turns {
    turn: u16,
    times: u16,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next<'a> {
    /// This request is sent.
    Send(&'a Step),
    /// This request is not sent, since it lacks the value that it depends on.
    Skip(&'a Step),
    /// This request would be the first of some that are to be repeated, and it cannot be said how often.
    Unsendable(&'a Step, Unsendable),
    /// Nothing: `once`, or the session, is at its end.
    End,
}

impl Cursor {
    fn new(at: usize) -> Self {
        Self {
            at,
            turns: [Turns::default(); MOST_NESTED],
            nested: 0,
        }
    }

    /// The occasion at the turn where the session stands: that of the step which came last.
    #[must_use]
    pub fn turned<'a>(&self, occasion: &Occasion<'a>) -> Occasion<'a> {
        let turns = || {
            self.turns[..self.nested]
                .iter()
                .map(|turns| u64::from(turns.turn))
        };
        Occasion {
            turn: turns().next_back().unwrap_or(0),
            draw_turn: turns().fold(0, |outer, turn| outer * u64::from(MOST_TURNS) + turn),
            ..*occasion
        }
    }

    /// Begins so many turns.
    fn repeat(&mut self, times: u16) -> Result<(), Unsendable> {
        let outer = self.turns[..self.nested]
            .iter()
            .map(|turns| u64::from(turns.times));
        if outer.product::<u64>() * u64::from(times) > MOST_NESTED_TURNS {
            return Err(Unsendable::Repeat);
        }
        self.turns[self.nested] = Turns { turn: 0, times };
        self.nested += 1;
        Ok(())
    }

    /// Ends a turn; whether another one follows.
    fn end_turn(&mut self) -> bool {
        let turns = &mut self.turns[self.nested - 1];
        turns.turn += 1;
        let goes_on = turns.turn < turns.times;
        if !goes_on {
            self.nested -= 1;
        }
        goes_on
    }
}

impl Program {
    /// Flattens the steps of a group.
    ///
    /// # Errors
    /// If they cannot be performed.
    pub fn new(once: &[Node], session: &[Node]) -> Result<Self, ProgramError> {
        let mut program = Self {
            instructions: Vec::new(),
            session: 0,
            steps: 0,
        };
        program.append(once, 0)?;
        program.instructions.push(Instruction::End);
        program.session = program.instructions.len();
        program.append(session, 0)?;
        program.instructions.push(Instruction::End);
        Ok(program)
    }

    /// Where a user begins; none if it begins with its first session.
    #[must_use]
    pub fn once(&self) -> Option<Cursor> {
        (self.session > 1).then(|| Cursor::new(0))
    }

    /// Where a session begins.
    #[must_use]
    pub fn session(&self) -> Cursor {
        Cursor::new(self.session)
    }

    /// Goes on to what comes next. The turn of `occasion` is of no account, the cursor knows it.
    pub fn next(&self, cursor: &mut Cursor, values: &Values, occasion: &Occasion) -> Next<'_> {
        loop {
            match &self.instructions[cursor.at] {
                Instruction::Send(step) => {
                    cursor.at += 1;
                    let is_there = |index: usize| {
                        let value = values.get(index, occasion.feeds);
                        value.is_some_and(|value| !value.is_empty())
                    };
                    return if step.when.is_none_or(is_there) {
                        Next::Send(step)
                    } else {
                        Next::Skip(step)
                    };
                }
                Instruction::Choose { draw, alternatives } => {
                    let bits = cursor.turned(occasion).draw(Purpose::Choose, *draw);
                    let weights = alternatives.last().map_or(0, |(weights, _)| *weights);
                    let roll = below(bits, weights);
                    let chosen = alternatives.partition_point(|(upto, _)| *upto <= roll);
                    cursor.at = alternatives[chosen].1;
                }
                Instruction::Jump(to) => cursor.at = *to,
                Instruction::Repeat { times, end } => {
                    let occasion = cursor.turned(occasion);
                    let context = Context {
                        values,
                        occasion: &occasion,
                    };
                    let begun = match times.integer(&context).map(u16::try_from) {
                        Some(Ok(0)) => {
                            cursor.at = *end;
                            continue;
                        }
                        Some(Ok(times)) if times <= MOST_TURNS => cursor.repeat(times),
                        _ => Err(Unsendable::Repeat),
                    };
                    match begun {
                        Ok(()) => cursor.at += 1,
                        Err(error) => {
                            let first = self.first_step(cursor.at);
                            cursor.at = *end;
                            if let Some(first) = first {
                                return Next::Unsendable(first, error);
                            }
                        }
                    }
                }
                Instruction::EndTurn { begin } => {
                    cursor.at = if cursor.end_turn() {
                        *begin
                    } else {
                        cursor.at + 1
                    };
                }
                Instruction::End => return Next::End,
            }
        }
    }

    /// Follows the path on from there, without performing it, through `once` and the session: each step that
    /// would be sent, whether or not the value is there that it depends on. Whether the end was reached,
    /// which it is not after 100,000 steps.
    pub fn walk(
        &self,
        mut cursor: Cursor,
        values: &Values,
        occasion: &Occasion,
        mut visit: impl FnMut(&Step),
    ) -> bool {
        for _ in 0..MOST_WALKED {
            match self.next(&mut cursor, values, occasion) {
                Next::Send(step) | Next::Skip(step) | Next::Unsendable(step, _) => visit(step),
                Next::End if cursor.at < self.session => cursor = self.session(),
                Next::End => return true,
            }
        }
        false
    }

    fn first_step(&self, from: usize) -> Option<&Step> {
        let mut following = self.instructions[from..].iter();
        following.find_map(|instruction| match instruction {
            Instruction::Send(step) => Some(step),
            _ => None,
        })
    }

    fn append(&mut self, nodes: &[Node], nested: usize) -> Result<(), ProgramError> {
        for node in nodes {
            match node {
                Node::Send(node) => self.append_step(node),
                Node::Choose(node) => self.append_choose(node, nested)?,
                Node::Repeat(node) => self.append_repeat(node, nested)?,
            }
        }
        Ok(())
    }

    fn append_step(&mut self, node: &SendNode) {
        self.instructions.push(Instruction::Send(Step {
            number: self.steps,
            operation: node.operation,
            think: node.think,
            when: node.when,
        }));
        self.steps += 1;
    }

    fn append_choose(&mut self, node: &ChooseNode, nested: usize) -> Result<(), ProgramError> {
        let choose = self.instructions.len();
        self.instructions.push(Instruction::End);
        let (mut weights, mut alternatives, mut jumps) = (0, Vec::new(), Vec::new());
        for alternative in &node.alternatives {
            weights += u64::from(alternative.weight);
            alternatives.push((weights, self.instructions.len()));
            self.append(&alternative.steps, nested)?;
            jumps.push(self.instructions.len());
            self.instructions.push(Instruction::End);
        }
        if weights == 0 {
            return Err(ProgramError::Weights);
        }
        self.instructions[choose] = Instruction::Choose {
            draw: node.draw,
            alternatives: alternatives.into(),
        };
        let end = self.instructions.len();
        for jump in jumps {
            self.instructions[jump] = Instruction::Jump(end);
        }
        Ok(())
    }

    /// Turns without a step are left out: they do nothing.
    fn append_repeat(&mut self, node: &RepeatNode, nested: usize) -> Result<(), ProgramError> {
        if nested == MOST_NESTED {
            return Err(ProgramError::Nested);
        }
        let (repeat, steps) = (self.instructions.len(), self.steps);
        self.instructions.push(Instruction::End);
        self.append(&node.steps, nested + 1)?;
        if self.steps == steps {
            self.instructions.truncate(repeat);
            return Ok(());
        }
        self.instructions
            .push(Instruction::EndTurn { begin: repeat + 1 });
        self.instructions[repeat] = Instruction::Repeat {
            times: Source::new(&node.times)?,
            end: self.instructions.len(),
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests;
