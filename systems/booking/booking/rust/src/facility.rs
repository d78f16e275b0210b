//! A facility: what a request may say of one, and what its hours allow.

use chrono::{TimeDelta, Timelike as _};
use serde::Serialize;
use tokio_postgres::Row;

use crate::instant::{self, Instant};
use crate::members::{Code, Members};
use crate::problems::Problem;

/// What is played.
pub const SPORTS: [(&str, &str); 6] = [
    ("tennis", "tennis"),
    ("football", "football"),
    ("padel", "padel"),
    ("basketball", "basketball"),
    ("volleyball", "volleyball"),
    ("badminton", "badminton"),
];

const LENGTHS: [i64; 3] = [30, 60, 90];
const MINUTES_OF_A_DAY: i64 = 1440;
const MOST_CENTS: i64 = 1_000_000;

/// A row.
#[derive(Debug, Serialize)]
pub struct Facility {
    /// Its key.
    pub id: i64,
    /// Where it is.
    pub club_id: i64,
    /// What it is called.
    pub name: String,
    /// What is played there.
    pub sport: String,
    /// How long a slot is.
    pub slot_minutes: i16,
    /// When the first slot begins, in minutes after midnight.
    pub opens: i16,
    /// When the last slot ends.
    pub closes: i16,
    /// What a slot costs.
    pub price_cents: i32,
    /// Whether it takes no reservations any more.
    pub retired: bool,
    /// Since when it is there.
    #[serde(serialize_with = "instant::serialize")]
    pub created_at: Instant,
}

/// What an owner says of a facility.
#[derive(Debug, PartialEq, Eq)]
pub struct NewFacility {
    /// What it is called.
    pub name: String,
    /// What is played there.
    pub sport: &'static str,
    /// How long a slot is.
    pub slot_minutes: i16,
    /// When the first slot begins, in minutes after midnight.
    pub opens: i16,
    /// When the last slot ends.
    pub closes: i16,
    /// What a slot costs.
    pub price_cents: i32,
}

impl Facility {
    /// Reads a row with all columns, in the order of the SPEC's statements.
    pub fn of(row: &Row) -> Self {
        let retired_at: Option<Instant> = row.get(8);
        Self {
            id: row.get(0),
            club_id: row.get(1),
            name: row.get(2),
            sport: row.get(3),
            slot_minutes: row.get(4),
            opens: row.get(5),
            closes: row.get(6),
            price_cents: row.get(7),
            retired: retired_at.is_some(),
            created_at: row.get(9),
        }
    }

    /// When so many slots from a start on end.
    ///
    /// # Errors
    /// They are not all within the hours of the day, or not on the grid.
    pub fn end_of(&self, starts_at: Instant, slots: i32) -> Result<Instant, Code> {
        let slot = minutes(self.slot_minutes);
        let (opens, closes) = (minutes(self.opens), minutes(self.closes));
        let begin = instant::since_midnight(&starts_at);
        let length = slot * slots;
        if begin < opens || begin + length > closes {
            return Err("outside-hours");
        }
        let is_whole = starts_at.nanosecond() == 0;
        if !is_whole || (begin - opens).num_seconds() % slot.num_seconds() != 0 {
            return Err("not-aligned");
        }
        Ok(starts_at + length)
    }
}

impl NewFacility {
    /// Reads the body of a facility. The hours are looked at where they stand, so that all faults keep the
    /// order of the members.
    ///
    /// # Errors
    /// A member has a fault.
    pub fn read(mut members: Members) -> Result<Self, Problem> {
        let name = members.text("/name", 1..=100);
        let sport = members.word("/sport", None, &SPORTS);
        let slot_minutes = members.listed_integer("/slot_minutes", &LENGTHS);
        let opens = members.integer("/opens", 0..=MINUTES_OF_A_DAY);
        let closes = members.integer("/closes", 0..=MINUTES_OF_A_DAY);
        if let (Some(slot), Some(opens), Some(closes)) = (slot_minutes, opens, closes)
            && let Some(code) = hours_fault(slot, opens, closes)
        {
            members.note("/closes", code);
        }
        let price_cents = members.integer("/price_cents", 0..=MOST_CENTS);
        members.finish(|| {
            Some(Self {
                name: name?,
                sport: sport?,
                slot_minutes: slot_minutes?,
                opens: opens?,
                closes: closes?,
                price_cents: price_cents?,
            })
        })
    }
}

fn hours_fault(slot_minutes: i16, opens: i16, closes: i16) -> Option<Code> {
    if closes <= opens {
        Some("range")
    } else if (closes - opens) % slot_minutes != 0 {
        Some("not-aligned")
    } else {
        None
    }
}

fn minutes(count: i16) -> TimeDelta {
    TimeDelta::minutes(count.into())
}

#[cfg(test)]
pub mod tests;
