//! Frames as bytes (RFC 9113 sections 4 and 6): their headers, and those a client writes.

use super::error::ErrorCode;

/// Length of a frame's header.
pub const HEADER_BYTES: usize = 9;
/// The longest payload either side takes by default (section 4.2). This client never asks for
/// more, and never writes more, which every peer has to take.
pub const MAX_PAYLOAD_BYTES: usize = 16_384;
/// What a client's first bytes are (section 3.4).
pub const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The bits of a stream's number; the top one is reserved and ignored.
const STREAM_BITS: u32 = 0x7fff_ffff;

/// Frame types; what is not among them is ignored (section 5.5).
pub mod kind {
    pub const DATA: u8 = 0x0;
    pub const HEADERS: u8 = 0x1;
    pub const PRIORITY: u8 = 0x2;
    pub const RST_STREAM: u8 = 0x3;
    pub const SETTINGS: u8 = 0x4;
    pub const PUSH_PROMISE: u8 = 0x5;
    pub const PING: u8 = 0x6;
    pub const GOAWAY: u8 = 0x7;
    pub const WINDOW_UPDATE: u8 = 0x8;
    pub const CONTINUATION: u8 = 0x9;
}

/// Flags; which frames have which is section 6's matter.
pub mod flag {
    pub const ACK: u8 = 0x1;
    pub const END_STREAM: u8 = 0x1;
    pub const END_HEADERS: u8 = 0x4;
    pub const PADDED: u8 = 0x8;
    pub const PRIORITY: u8 = 0x20;
}

/// A frame's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHeader {
    /// Bytes of payload.
    pub length: usize,
    /// One of `kind`, or unknown.
    pub kind: u8,
    /// Bits of `flag`.
    pub flags: u8,
    /// 0 is the connection.
    pub stream: u32,
}

impl FrameHeader {
    /// Reads the 9 bytes.
    #[must_use]
    pub fn read(bytes: &[u8; HEADER_BYTES]) -> Self {
        let [a, b, c, kind, flags, stream @ ..] = *bytes;
        Self {
            length: u32::from_be_bytes([0, a, b, c]) as usize,
            kind,
            flags,
            stream: u32::from_be_bytes(stream) & STREAM_BITS,
        }
    }

    /// The 9 bytes.
    ///
    /// # Panics
    /// If the length is not below 2^24, which no frame can have.
    #[must_use]
    pub fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let length = u32::try_from(self.length).unwrap_or(u32::MAX);
        assert!(length < 1 << 24, "longer than any frame");
        let mut bytes = [0; HEADER_BYTES];
        bytes[..4].copy_from_slice(&(length << 8 | u32::from(self.kind)).to_be_bytes());
        bytes[4] = self.flags;
        bytes[5..].copy_from_slice(&self.stream.to_be_bytes());
        bytes
    }

    /// Whether all bits of this flag are set.
    #[must_use]
    pub fn has(self, flag: u8) -> bool {
        self.flags & flag == flag
    }
}

/// Reads a 31-bit number of a payload: stream, window increment; or 0 if the payload is shorter.
#[must_use]
pub fn read_31_bits(payload: &[u8]) -> u32 {
    read_32_bits(payload) & STREAM_BITS
}

/// Reads a 32-bit number at the beginning of a payload; or 0 if it is shorter.
#[must_use]
pub fn read_32_bits(payload: &[u8]) -> u32 {
    payload
        .first_chunk()
        .map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

/// Appends a frame's header and payload.
pub fn append(kind: u8, flags: u8, stream: u32, payload: &[u8], out: &mut Vec<u8>) {
    let header = FrameHeader {
        length: payload.len(),
        kind,
        flags,
        stream,
    };
    out.reserve(HEADER_BYTES + payload.len());
    out.extend_from_slice(&header.to_bytes());
    out.extend_from_slice(payload);
}

/// Appends `RST_STREAM`.
pub fn append_reset(stream: u32, code: ErrorCode, out: &mut Vec<u8>) {
    append(
        kind::RST_STREAM,
        0,
        stream,
        &(code as u32).to_be_bytes(),
        out,
    );
}

/// Appends `WINDOW_UPDATE`.
pub fn append_window_update(stream: u32, increment: u32, out: &mut Vec<u8>) {
    append(
        kind::WINDOW_UPDATE,
        0,
        stream,
        &increment.to_be_bytes(),
        out,
    );
}

/// Appends GOAWAY. The last stream is 0: none of the server's streams were ever accepted.
pub fn append_goaway(code: ErrorCode, out: &mut Vec<u8>) {
    let mut payload = [0; 8];
    payload[4..].copy_from_slice(&(code as u32).to_be_bytes());
    append(kind::GOAWAY, 0, 0, &payload, out);
}

/// Takes off padding, and the length of it before (section 6.2); none if there is more than payload.
#[must_use]
pub fn without_padding(payload: &[u8]) -> Option<&[u8]> {
    let (&padding, rest) = payload.split_first()?;
    rest.get(..rest.len().checked_sub(usize::from(padding))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_header_is_laid_out_as_the_rfc_draws_it() {
        let header = FrameHeader {
            length: 0x01_02_03,
            kind: kind::HEADERS,
            flags: flag::END_HEADERS | flag::END_STREAM,
            stream: 0x7f_00_00_05,
        };
        assert_eq!(header.to_bytes(), [1, 2, 3, 1, 5, 0x7f, 0, 0, 5]);
    }

    #[test]
    fn the_reserved_bit_is_ignored() {
        let header = FrameHeader::read(&[0, 0, 0, 0, 0, 0x80, 0, 0, 1]);
        assert_eq!(header.stream, 1);
        assert_eq!(read_31_bits(&[0x80, 0, 0, 2]), 2);
        assert_eq!(read_32_bits(&[0x80, 0, 0, 2]), 0x8000_0002);
    }

    #[test]
    fn padding_is_taken_off_unless_there_is_more_than_payload() {
        assert_eq!(without_padding(&[2, b'a', 0, 0]), Some(&b"a"[..]));
        assert_eq!(without_padding(&[0]), Some(&b""[..]));
        assert_eq!(without_padding(&[1, 0]), Some(&b""[..]));
        assert_eq!(without_padding(&[1]), None);
        assert_eq!(without_padding(&[]), None);
    }

    #[test]
    fn control_frames_are_as_the_rfc_draws_them() {
        let mut out = Vec::new();
        append_reset(3, ErrorCode::Cancel, &mut out);
        append_window_update(0, 65_536, &mut out);
        append_goaway(ErrorCode::EnhanceYourCalm, &mut out);
        let expected: [&[u8]; 3] = [
            &[0, 0, 4, 3, 0, 0, 0, 0, 3, 0, 0, 0, 8],
            &[0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 1, 0, 0],
            &[0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11],
        ];
        assert_eq!(out, expected.concat());
    }

    proptest! {
        #[test]
        fn a_header_reads_back_as_it_was_written(
            length in 0_usize..1 << 24,
            kind in any::<u8>(),
            flags in any::<u8>(),
            stream in 0_u32..1 << 31,
        ) {
            let header = FrameHeader { length, kind, flags, stream };
            prop_assert_eq!(FrameHeader::read(&header.to_bytes()), header);
        }
    }
}
