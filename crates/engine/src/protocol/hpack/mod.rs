//! HPACK, the compression of HTTP/2 header fields: RFC 7541.
//!
//! Made for an engine that sends the same few requests over and over and gets much the same
//! responses: `encoder` prepares all fields of a plan once and afterwards writes a byte or two for
//! each, and codes as literals only what differs from request to request; `decoder` tells whether its table changed, so that a block seen before needs no decoding.
//!
//! Left out: the encoder evicts nothing and refers to no name in the dynamic table, which only
//! requests that differ all the time would gain from.

pub mod decoder;
mod dynamic_table;
pub mod encoder;
mod huffman;
mod integer;
mod reader;
mod static_table;
#[cfg(test)]
mod tests;

use thiserror::Error;

/// The dynamic table's size before anything was agreed, RFC 9113 section 6.5.2. The encoder never
/// uses more.
pub const DEFAULT_CAPACITY: u32 = 4_096;

/// What an entry of the dynamic table, and of a header list, costs beside its name and value: RFC
/// 7541 section 4.1, RFC 9113 section 6.5.2.
const ENTRY_OVERHEAD: usize = 32;

/// Why a header block cannot be decoded. Each is an error of the connection, since the dynamic
/// tables of both sides differ from here on: `COMPRESSION_ERROR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HpackError {
    /// The block ends within a field.
    #[error("a header block ends within a field")]
    Truncated,
    /// An integer of more than 32 bits or more than five further bytes.
    #[error("a number in a header block is too large")]
    Integer,
    /// Index 0, or one beyond both tables.
    #[error("a header block refers to an entry that does not exist")]
    Index,
    /// A string holds the code of its end, or its padding is too long or not made of ones.
    #[error("a Huffman-coded string is malformed")]
    Huffman,
    /// A new table size beyond what was announced, or not at the beginning of its block.
    #[error("a header block resizes the table beyond its limit or at a wrong place")]
    SizeUpdate,
    /// The fields exceed `decoder::MAX_LIST_BYTES`.
    #[error("the header fields exceed 64 KiB")]
    ListTooLong,
}
