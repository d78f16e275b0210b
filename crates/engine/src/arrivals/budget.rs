//! How many requests a load offers.

/// Counts what is offered, independently of what becomes of it, up to an optional limit.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    offered: u64,
    limit: Option<u64>,
}

impl Budget {
    /// Nothing offered yet.
    #[must_use]
    pub fn new(limit: Option<u64>) -> Self {
        Self { offered: 0, limit }
    }

    /// Counts one more request as offered, unless the limit is reached.
    pub fn take(&mut self) -> bool {
        let allowed = !self.is_spent();
        self.offered += u64::from(allowed);
        allowed
    }

    /// What was counted last was no request: a session had nothing to do.
    pub fn give_back(&mut self) {
        self.offered -= 1;
    }

    /// Whether the limit is reached.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.limit == Some(self.offered)
    }

    /// Requests offered so far.
    #[must_use]
    pub fn offered(&self) -> u64 {
        self.offered
    }
}
