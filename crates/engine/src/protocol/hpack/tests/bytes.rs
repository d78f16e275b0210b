//! Blocks as a hostile peer may send them: no panic, bounded memory, one meaning.

use proptest::prelude::*;

use super::super::decoder::Decoder;
use super::super::{HpackError, integer};
use super::decode;

const CAPACITY: usize = 4_096;
/// As `Decoder` says: 2.5 times the capacity, and 2 KiB.
const MOST_MEMORY: usize = CAPACITY * 5 / 2 + 2 * 1_024;

/// A piece of a block: mostly legal, so that what follows it is read as well.
fn a_piece() -> impl Strategy<Value = Vec<u8>> {
    let text = |longest| prop::collection::vec(any::<u8>(), 0..longest);
    let literal = move |flags: u8, longest| {
        (text(30), text(longest)).prop_map(move |(name, value)| {
            let length = u8::try_from(value.len().min(126)).unwrap_or_default();
            let name_length = u8::try_from(name.len()).unwrap_or_default();
            [
                &[flags, name_length][..],
                &name,
                &[length],
                &value[..usize::from(length)],
            ]
            .concat()
        })
    };
    prop_oneof![
        4 => (0x81..=0xc8_u8).prop_map(|byte| vec![byte]),
        6 => literal(0x40, 120),
        // No bytes but entries: the most entries that a table can have.
        2 => Just([0x40, 0, 0].repeat(150)),
        2 => literal(0x00, 60),
        // Names by index, also from the dynamic table.
        3 => (0x41..=0x7e_u8, text(20)).prop_map(|(first, value)| {
            let length = u8::try_from(value.len()).unwrap_or_default();
            [&[first, length][..], &value].concat()
        }),
        // A Huffman-coded value of letters with legal padding.
        2 => Just(b"\x48\x82\x64\x02".to_vec()),
        1 => text(8),
    ]
}

fn a_block() -> impl Strategy<Value = Vec<u8>> {
    let resize = prop_oneof![
        6 => Just(vec![]),
        1 => (0x20..=0x3e_u8).prop_map(|byte| vec![byte]),
        1 => (0_u8..=0x7f, 0_u8..=0x1f).prop_map(|(low, high)| vec![0x3f, 0x80 | low, high]),
    ];
    (resize, prop::collection::vec(a_piece(), 0..10))
        .prop_map(|(resize, pieces)| [resize, pieces.concat()].concat())
}

proptest! {
    #[test]
    fn any_bytes_end_as_fields_or_as_an_error(block in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut decoder = Decoder::new(CAPACITY);
        let _ = decode(&mut decoder, &block);
        prop_assert!(decoder.memory() <= MOST_MEMORY);
    }

    #[test]
    fn memory_stays_bounded_and_a_block_means_the_same_until_the_table_changes(
        blocks in prop::collection::vec(a_block(), 1..12),
    ) {
        let mut decoder = Decoder::new(CAPACITY);
        for block in blocks {
            let before = decoder.changes();
            let first = decode(&mut decoder, &block);
            prop_assert!(decoder.memory() <= MOST_MEMORY);
            if first.is_err() {
                return Ok(());
            }
            if decoder.changes() == before {
                prop_assert_eq!(decode(&mut decoder, &block), first);
                prop_assert_eq!(decoder.changes(), before);
            }
        }
    }

    #[test]
    fn the_memory_of_a_long_string_is_given_back(fives in 400_usize..13_000) {
        // 0 is coded as 00000, so five bytes of 0 are eight characters.
        let mut block = b"\x10\x01a".to_vec();
        integer::encode(fives * 5, 7, 0x80, &mut block);
        block.resize(block.len() + fives * 5, 0);
        let mut decoder = Decoder::new(CAPACITY);
        match decode(&mut decoder, &block) {
            Ok(fields) => prop_assert_eq!(&fields[0].1, &vec![b'0'; fives * 8]),
            Err(error) => prop_assert_eq!(error, HpackError::ListTooLong),
        }
        prop_assert!(decoder.memory() <= MOST_MEMORY);
    }
}
