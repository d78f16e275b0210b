//! Where a connection stands, from no socket to carrying all that it was to carry.

use crate::outcome::Outcome;

/// Where a connection stands. Whether its peer lets it carry more is known to its codec alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No socket.
    Closed {
        /// The last connection stood, and ended before it carried a request: the next would as well.
        was_futile: bool,
    },
    /// TCP is being established.
    Connecting,
    /// The TLS handshake goes on.
    Securing,
    /// HTTP/2: the peer's settings are waited for.
    Greeting,
    /// It stands.
    Open(Use),
}

/// What an open connection was used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Nothing so far.
    Unused,
    /// It carries requests, or has.
    Carrying,
    /// It has carried all that the plan wants it to.
    Spent,
}

impl Phase {
    /// Whether there is no socket.
    #[must_use]
    pub fn is_closed(self) -> bool {
        matches!(self, Self::Closed { .. })
    }

    /// Whether it stands.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Open(_))
    }

    /// What becomes of the requests that wait for a connection which fails while it is being
    /// established; none if it is not.
    #[must_use]
    pub fn establishing_outcome(self) -> Option<Outcome> {
        match self {
            Self::Connecting => Some(Outcome::Connect),
            Self::Securing => Some(Outcome::Tls),
            Self::Greeting => Some(Outcome::Protocol),
            Self::Closed { .. } | Self::Open(_) => None,
        }
    }
}
