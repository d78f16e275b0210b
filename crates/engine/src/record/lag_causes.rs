//! What requests waited for before they were written.

use crate::record::clock_histogram::ExactStats;

/// What the lag of a request was due to; the parts add up to it.
#[allow(clippy::struct_field_names, reason = "all are times")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LagParts {
    /// Waiting for a free connection, and for one to be established.
    pub no_connection_ns: u64,
    /// Waiting for a stream on an open connection.
    pub no_stream_ns: u64,
    /// The engine itself was late.
    pub engine_ns: u64,
}

/// The lag of many requests by cause; counted are those with a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LagCauses {
    /// Of waiting for a connection.
    pub no_connection: ExactStats,
    /// Of waiting for a stream.
    pub no_stream: ExactStats,
    /// Of the engine's lateness.
    pub engine: ExactStats,
}

impl LagCauses {
    pub(crate) fn record(&mut self, parts: LagParts) {
        for (exact, part_ns) in [
            (&mut self.no_connection, parts.no_connection_ns),
            (&mut self.no_stream, parts.no_stream_ns),
            (&mut self.engine, parts.engine_ns),
        ] {
            if part_ns > 0 {
                exact.record(part_ns);
            }
        }
    }

    /// Adds the lag of other requests.
    pub fn add(&mut self, other: &Self) {
        self.no_connection.add(&other.no_connection);
        self.no_stream.add(&other.no_stream);
        self.engine.add(&other.engine);
    }
}
