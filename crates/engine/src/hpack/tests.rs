//! What encoder and decoder must hold to together; `rfc_examples` has those of the RFC.

use proptest::prelude::*;

use super::HpackError;
use super::decoder::Decoder;
use super::encoder::{Encoder, FieldId, Fields};

type Field = (Vec<u8>, Vec<u8>);

fn decoded(decoder: &mut Decoder, block: &[u8]) -> Result<Vec<Field>, HpackError> {
    let mut fields = Vec::new();
    decoder.decode(block, |name, value| {
        fields.push((name.to_vec(), value.to_vec()));
    })?;
    Ok(fields)
}

fn from_hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u8> = digits
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    digits
        .chunks(2)
        .map(|pair| {
            let pair = std::str::from_utf8(pair).expect("ASCII");
            u8::from_str_radix(pair, 16).expect("two hexadecimal digits")
        })
        .collect()
}

fn fields(text: &[(&str, &str)]) -> Vec<Field> {
    text.iter()
        .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()))
        .collect()
}

#[test]
fn a_request_comes_back_as_it_was() {
    let request = fields(&[
        (":method", "GET"),
        (":scheme", "http"),
        (":authority", "127.0.0.1:8080"),
        (":path", "/users?page=2"),
        ("accept", "*/*"),
        ("authorization", "Bearer abc"),
    ]);
    let mut table = Fields::new();
    let block: Vec<FieldId> = request.iter().map(|(n, v)| table.add(n, v)).collect();
    let mut encoder = Encoder::new();
    let mut decoder = Decoder::new(4096);
    for _ in 0..3 {
        let mut out = Vec::new();
        encoder.encode(&table, &block, &mut out);
        assert_eq!(decoded(&mut decoder, &out), Ok(request.clone()));
    }
}

#[test]
fn the_status_is_found() {
    let mut decoder = Decoder::new(4096);
    // RFC 7541 C.5.1 and C.6.1: 302, without and with Huffman coding.
    let plain = from_hex(
        "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133
         2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70
         6c65 2e63 6f6d",
    );
    assert_eq!(decoder.decode_status(&plain), Ok(Some(302)));
    assert_eq!(decoder.decode_status(&[0x88]), Ok(Some(200)));
    assert_eq!(decoder.decode_status(&[0x88]), Ok(Some(200)));
}

proptest! {
    #[test]
    fn no_bytes_panic(block in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = decoded(&mut Decoder::new(4096), &block);
    }
}
