//! Sessions that servers offered to resume: kept by all connections, given only to some.
//!
//! So the share of resumed handshakes is a parameter, and tickets that a full handshake brings are
//! there for those that resume. Each worker has its own, so the lock is
//! never waited for.

use rustls::NamedGroup;
use rustls::client::{ClientSessionStore, Tls12ClientSessionValue, Tls13ClientSessionValue};
use rustls::pki_types::ServerName;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// More than one worker can use up between two full handshakes; the oldest goes first.
const MOST_TICKETS: usize = 1_024;

#[derive(Debug, Default)]
struct Kept {
    group: Option<NamedGroup>,
    tls12: Option<Tls12ClientSessionValue>,
    tls13: VecDeque<Tls13ClientSessionValue>,
}

/// What one worker keeps; there is one server only, so names are not told apart.
#[derive(Debug, Default)]
pub struct Tickets(Mutex<Kept>);

impl Tickets {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tickets as one kind of connection sees them.
#[derive(Debug)]
pub struct TicketsKept {
    tickets: Arc<Tickets>,
    gives: bool,
}

impl TicketsKept {
    /// `gives`: connections may resume by them.
    #[must_use]
    pub fn new(tickets: Arc<Tickets>, gives: bool) -> Self {
        Self { tickets, gives }
    }
}

impl ClientSessionStore for TicketsKept {
    fn set_kx_hint(&self, _server_name: ServerName<'static>, group: NamedGroup) {
        self.tickets.kept().group = Some(group);
    }

    fn kx_hint(&self, _server_name: &ServerName<'_>) -> Option<NamedGroup> {
        self.tickets.kept().group
    }

    fn set_tls12_session(&self, _server_name: ServerName<'static>, value: Tls12ClientSessionValue) {
        self.tickets.kept().tls12 = Some(value);
    }

    fn tls12_session(&self, _server_name: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        self.tickets.kept().tls12.clone().filter(|_| self.gives)
    }

    fn remove_tls12_session(&self, _server_name: &ServerName<'static>) {
        self.tickets.kept().tls12 = None;
    }

    fn insert_tls13_ticket(
        &self,
        _server_name: ServerName<'static>,
        value: Tls13ClientSessionValue,
    ) {
        let mut kept = self.tickets.kept();
        if kept.tls13.len() == MOST_TICKETS {
            kept.tls13.pop_front();
        }
        kept.tls13.push_back(value);
    }

    fn take_tls13_ticket(
        &self,
        _server_name: &ServerName<'static>,
    ) -> Option<Tls13ClientSessionValue> {
        if self.gives {
            self.tickets.kept().tls13.pop_back()
        } else {
            None
        }
    }
}
