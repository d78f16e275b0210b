//! `decode_status` against `decode`, and what it says of responses that are malformed.

use super::super::HpackError;
use super::super::decoder::{Decoder, MAX_LIST_BYTES};
use super::{NEWEST, decode};

const STATUS_200: u8 = 0x88;
const STATUS_404: u8 = 0x8d;
/// `age` without a value.
const OTHER: u8 = 0x95;

fn status_of(block: &[u8]) -> Result<Option<u16>, HpackError> {
    Decoder::new(4096).decode_status(block)
}

#[test]
fn the_status_must_come_first_and_once() {
    assert_eq!(status_of(&[STATUS_200, OTHER]), Ok(Some(200)));
    assert_eq!(status_of(&[OTHER, STATUS_200]), Ok(None));
    assert_eq!(status_of(&[STATUS_200, STATUS_200]), Ok(None));
    assert_eq!(status_of(&[STATUS_200, OTHER, STATUS_404]), Ok(None));
    assert_eq!(status_of(&[OTHER]), Ok(None));
    assert_eq!(status_of(&[]), Ok(None));
}

#[test]
fn a_status_is_three_digits() {
    let status = |value: &[u8]| {
        let length = u8::try_from(value.len()).expect("short");
        status_of(&[&[0x08, length], value].concat())
    };
    assert_eq!(status(b"418"), Ok(Some(418)));
    assert_eq!(status(b"999"), Ok(Some(999)));
    for malformed in [&b"20"[..], b"2000", b"2 0", b"+20", b"020", b""] {
        assert_eq!(status(malformed), Ok(None), "{malformed:?}");
    }
}

#[test]
fn a_remembered_block_is_decoded_again_when_the_table_changed() {
    let mut decoder = Decoder::new(4096);
    let inserts = |value: &[u8; 3]| [&[0x48, 3], &value[..]].concat();
    let newest = [NEWEST];
    assert_eq!(decoder.decode_status(&inserts(b"201")), Ok(Some(201)));
    for _ in 0..3 {
        assert_eq!(decoder.decode_status(&newest), Ok(Some(201)));
    }
    assert_eq!(decoder.decode_status(&inserts(b"202")), Ok(Some(202)));
    assert_eq!(decoder.decode_status(&newest), Ok(Some(202)));
    decode(&mut decoder, &inserts(b"203")).expect("a legal block");
    assert_eq!(decoder.decode_status(&newest), Ok(Some(203)));
    // A size of 0 empties the table.
    decode(&mut decoder, &[0x20]).expect("a legal block");
    assert_eq!(decoder.decode_status(&newest), Err(HpackError::Index));
}

#[test]
fn a_block_that_inserts_is_never_answered_from_memory() {
    let mut decoder = Decoder::new(4096);
    for _ in 0..3 {
        decoder
            .decode_status(b"\x48\x03201")
            .expect("a legal block");
    }
    let all: Vec<u8> = (NEWEST..).take(3).collect();
    assert_eq!(decode(&mut decoder, &all).expect("three entries").len(), 3);
}

#[test]
fn each_fault_is_its_own_error() {
    let max = MAX_LIST_BYTES;
    let bomb = vec![STATUS_200; max / (32 + 7 + 3) + 1];
    assert_eq!(status_of(&bomb[1..]), Ok(None));
    for (block, error) in [
        (&b"\x80"[..], HpackError::Index),
        (b"\xbe", HpackError::Index),
        (b"\x7e\x01a", HpackError::Index),
        (b"\xff", HpackError::Truncated),
        (b"\x40", HpackError::Truncated),
        (b"\x40\x01", HpackError::Truncated),
        (b"\x40\x01a\x05b", HpackError::Truncated),
        (b"\xff\x80\x80\x80\x80\x80\x00", HpackError::Integer),
        (b"\xff\xff\xff\xff\xff\x7f", HpackError::Integer),
        // Table sizes: one byte too large, and after a field.
        (b"\x3f\xe2\x1f", HpackError::SizeUpdate),
        (b"\x88\x20", HpackError::SizeUpdate),
        // A byte of padding only, padding with a 0, and the end itself.
        (b"\x08\x81\xff", HpackError::Huffman),
        (b"\x08\x81\x18", HpackError::Huffman),
        (b"\x08\x84\xff\xff\xff\xff", HpackError::Huffman),
        (&bomb, HpackError::ListTooLong),
    ] {
        assert_eq!(status_of(block), Err(error), "{block:x?}");
    }
    // The announced size itself, twice.
    assert_eq!(status_of(b"\x20\x3f\xe1\x1f\x88"), Ok(Some(200)));
}
