//! Tests of encoder and decoder together. The dynamic table has a model of its own here.

mod agreement;
mod bytes;
mod faults;
mod foreign_blocks;
mod rfc_examples;
mod round_trip;

use super::HpackError;
use super::decoder::Decoder;

/// The dynamic table's newest entry as a field: index 62.
const NEWEST: u8 = 0xbe;

/// A header list.
type List = Vec<(Vec<u8>, Vec<u8>)>;

fn decode(decoder: &mut Decoder, block: &[u8]) -> Result<List, HpackError> {
    let mut fields = Vec::new();
    decoder.decode(block, |name, value| {
        fields.push((name.to_vec(), value.to_vec()));
    })?;
    Ok(fields)
}

fn list(fields: &[(&str, &str)]) -> List {
    let bytes = |text: &str| text.as_bytes().to_vec();
    fields
        .iter()
        .map(|&(name, value)| (bytes(name), bytes(value)))
        .collect()
}

fn from_hex(digits: &str) -> Vec<u8> {
    let digits: Vec<char> = digits
        .chars()
        .filter(|sign| !sign.is_whitespace())
        .collect();
    digits
        .chunks(2)
        .map(|pair| {
            let pair: String = pair.iter().collect();
            u8::from_str_radix(&pair, 16).expect("two hexadecimal digits")
        })
        .collect()
}
