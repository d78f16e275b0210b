//! Values against a plain list of them, and their bounds.

use super::*;
use crate::session::rows::rows_file;
use proptest::prelude::*;

fn text(bytes: &[u8], is_bare: bool) -> Value<'_> {
    Value::Text { bytes, is_bare }
}

#[test]
fn a_value_is_what_it_was_set_to_last() {
    let rows = Rows::new(rows_file(&["a", "b", "c", "4"]), 2, 2).expect("are rows");
    let feeds = [rows.clone(), rows];
    let mut values = Values::new(4);
    assert_eq!(values.get(0, &feeds), None);
    assert_eq!(values.get(9, &feeds), None);
    assert!(values.set_row(&[2, 0], 1, &feeds[1], 1));
    assert_eq!(values.get(2, &feeds), Some(text(b"c", false)));
    assert_eq!(values.get(0, &feeds).and_then(Value::integer), Some(4));
    values.set_text(0, b"true", true).expect("fits");
    assert_eq!(values.get(0, &feeds), Some(text(b"true", true)));
    values.set_integer(0, -3);
    assert_eq!(values.get(0, &feeds), Some(Value::Integer(-3)));
    values.forget(0);
    assert_eq!(values.get(0, &feeds), None);
    assert!(!values.set_row(&[1, 0], 0, &feeds[0], 2));
    assert_eq!(values.get(1, &feeds), None);
}

#[test]
fn a_session_begins_with_what_was_kept() {
    let mut values = Values::new(3);
    values.set_text(0, b"token", false).expect("fits");
    values.set_text(1, b"gone", false).expect("fits");
    values.forget(1);
    values.set_integer(2, 5);
    values.keep();
    for _ in 0..3 {
        values.begin();
        assert_eq!(values.get(0, &[]), Some(text(b"token", false)));
        assert_eq!(values.get(1, &[]), None);
        assert_eq!(values.get(2, &[]), Some(Value::Integer(5)));
        values.set_text(0, b"other", false).expect("fits");
        values.set_text(1, b"more", true).expect("fits");
        assert_eq!(values.get(0, &[]), Some(text(b"other", false)));
    }
    assert_eq!(values.arena.len(), 5 + 5 + 4);
    values.reset();
    assert_eq!(values.get(0, &[]), None);
}

#[test]
fn bounds_are_held_and_memory_is_given_back() {
    let mut values = Values::new(6);
    let long = vec![b'x'; MOST_VALUE_BYTES];
    for index in 0..4 {
        values.set_text(index, &long, false).expect("fits");
    }
    assert_eq!(values.set_text(4, b"x", false), Err(ValueError::Full));
    values.set_text(4, b"", false).expect("fits");
    assert_eq!(values.get(4, &[]), Some(text(b"", false)));
    let longer = [&long[..], b"x"].concat();
    let refused = values.set_text(3, &longer, false);
    assert_eq!(refused, Err(ValueError::TooLong(MOST_VALUE_BYTES + 1)));
    assert_eq!(values.get(3, &[]), None);
    values.set_text(5, &long, false).expect("fits in its place");
    assert_eq!(values.get(5, &[]), Some(text(&long, false)));
    values.begin();
    assert!(values.arena.capacity() <= KEPT_BYTES);
}

#[test]
fn a_value_that_changes_for_ever_takes_no_more_memory() {
    let mut values = Values::new(2);
    values.set_text(0, b"stays", false).expect("fits");
    for length in (0..100_000_usize).map(|turn| turn * 7 % 400) {
        values
            .set_text(1, &vec![b'y'; length], false)
            .expect("fits");
    }
    assert!(values.arena.capacity() <= 2 * FIRST_BYTES);
    assert_eq!(values.get(0, &[]), Some(text(b"stays", false)));
}

#[derive(Clone, Debug)]
enum Deed {
    Text(usize, usize),
    Integer(usize),
    Forget(usize),
    Keep,
    Begin,
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        8 => (0..4_usize, 0..300_usize).prop_map(|(index, length)| Deed::Text(index, length)),
        1 => (0..4_usize, 16_000..17_000_usize)
            .prop_map(|(index, length)| Deed::Text(index, length)),
        1 => (0..4_usize).prop_map(Deed::Integer),
        1 => (0..4_usize).prop_map(Deed::Forget),
        1 => Just(Deed::Keep),
        1 => Just(Deed::Begin),
    ];
    prop::collection::vec(deed, 0..80)
}

proptest! {
    #[test]
    fn values_are_those_of_a_plain_list(deeds in deeds()) {
        let mut values = Values::new(4);
        let (mut list, mut kept) = (vec![None; 4], vec![None; 4]);
        for (turn, deed) in deeds.into_iter().enumerate() {
            match deed {
                Deed::Text(index, length) => {
                    let text = vec![b'a' + u8::try_from(turn % 26).expect("is small"); length];
                    let taken = values.set_text(index, &text, false);
                    list[index] = taken.is_ok().then_some(text);
                }
                Deed::Integer(index) => {
                    values.set_integer(index, 7);
                    list[index] = Some(b"7".to_vec());
                }
                Deed::Forget(index) => {
                    values.forget(index);
                    list[index] = None;
                }
                Deed::Keep => {
                    values.keep();
                    kept = list.clone();
                }
                Deed::Begin => {
                    values.begin();
                    list = kept.clone();
                }
            }
            for (index, expected) in list.iter().enumerate() {
                let found = values.get(index, &[]).map(|value| match value {
                    Value::Integer(integer) => integer.to_string().into_bytes(),
                    Value::Text { bytes, .. } => bytes.to_vec(),
                });
                prop_assert_eq!(&found, expected);
            }
            prop_assert!(values.arena.len() <= MOST_SESSION_BYTES);
        }
    }
}
