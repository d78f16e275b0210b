//! What one session does and knows: its steps, its values, what it puts into requests and takes out of
//! answers.
//!
//! `program` says which step comes next; `values` are what the session has, of feeds (`rows`), of lets and of
//! captures; `template` puts them into requests, each as its place demands (`escape`, `integer`,
//! `timestamps`); `json_capture` takes them out of bodies that arrive in pieces, and checks these; `cookies`
//! keeps what servers set. What is drawn is drawn by `draws`.
//!
//! Pure: no socket and no clock, time comes in as an argument. Nothing is allocated step by step: buffers grow
//! to what is needed and are used again.

mod cookie_date;
pub mod cookies;
mod decimal;
pub mod draws;
mod escape;
pub mod integer;
pub mod json_capture;
mod json_number;
pub mod lets;
pub mod occasion;
pub mod program;
pub mod rows;
pub mod source;
pub mod template;
mod timestamps;
pub mod values;
