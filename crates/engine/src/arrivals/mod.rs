//! When requests are intended, of which operation, and in which lane: closed users or an open rate.
//!
//! `offers` is the face of both kinds. `closed_arrivals` are users, each of whom begins its next
//! session after its last; `open_arrivals` come when the `schedule` says so, and take one of the
//! `free_lanes`. What both need is `stages` (a value over time), `think_times`, `agenda` (which lane is
//! due next) and `random`.
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
