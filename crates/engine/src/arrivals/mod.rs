//! When requests are intended, of which operation, and in which lane: closed users or an open rate.
//!
//! Pure: times and seeds come in, nothing sleeps and nothing is sent.

pub mod agenda;
pub mod closed_arrivals;
pub mod free_lanes;
#[cfg(test)]
pub mod kolmogorov;
pub mod offers;
pub mod open_arrivals;
pub mod random;
pub mod schedule;
pub mod stages;
pub mod think_times;
