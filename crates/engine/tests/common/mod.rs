//! What the tests share: small servers on port 0, plans by a builder, and the real binary.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod hostile;
pub mod http2;
pub mod load;
pub mod server;
pub mod tls;
