//! When sessions begin and go on, and in which lane: closed users or an open rate, group by group.
//!
//! `offers` is the face of all groups, made by `of_plan`. `closed_arrivals` are users, each of whom begins its next
//! session after its last; `open_arrivals` come when the `schedule` says so, and take one of the
//! `free_lanes`. Both take their requests from a `budget`. What they need besides is `stages` (a value over time), `agenda` (which place is due next) and
//! `random`. How long a user pauses is said by `think_times`.
//!
//! Pure: times and seeds come in, nothing sleeps and nothing is sent.

pub mod agenda;
pub mod budget;
pub mod closed_arrivals;
pub mod free_lanes;
#[cfg(test)]
pub mod kolmogorov;
pub mod of_plan;
pub mod offers;
pub mod open_arrivals;
pub mod random;
pub mod schedule;
pub mod stages;
pub mod think_times;
