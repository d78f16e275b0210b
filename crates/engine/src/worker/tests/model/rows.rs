//! Rows of requests, as the engine wrote them.

use std::collections::BTreeMap;

use super::server::SessionKey;
use crate::outcome::{NotSent, Outcome};
use crate::record::request_rows::ROW_BYTES;

/// One row.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub sequence: u64,
    pub intended_ns: u64,
    pub done_ns: u64,
    pub step: u16,
    pub status: u16,
    pub outcome: Outcome,
    pub not_sent: Option<NotSent>,
}

/// The rows of each session, in the order in which they were offered.
pub fn by_session(bytes: &[u8]) -> BTreeMap<SessionKey, Vec<Row>> {
    let (rows, rest) = bytes.as_chunks::<ROW_BYTES>();
    assert!(rest.is_empty());
    let mut sessions: BTreeMap<SessionKey, Vec<Row>> = BTreeMap::new();
    for row in rows {
        let long = |at: usize| u64::from_le_bytes(row[at..at + 8].try_into().expect("eight bytes"));
        let short = |at: usize| u16::from_le_bytes([row[at], row[at + 1]]);
        let not_sent = usize::from(row[63]).checked_sub(1);
        let read = Row {
            sequence: long(0),
            intended_ns: long(8),
            done_ns: long(32),
            step: short(74),
            status: short(60),
            outcome: Outcome::ALL[usize::from(row[62])],
            not_sent: not_sent.map(|cause| NotSent::ALL[cause]),
        };
        assert_eq!(read.not_sent.is_some(), read.outcome == Outcome::NotSent);
        sessions
            .entry((short(72), long(64)))
            .or_default()
            .push(read);
    }
    for rows in sessions.values_mut() {
        rows.sort_unstable_by_key(|row| row.sequence);
    }
    sessions
}
