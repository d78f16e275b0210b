//! What a worker counts once for the whole load, beside its intervals.

use crate::outcome::DetailSamples;
use crate::protocol::spoken::Spoken;
use crate::record::answer_kinds::AnswerKinds;
use crate::record::user_stats::UserStats;

/// What a worker counted over the whole load.
#[derive(Clone, Debug, Default)]
pub struct WorkerTotals {
    /// Requests offered, counted where they arise.
    pub offered: u64,
    /// TCP connections established.
    pub opened: u64,
    /// Attempts that failed.
    pub failed: u64,
    /// Connections that the server ended, or said it would.
    pub closed_by_server: u64,
    /// TLS handshakes without an earlier session.
    pub full_handshakes: u64,
    /// TLS handshakes that resumed one.
    pub resumed_handshakes: u64,
    /// Redirects followed.
    pub redirects: u64,
    /// Streams that the server refused, whose requests were sent again.
    pub refused_streams: u64,
    /// What was spoken on the first connection.
    pub spoken: Spoken,
    /// Age of the oldest unanswered request.
    pub unanswered_oldest_ns: Option<u64>,
    /// Requests that timed out or stayed unanswered on a connection that the server had not accepted.
    pub not_accepted: u64,
    /// A few of the things seen.
    pub details: DetailSamples,
    /// The longest time between two waits, or by which a wait was overslept.
    pub longest_stall_ns: u64,
    /// What each connection got, by slot; by lane while the load goes on.
    pub users: Vec<UserStats>,
    /// From when on; none if its time never came.
    pub users_from_ns: Option<u64>,
    /// The bodies of the ok answers, by operation.
    pub answers: Vec<AnswerKinds>,
    /// When the load stopped.
    pub stop_ns: u64,
    /// When the last request had its outcome.
    pub end_ns: u64,
}
