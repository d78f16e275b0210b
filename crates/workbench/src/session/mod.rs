//! `serve --session`: a server that users log in to, list items of and insert items into, so that a
//! generator has to carry values from one answer into the next request.
//!
//! `service` knows what is answered and nothing of bytes on a wire; `http1` reads and writes HTTP/1.1 at
//! close to the kernel's cost, `http2` by a library, in cleartext and over TLS. What each kind of request
//! came to is told at the end. Left out: several users' items; all see the same five.

mod http1;
mod http1_requests;
mod http2;
mod service;

pub use http1::serve as serve_http1;
pub use http2::{TlsFiles, serve as serve_http2};
