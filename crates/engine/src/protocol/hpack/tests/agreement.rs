//! Agreement with an independent implementation: `vectors.json` has blocks of the Python package
//! `hpack`, made by `make_vectors.py`.

use serde::Deserialize;

use super::super::decoder::Decoder;
use super::{List, decode, from_hex};

/// A block, and its fields; each char of a value is one byte.
#[derive(Deserialize)]
struct Vector {
    block: String,
    fields: Vec<(String, String)>,
}

fn latin_1(text: &str) -> Vec<u8> {
    text.chars()
        .map(|sign| u8::try_from(u32::from(sign)).expect("a char below 256"))
        .collect()
}

#[test]
fn blocks_of_another_encoder_mean_the_same() {
    let stories: Vec<Vec<Vector>> =
        serde_json::from_str(include_str!("vectors.json")).expect("the vectors are JSON");
    assert!(!stories.is_empty());
    for (number, story) in stories.iter().enumerate() {
        let mut decoder = Decoder::new(4096);
        for (place, vector) in story.iter().enumerate() {
            let expected: List = vector
                .fields
                .iter()
                .map(|(name, value)| (latin_1(name), latin_1(value)))
                .collect();
            assert_eq!(
                decode(&mut decoder, &from_hex(&vector.block)),
                Ok(expected),
                "story {number}, block {place}"
            );
        }
    }
}
