//! `requests.bin`: every offered request as one row of fixed width, if the plan asks for it.
//!
//! 80 bytes a row, little-endian, after one line of JSON that names the columns; so a row costs a
//! copy, and numpy or polars read the file as it is. The header says which version it is. 1: 64 bytes.
//! 2: `session`, `group` and `step`; an `operation` is a cell.

use serde_json::json;

use crate::outcome::{NotSent, Outcome};
use crate::record::interval_stats::EndedRequest;

/// The width of a row.
pub const ROW_BYTES: usize = 80;

const VERSION: u32 = 2;

/// Rows handed over at once.
const ROWS_PER_REPORT: usize = 1_024;

/// Stands for the time of something that did not happen.
const NEVER: u64 = u64::MAX;

/// Of which session a request is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowOrigin {
    /// Its number among the worker's offered requests.
    pub sequence: u64,
    /// The session's number in its group.
    pub session: u64,
    /// The group.
    pub group: u16,
    /// Which entry of the session, counted over `once` and the session as they are written.
    pub step: u16,
}

/// One row.
#[derive(Clone, Copy, Debug)]
pub struct RequestRow {
    origin: RowOrigin,
    intended_ns: u64,
    written_ns: u64,
    first_byte_ns: u64,
    done_ns: u64,
    bytes_received: u64,
    bytes_sent: u32,
    connection: u32,
    cell: u16,
    status: u16,
    outcome: u8,
    not_sent: u8,
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a plan has at most a million slots and 65,536 cells"
)]
impl RequestRow {
    /// The row of a request that was tried.
    #[must_use]
    pub fn ended(origin: RowOrigin, ended: &EndedRequest, slot: usize, status: u16) -> Self {
        Self {
            origin,
            intended_ns: ended.intended_ns,
            written_ns: ended.written_ns.unwrap_or(NEVER),
            first_byte_ns: ended.first_byte_ns.unwrap_or(NEVER),
            done_ns: ended.done_ns,
            bytes_received: ended.bytes_received,
            bytes_sent: u32::try_from(ended.bytes_sent).unwrap_or(u32::MAX),
            connection: slot as u32,
            cell: ended.cell as u16,
            status,
            outcome: ended.outcome as u8,
            not_sent: 0,
        }
    }

    /// The row of a request that was never tried.
    #[must_use]
    pub fn not_sent(
        origin: RowOrigin,
        cell: usize,
        intended_ns: u64,
        done_ns: u64,
        cause: NotSent,
    ) -> Self {
        Self {
            origin,
            intended_ns,
            written_ns: NEVER,
            first_byte_ns: NEVER,
            done_ns,
            bytes_received: 0,
            bytes_sent: 0,
            connection: u32::MAX,
            cell: cell as u16,
            status: 0,
            outcome: Outcome::NotSent as u8,
            not_sent: cause as u8 + 1,
        }
    }
}

/// The rows of one worker that are not handed over yet.
#[derive(Debug)]
pub struct RequestRows {
    is_kept: bool,
    sequence: u64,
    rows: Vec<u8>,
}

impl RequestRows {
    /// None yet.
    #[must_use]
    pub fn new(is_kept: bool) -> Self {
        Self {
            is_kept,
            sequence: 0,
            rows: Vec::new(),
        }
    }

    /// The number of the next offered request.
    pub fn next_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence - 1
    }

    /// Whether rows are kept at all.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Adds a row; the worker's number is filled in where it is written.
    pub fn push(&mut self, row: &RequestRow) {
        for number in [
            row.origin.sequence,
            row.intended_ns,
            row.written_ns,
            row.first_byte_ns,
            row.done_ns,
            row.bytes_received,
        ] {
            self.rows.extend_from_slice(&number.to_le_bytes());
        }
        self.rows.extend_from_slice(&row.bytes_sent.to_le_bytes());
        self.rows.extend_from_slice(&row.connection.to_le_bytes());
        self.rows.extend_from_slice(&[0, 0]);
        self.rows.extend_from_slice(&row.cell.to_le_bytes());
        self.rows.extend_from_slice(&row.status.to_le_bytes());
        self.rows.extend_from_slice(&[row.outcome, row.not_sent]);
        self.rows
            .extend_from_slice(&row.origin.session.to_le_bytes());
        self.rows.extend_from_slice(&row.origin.group.to_le_bytes());
        self.rows.extend_from_slice(&row.origin.step.to_le_bytes());
        self.rows.extend_from_slice(&[0; 4]);
    }

    /// Rows to hand over, once there are many.
    pub fn full(&mut self) -> Option<Vec<u8>> {
        (self.rows.len() >= ROWS_PER_REPORT * ROW_BYTES).then(|| std::mem::take(&mut self.rows))
    }

    /// Rows to hand over at the end.
    pub fn rest(&mut self) -> Option<Vec<u8>> {
        (!self.rows.is_empty()).then(|| std::mem::take(&mut self.rows))
    }
}

/// Writes a worker's number into its rows.
#[allow(clippy::cast_possible_truncation, reason = "one worker a CPU")]
pub fn set_worker(rows: &mut [u8], worker: usize) {
    const PLACE: usize = 56;
    for row in rows.chunks_exact_mut(ROW_BYTES) {
        row[PLACE..PLACE + 2].copy_from_slice(&(worker as u16).to_le_bytes());
    }
}

/// The first line of the file, its end included.
#[must_use]
pub fn header(cells: &[String], groups: &[String]) -> String {
    let outcomes: Vec<_> = Outcome::ALL.iter().map(|outcome| json!(outcome)).collect();
    let causes = NotSent::ALL.iter().map(|cause| cause.as_str());
    let causes: Vec<&str> = std::iter::once("").chain(causes).collect();
    let header = json!({
        "format": "loadstone requests", "version": VERSION, "row_bytes": ROW_BYTES,
        "columns": [
            ["sequence", "u64"], ["intended_ns", "u64"], ["written_ns", "u64"],
            ["first_byte_ns", "u64"], ["done_ns", "u64"], ["bytes_received", "u64"],
            ["bytes_sent", "u32"], ["connection", "u32"], ["worker", "u16"],
            ["operation", "u16"], ["status", "u16"], ["outcome", "u8"], ["not_sent", "u8"],
            ["session", "u64"], ["group", "u16"], ["step", "u16"], ["zeros", "u32"],
        ],
        "operations": cells, "groups": groups, "outcomes": outcomes, "not_sent": causes,
    });
    format!("{header}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_its_width_its_worker_and_its_session() {
        let mut rows = RequestRows::new(true);
        let origin = RowOrigin {
            sequence: 7,
            session: 11,
            group: 12,
            step: 13,
        };
        rows.push(&RequestRow::not_sent(origin, 3, 5, 9, NotSent::NoStream));
        let mut bytes = rows.rest().expect("a row");
        assert_eq!(bytes.len(), ROW_BYTES);
        set_worker(&mut bytes, 2);
        assert_eq!(bytes[..8], 7_u64.to_le_bytes());
        assert_eq!(bytes[56..64], [2, 0, 3, 0, 0, 0, Outcome::NotSent as u8, 2]);
        assert_eq!(bytes[64..72], 11_u64.to_le_bytes());
        assert_eq!(bytes[72..], [12, 0, 13, 0, 0, 0, 0, 0]);
        assert!(rows.rest().is_none());
    }

    #[test]
    fn the_columns_are_as_wide_as_a_row() {
        let header: serde_json::Value = serde_json::from_str(&header(&[], &[])).expect("is JSON");
        let columns = header["columns"].as_array().expect("is a list").iter();
        let bits = |column: &serde_json::Value| -> usize {
            let kind = column[1].as_str().expect("is text");
            kind[1..].parse().expect("is a number")
        };
        assert_eq!(columns.map(bits).sum::<usize>(), 8 * ROW_BYTES);
    }
}
