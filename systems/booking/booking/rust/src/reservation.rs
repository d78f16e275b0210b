//! A reservation: a row of one, and what a request may say of a new one.

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use tokio_postgres::Row;

use crate::instant::{self, Instant};
use crate::members::Members;
use crate::problems::Problem;

/// The states, by themselves.
pub const STATES: [(&str, &str); 4] = [
    ("pending", "pending"),
    ("accepted", "accepted"),
    ("rejected", "rejected"),
    ("cancelled", "cancelled"),
];

/// A row.
#[derive(Debug, Serialize)]
pub struct Reservation {
    /// Its key.
    pub id: i64,
    /// What is reserved.
    pub facility_id: i64,
    /// Who reserved it.
    pub player_id: i64,
    /// When the first slot begins.
    #[serde(serialize_with = "instant::serialize")]
    pub starts_at: Instant,
    /// When the last slot ends.
    #[serde(serialize_with = "instant::serialize")]
    pub ends_at: Instant,
    /// Which of the four states it is in.
    pub status: String,
    /// What all slots cost when they were reserved.
    pub price_cents: i32,
    /// Since when it is there.
    #[serde(serialize_with = "instant::serialize")]
    pub created_at: Instant,
    /// When it was accepted or rejected.
    #[serde(serialize_with = "instant::serialize_optional")]
    pub decided_at: Option<Instant>,
}

/// What a player asks for.
#[derive(Debug, PartialEq, Eq)]
pub struct NewReservation {
    /// What is reserved.
    pub facility_id: i64,
    /// When the first slot begins.
    pub starts_at: Instant,
    /// How many there are.
    pub slots: i32,
}

impl Reservation {
    /// Reads a row with all columns, in the order of the SPEC's statements.
    pub fn of(row: &Row) -> Self {
        Self {
            id: row.get(0),
            facility_id: row.get(1),
            player_id: row.get(2),
            starts_at: row.get(3),
            ends_at: row.get(4),
            status: row.get(5),
            price_cents: row.get(6),
            created_at: row.get(7),
            decided_at: row.get(8),
        }
    }
}

impl NewReservation {
    /// Reads the body of a reservation.
    ///
    /// # Errors
    /// A member has a fault.
    pub fn read(mut members: Members, now: Instant) -> Result<Self, Problem> {
        let facility_id = members.integer("/facility_id", 1..=i64::MAX);
        let starts_at = members.future("/starts_at", now);
        let slots = members.integer_or("/slots", 1, 1..=4);
        members.finish(|| {
            Some(Self {
                facility_id: facility_id?,
                starts_at: starts_at?,
                slots: slots?,
            })
        })
    }

    /// Tells whether two requests of one key are the same.
    pub fn fingerprint(&self) -> Vec<u8> {
        let starts_at = instant::shown(&self.starts_at);
        let text = format!("{}|{starts_at}|{}", self.facility_id, self.slots);
        Sha256::digest(text).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facility::tests::at;

    fn read(body: &str) -> Result<NewReservation, Vec<(&'static str, &'static str)>> {
        let members = Members::parse(body.as_bytes()).expect("an object");
        NewReservation::read(members, at("2030-01-01T00:00:00Z")).map_err(|problem| {
            let faults = problem.faults.iter();
            faults.map(|fault| (fault.pointer, fault.code)).collect()
        })
    }

    #[test]
    fn a_reservation_is_read() {
        let body = r#"{"starts_at":"2040-03-01T08:00:00+02:00","facility_id":7}"#;
        let expected = NewReservation {
            facility_id: 7,
            starts_at: at("2040-03-01T06:00:00Z"),
            slots: 1,
        };
        assert_eq!(read(body), Ok(expected));
    }

    #[test]
    fn the_first_fault_of_each_member_is_said() {
        let body = r#"{"slots":5,"starts_at":"2029-01-01T00:00:00Z"}"#;
        let faults = [
            ("/facility_id", "required"),
            ("/starts_at", "in-past"),
            ("/slots", "range"),
        ];
        assert_eq!(read(body).expect_err("refused"), faults);
        let body = r#"{"facility_id":0,"starts_at":"2040-03-01","slots":"1"}"#;
        let faults = [
            ("/facility_id", "range"),
            ("/starts_at", "format"),
            ("/slots", "type"),
        ];
        assert_eq!(read(body).expect_err("refused"), faults);
    }

    #[test]
    fn another_offset_has_the_same_fingerprint() {
        let read = |start: &str, slots: i32| {
            let body = format!(r#"{{"facility_id":7,"starts_at":"{start}","slots":{slots}}}"#);
            read(&body).expect("a reservation").fingerprint()
        };
        let first = read("2040-03-01T06:00:00Z", 1);
        assert_eq!(first, Sha256::digest("7|2040-03-01T06:00:00Z|1").to_vec());
        assert_eq!(first, read("2040-03-01T07:30:00+01:30", 1));
        assert_ne!(first, read("2040-03-01T06:00:00Z", 2));
    }
}
