//! Blocks that break a rule, and what counts as a change of the table.

use super::super::HpackError;
use super::super::decoder::{Decoder, MAX_LIST_BYTES};
use super::{NEWEST, decode, list};

const STATUS_200: u8 = 0x88;

#[test]
fn changes_count_insertions_and_resizing_and_nothing_else() {
    let mut decoder = Decoder::new(4096);
    for (block, is_change) in [
        (&b"\x48\x03201"[..], true),
        (&[NEWEST], false),
        (b"\x08\x03202", false),
        (b"\x18\x03202", false),
        (&[NEWEST], false),
        (b"\x48\x03201", true),
        (b"\x30", true),
        // Larger than the table: nothing is inserted, but everything is evicted.
        (b"\x48\x03201", true),
    ] {
        let before = decoder.changes();
        decode(&mut decoder, block).expect("a legal block");
        assert_eq!(decoder.changes() != before, is_change, "{block:x?}");
    }
    assert_eq!(decode(&mut decoder, &[NEWEST]), Err(HpackError::Index));
}

#[test]
fn each_fault_is_its_own_error() {
    let max = MAX_LIST_BYTES;
    let bomb = vec![STATUS_200; max / (32 + 7 + 3) + 1];
    assert!(decode(&mut Decoder::new(4096), &bomb[1..]).is_ok());
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
        let decoded = decode(&mut Decoder::new(4096), block);
        assert_eq!(decoded, Err(error), "{block:x?}");
    }
    // The announced size itself, after another.
    let decoded = decode(&mut Decoder::new(4096), b"\x20\x3f\xe1\x1f\x88");
    assert_eq!(decoded, Ok(list(&[(":status", "200")])));
}
