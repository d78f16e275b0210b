//! Instants and days, as callers write them and as they are shown (RFC 3339).
//!
//! The reader of the library takes more: small letters, a second of 60, a blank for the `T`.

use std::ops::RangeInclusive;

use chrono::{
    DateTime, Datelike as _, NaiveDate, NaiveTime, SecondsFormat, TimeDelta, Timelike as _, Utc,
};
use serde::Serializer;

/// A point in time.
pub type Instant = DateTime<Utc>;

/// In which an instant, or a day, may be.
pub const YEARS: RangeInclusive<i32> = 2020..=2099;

const WHOLE_SECONDS_BYTES: usize = "2040-03-01T06:00:00".len();
const NANOSECOND_DIGITS: usize = 9;

/// Reads an instant in any offset.
pub fn read(text: &str) -> Option<Instant> {
    let (seconds, rest) = text.split_at_checked(WHOLE_SECONDS_BYTES)?;
    let (date, time) = seconds.split_once('T')?;
    let [hour, minute, second] = numbers(time, ":", [2, 2, 2])?;
    let (nanosecond, offset) = fraction(rest)?;
    let time = NaiveTime::from_hms_nano_opt(hour, minute, second, nanosecond)?;
    Some(read_date(date)?.and_time(time).and_utc() - offset_of(offset)?)
}

/// Reads a day such as `2040-03-01`.
pub fn read_date(text: &str) -> Option<NaiveDate> {
    let [year, month, day] = numbers(text, "-", [4, 2, 2])?;
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
}

/// An instant in its 20 characters.
pub fn shown(instant: &Instant) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Shows an instant in JSON.
pub fn serialize<S: Serializer>(instant: &Instant, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&shown(instant))
}

/// Shows an instant in JSON, or null where there is none yet.
#[expect(clippy::ref_option, reason = "serde calls it with what it has")]
pub fn serialize_optional<S: Serializer>(
    instant: &Option<Instant>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match instant {
        Some(instant) => serialize(instant, serializer),
        None => serializer.serialize_none(),
    }
}

/// Whether the service knows the year of an instant.
pub fn is_in_range(instant: &Instant) -> bool {
    YEARS.contains(&instant.year())
}

/// The start of a day.
pub fn midnight(date: NaiveDate) -> Instant {
    date.and_time(NaiveTime::MIN).and_utc()
}

/// How far into its day an instant is.
pub fn since_midnight(instant: &Instant) -> TimeDelta {
    instant.time() - NaiveTime::MIN
}

/// The minute of the day that an instant begins, if it begins one.
pub fn whole_minute(instant: &Instant) -> Option<i16> {
    let is_whole = instant.second() == 0 && instant.nanosecond() == 0;
    let minute = i16::try_from(instant.hour() * 60 + instant.minute()).ok()?;
    is_whole.then_some(minute)
}

/// Numbers of so many digits each, and nothing else between them.
fn numbers<const N: usize>(text: &str, between: &str, digits: [usize; N]) -> Option<[u32; N]> {
    let mut parts = text.split(between);
    let mut numbers = [0; N];
    for (number, digits) in numbers.iter_mut().zip(digits) {
        let part = parts.next().filter(|part| part.len() == digits)?;
        *number = number_of(part)?;
    }
    parts.next().is_none().then_some(numbers)
}

fn number_of(digits: &str) -> Option<u32> {
    let is_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_digits)
}

/// The nanoseconds of a fraction, where there is one, and what is behind it. What is below a nanosecond
/// counts as one: it is no whole second either.
fn fraction(text: &str) -> Option<(u32, &str)> {
    let Some(fraction) = text.strip_prefix('.') else {
        return Some((0, text));
    };
    let end = fraction.find(|c: char| !c.is_ascii_digit())?;
    let (digits, rest) = fraction.split_at(end);
    let shown: String = digits.chars().take(NANOSECOND_DIGITS).collect();
    let nanoseconds = number_of(&format!("{shown:0<NANOSECOND_DIGITS$}"))?;
    let has_more = nanoseconds == 0 && digits.contains(|c: char| c != '0');
    (!digits.is_empty()).then_some((nanoseconds + u32::from(has_more), rest))
}

/// How far ahead of UTC.
fn offset_of(text: &str) -> Option<TimeDelta> {
    if text == "Z" {
        return Some(TimeDelta::zero());
    }
    let (sign, size) = text.split_at_checked(1)?;
    let [hours, minutes] = numbers(size, ":", [2, 2])?;
    let size = TimeDelta::minutes(i64::from(hours * 60 + minutes));
    match sign {
        _ if hours > 23 || minutes > 59 => None,
        "+" => Some(size),
        "-" => Some(-size),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
