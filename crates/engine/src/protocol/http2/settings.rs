//! SETTINGS (RFC 9113 section 6.5): what this client asks for, and what the peer does.

use super::error::Http2Error;
use super::flow::{DEFAULT_WINDOW_BYTES, MAX_WINDOW_BYTES};
use super::frame::{self, MAX_PAYLOAD_BYTES, kind};

/// Identifiers of section 6.5.2; unknown ones are ignored.
mod identifier {
    pub const HEADER_TABLE_SIZE: u16 = 0x1;
    pub const ENABLE_PUSH: u16 = 0x2;
    pub const MAX_CONCURRENT_STREAMS: u16 = 0x3;
    pub const INITIAL_WINDOW_SIZE: u16 = 0x4;
    pub const MAX_FRAME_SIZE: u16 = 0x5;
    pub const MAX_HEADER_LIST_SIZE: u16 = 0x6;
}

/// Bytes of the table for the peer's headers: the protocol's default, which every peer knows.
pub const HEADER_TABLE_BYTES: u32 = 4_096;
/// Most bytes of one response's headers, counted as section 6.5.2 does: as for HTTP/1.
pub const MAX_HEADER_LIST_BYTES: u32 = 65_536;
/// Window of each stream. Wide enough that a response of up to 8 MiB needs no update at all; what
/// comes is consumed at once, so a wide window costs no memory.
pub const STREAM_WINDOW_BYTES: u32 = 16 << 20;
/// Window of the connection: several streams' worth, for the same reason.
pub const CONNECTION_WINDOW_BYTES: u32 = 64 << 20;

/// Appends this client's SETTINGS.
pub fn append_own(out: &mut Vec<u8>) {
    let settings = [
        (identifier::HEADER_TABLE_SIZE, HEADER_TABLE_BYTES),
        (identifier::ENABLE_PUSH, 0),
        (identifier::INITIAL_WINDOW_SIZE, STREAM_WINDOW_BYTES),
        (identifier::MAX_HEADER_LIST_SIZE, MAX_HEADER_LIST_BYTES),
    ];
    let mut payload = Vec::with_capacity(settings.len() * ENTRY_BYTES);
    for (identifier, value) in settings {
        payload.extend_from_slice(&identifier.to_be_bytes());
        payload.extend_from_slice(&value.to_be_bytes());
    }
    frame::append(kind::SETTINGS, 0, 0, &payload, out);
}

/// Length of one identifier and its value.
const ENTRY_BYTES: usize = 6;

/// The peer's settings as far as they bind a client. `MAX_FRAME_SIZE` is checked and not kept,
/// since this client never writes more than the smallest value it can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerSettings {
    /// Streams that may be open at once.
    pub max_streams: u32,
    /// Window of a new stream.
    pub stream_window_bytes: u32,
}

impl Default for PeerSettings {
    /// What holds before the first SETTINGS.
    fn default() -> Self {
        Self {
            max_streams: u32::MAX,
            stream_window_bytes: DEFAULT_WINDOW_BYTES,
        }
    }
}

impl PeerSettings {
    /// Follows the payload of a SETTINGS frame. `on_table_bytes` takes every value of
    /// `HEADER_TABLE_SIZE`, since the peer's table also went through the smaller ones.
    ///
    /// # Errors
    /// If its length is no multiple of 6, or a value is out of its range.
    pub fn follow(
        &mut self,
        payload: &[u8],
        mut on_table_bytes: impl FnMut(u32),
    ) -> Result<(), Http2Error> {
        let (entries, rest) = payload.as_chunks::<ENTRY_BYTES>();
        if !rest.is_empty() {
            return Err(Http2Error::FrameSize);
        }
        for [high, low, value @ ..] in entries {
            let value = u32::from_be_bytes(*value);
            match u16::from_be_bytes([*high, *low]) {
                identifier::HEADER_TABLE_SIZE => on_table_bytes(value),
                identifier::ENABLE_PUSH if value != 0 => return Err(Http2Error::Setting),
                identifier::MAX_CONCURRENT_STREAMS => self.max_streams = value,
                identifier::INITIAL_WINDOW_SIZE if value > MAX_WINDOW_BYTES => {
                    return Err(Http2Error::WindowOverflow);
                }
                identifier::INITIAL_WINDOW_SIZE => self.stream_window_bytes = value,
                identifier::MAX_FRAME_SIZE if !is_frame_size(value) => {
                    return Err(Http2Error::Setting);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn is_frame_size(value: u32) -> bool {
    (MAX_PAYLOAD_BYTES..1 << 24).contains(&(value as usize))
}

#[cfg(test)]
mod tests {
    use super::super::frame::HEADER_BYTES;
    use super::*;

    fn payload(entries: &[(u16, u32)]) -> Vec<u8> {
        entries
            .iter()
            .flat_map(|(identifier, value)| {
                [&identifier.to_be_bytes()[..], &value.to_be_bytes()[..]].concat()
            })
            .collect()
    }

    #[test]
    fn the_last_of_several_values_holds_and_unknown_settings_are_ignored() {
        let mut settings = PeerSettings::default();
        let mut tables = Vec::new();
        let entries = [
            (3, 5),
            (0xff, 9),
            (1, 0),
            (4, 1),
            (3, 7),
            (5, 16_384),
            (6, 1),
            (1, 9),
        ];
        let followed = settings.follow(&payload(&entries), |bytes| tables.push(bytes));
        assert_eq!((followed, tables), (Ok(()), vec![0, 9]));
        let expected = PeerSettings {
            max_streams: 7,
            stream_window_bytes: 1,
        };
        assert_eq!(settings, expected);
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for (entry, error) in [
            ((2, 1), Http2Error::Setting),
            ((4, 1 << 31), Http2Error::WindowOverflow),
            ((5, 16_383), Http2Error::Setting),
            ((5, 1 << 24), Http2Error::Setting),
        ] {
            let mut settings = PeerSettings::default();
            assert_eq!(
                settings.follow(&payload(&[entry]), |_| {}),
                Err(error),
                "{entry:?}"
            );
        }
        assert_eq!(
            PeerSettings::default().follow(&[0; 7], |_| {}),
            Err(Http2Error::FrameSize)
        );
    }

    #[test]
    fn own_settings_refuse_push_and_are_within_their_ranges() {
        let mut out = Vec::new();
        append_own(&mut out);
        let mut read = PeerSettings::default();
        assert_eq!(read.follow(&out[HEADER_BYTES..], |_| {}), Ok(()));
        assert_eq!(read.stream_window_bytes, STREAM_WINDOW_BYTES);
        assert!(
            out[HEADER_BYTES..]
                .chunks(6)
                .any(|entry| entry == [0, 2, 0, 0, 0, 0])
        );
    }
}
