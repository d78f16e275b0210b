//! Strings of JSON in pieces, with their escapes decoded: RFC 8259, section 7.

use super::JsonFault;
use super::scan::{has_control, text_end};

/// Where a string is put.
#[derive(Debug)]
pub struct Kept<'a> {
    /// What it is appended to.
    pub text: &'a mut Vec<u8>,
    /// As long as that may become.
    pub most: usize,
    /// Whether it is a fault if it is longer; else it is read on, and not kept.
    pub is_bound: bool,
}

/// How far a string has been read.
#[derive(Clone, Debug, Default)]
pub struct Unescaper {
    state: State,
    /// The first half of a pair that stands for one character; 0: none.
    high: u16,
    is_over: bool,
}

#[derive(Clone, Copy, Debug, Default)]
enum State {
    #[default]
    Plain,
    Backslash,
    /// After `\u`, with so many digits.
    Hex(u8, u16),
}

impl Unescaper {
    /// Whether it was longer than what is kept.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Takes what a piece has of the string. Where it ends: how many bytes were taken with its quote; none:
    /// all, and it goes on.
    ///
    /// # Errors
    /// What is wrong with it. Whether it is UTF-8 is not looked at.
    pub fn take(&mut self, piece: &[u8], kept: &mut Kept) -> Result<Option<usize>, JsonFault> {
        let mut at = 0;
        while at < piece.len() {
            match self.state {
                State::Plain => {
                    let end = text_end(&piece[at..]);
                    let text = &piece[at..end.map_or(piece.len(), |end| at + end)];
                    self.plain(text, kept)?;
                    at += text.len();
                    match piece.get(at) {
                        Some(b'"') if self.high != 0 => return Err(JsonFault::Surrogate),
                        Some(b'"') => return Ok(Some(at + 1)),
                        Some(_) => self.state = State::Backslash,
                        None => break,
                    }
                }
                State::Backslash => self.escape(piece[at], kept)?,
                State::Hex(count, before) => self.digit(piece[at], count, before, kept)?,
            }
            at += 1;
        }
        Ok(None)
    }

    /// Bytes without an escape, which control characters must have.
    fn plain(&mut self, text: &[u8], kept: &mut Kept) -> Result<(), JsonFault> {
        if text.is_empty() {
            return Ok(());
        }
        // What stands beyond a bound is not read.
        let read = if kept.is_bound {
            &text[..text.len().min(kept.most - kept.text.len())]
        } else {
            text
        };
        if self.high == 0 && has_control(read) {
            return Err(JsonFault::Syntax);
        }
        self.keep(text, kept)
    }

    fn escape(&mut self, byte: u8, kept: &mut Kept) -> Result<(), JsonFault> {
        let decoded = match byte {
            b'u' => {
                self.state = State::Hex(0, 0);
                return Ok(());
            }
            b'"' | b'\\' | b'/' => byte,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            _ => return Err(JsonFault::Syntax),
        };
        self.state = State::Plain;
        self.keep(&[decoded], kept)
    }

    /// A digit of a unit of UTF-16, which is a character or half of one.
    fn digit(
        &mut self,
        byte: u8,
        count: u8,
        before: u16,
        kept: &mut Kept,
    ) -> Result<(), JsonFault> {
        let digit = char::from(byte).to_digit(16).ok_or(JsonFault::Syntax)?;
        let unit = before << 4 | u16::try_from(digit).unwrap_or_default();
        if count < 3 {
            self.state = State::Hex(count + 1, unit);
            return Ok(());
        }
        self.state = State::Plain;
        let code = match self.high {
            0 if (0xd800..0xdc00).contains(&unit) => {
                self.high = unit;
                return Ok(());
            }
            0 => u32::from(unit),
            high if (0xdc00..0xe000).contains(&unit) => {
                0x1_0000 + (u32::from(high & 0x3ff) << 10) + u32::from(unit & 0x3ff)
            }
            _ => return Err(JsonFault::Surrogate),
        };
        self.high = 0;
        let character = char::from_u32(code).ok_or(JsonFault::Surrogate)?;
        self.keep(character.encode_utf8(&mut [0; 4]).as_bytes(), kept)
    }

    fn keep(&mut self, text: &[u8], kept: &mut Kept) -> Result<(), JsonFault> {
        if self.high != 0 {
            return Err(JsonFault::Surrogate);
        }
        self.is_over |= text.len() > kept.most - kept.text.len();
        if !self.is_over {
            kept.text.extend_from_slice(text);
        } else if kept.is_bound {
            return Err(JsonFault::TooLong);
        }
        Ok(())
    }
}
