//! What the encoder writes, the decoder reads, over many requests and changing table sizes.

use proptest::prelude::*;

use super::super::decoder::Decoder;
use super::super::encoder::{Block, Encoder, FieldId, Fields};
use super::{List, decode, list};

#[test]
fn a_known_field_takes_one_byte_and_a_secret_is_never_indexed() {
    let mut fields = Fields::new();
    let mut add = |name: &str, value: &str| fields.add(name.as_bytes(), value.as_bytes());
    let block = [
        add(":method", "GET"),
        add("X-Trace", "on"),
        add(":path", "/a"),
    ];
    assert_eq!(add("x-trace", "on"), block[1], "names are case-insensitive");
    let secrets = [
        add("authorization", "Bearer token"),
        add("cookie", "a=b"),
        add("proxy-authorization", "Basic YQ=="),
    ];
    let mut encoder = Encoder::new();
    let mut out = Vec::new();
    let block = Block::from_iter(block);
    encoder.encode(&fields, &block, &mut out);
    out.clear();
    encoder.encode(&fields, &block, &mut out);
    assert_eq!(out, [0x82, 0xbf, 0xbe]);
    for _ in 0..2 {
        for secret in secrets {
            out.clear();
            encoder.encode(&fields, &Block::from_iter([secret]), &mut out);
            assert_eq!(out[0] & 0xf0, 0x10, "the form that is never indexed");
        }
    }
    let mut decoder = Decoder::new(4096);
    let expected = list(&[("proxy-authorization", "Basic YQ==")]);
    assert_eq!(decode(&mut decoder, &out), Ok(expected));
}

#[test]
fn a_literal_enters_no_table_and_is_coded_alike_each_time() {
    let mut fields = Fields::new();
    let path = fields.add_name(b":path");
    assert_eq!(
        fields.add_name(b":PATH"),
        path,
        "names are case-insensitive"
    );
    let trace = fields.add_name(b"X-Trace");
    let cookie = fields.add_name(b"cookie");
    let kept = fields.kept();
    let (mut encoder, mut decoder) = (Encoder::new(), Decoder::new(4096));
    let mut block = Block::default();
    for number in 0..1_000 {
        block.clear();
        block.push_literal(path, format!("/{number}").as_bytes());
        block.push_literal(trace, b"");
        block.push_literal(cookie, b"a=b");
        let mut out = Vec::new();
        encoder.encode(&fields, &block, &mut out);
        // Without indexing, by the static table's name; a new name; never indexed.
        assert_eq!(out[0], 0x04);
        assert!(out.windows(2).any(|bytes| bytes == [0x1f, 32 - 15]));
        let expected = [
            (":path", format!("/{number}")),
            ("x-trace", String::new()),
            ("cookie", "a=b".to_owned()),
        ];
        let expected = expected.map(|(name, value)| (name.into(), value.into_bytes()));
        let changes = decoder.changes();
        assert_eq!(decode(&mut decoder, &out), Ok(expected.to_vec()));
        assert_eq!(decoder.changes(), changes);
    }
    assert_eq!(fields.kept(), kept);
}

#[test]
fn a_full_table_evicts_nothing() {
    let mut fields = Fields::new();
    let mut encoder = Encoder::new();
    // 128 entries of 32 bytes would be the most; these have 33.
    let names = (b'a'..=b'z').flat_map(|name| (0..10).map(move |length| (name, length)));
    let block: Block = names
        .clone()
        .map(|(name, length)| fields.add(&[name], &vec![b'0'; length]))
        .collect();
    let mut first = Vec::new();
    encoder.encode(&fields, &block, &mut first);
    let mut second = Vec::new();
    encoder.encode(&fields, &block, &mut second);
    let inserted = first.split(|&byte| byte == 0x40).count() - 1;
    assert!((100..=128).contains(&inserted), "{inserted}");
    assert!(!second.contains(&0x40), "nothing is inserted any more");
    let mut decoder = Decoder::new(4096);
    let expected = decode(&mut decoder, &first);
    assert_eq!(expected.as_ref().map(Vec::len), Ok(names.count()));
    for _ in 0..2 {
        assert_eq!(decode(&mut decoder, &second), expected);
    }
}

#[test]
fn a_new_size_is_told_once_with_the_smallest_in_between() {
    let fields = Fields::new();
    let mut encoder = Encoder::new();
    let mut told = |sizes: &[u32]| {
        for &size in sizes {
            encoder.set_capacity(size);
        }
        let mut out = Vec::new();
        encoder.encode(&fields, &Block::default(), &mut out);
        out
    };
    assert_eq!(told(&[65_536, 4_096]), b"", "it never uses more than 4,096");
    assert_eq!(told(&[16, 20]), [0x30, 0x34]);
    assert_eq!(told(&[]), b"");
    assert_eq!(told(&[0]), [0x20]);
    assert_eq!(told(&[10, 4_096]), [0x2a, 0x3f, 0xe1, 0x1f]);
}

/// Requests over a few fields, with sizes that the peer announces in between.
#[derive(Clone, Debug)]
enum Step {
    /// Their numbers, and which of them are literals.
    Request(Vec<(usize, bool)>),
    Announce(u32),
}

fn a_field() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let name = prop_oneof![
        Just(":path".to_owned()),
        Just("accept".to_owned()),
        Just("cookie".to_owned()),
        "[a-z-]{1,12}",
    ];
    let value = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40),
        "[ -~]{0,60}".prop_map(String::into_bytes),
        (0_usize..5_000).prop_map(|length| vec![b'x'; length]),
    ];
    (name.prop_map(String::into_bytes), value)
}

fn a_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => prop::collection::vec((0_usize..40, any::<bool>()), 0..12).prop_map(Step::Request),
        1 => prop_oneof![Just(0), 0_u32..300, 0_u32..10_000].prop_map(Step::Announce),
    ]
}

proptest! {
    #[test]
    fn every_request_comes_back_as_it_was(
        distinct in prop::collection::vec(a_field(), 1..40),
        steps in prop::collection::vec(a_step(), 1..60),
    ) {
        let mut fields = Fields::new();
        let ids: Vec<FieldId> = distinct.iter().map(|(n, v)| fields.add(n, v)).collect();
        let (mut encoder, mut decoder) = (Encoder::new(), Decoder::new(10_000));
        for step in steps {
            let numbers = match step {
                Step::Announce(size) => {
                    encoder.set_capacity(size);
                    continue;
                }
                Step::Request(numbers) => numbers,
            };
            let (mut block, mut expected) = (Block::default(), List::new());
            for (number, is_literal) in numbers {
                let place = number % ids.len();
                let (name, value) = &distinct[place];
                if is_literal {
                    block.push_literal(fields.add_name(name), value);
                } else {
                    block.push(ids[place]);
                }
                expected.push((name.clone(), value.clone()));
            }
            let mut out = b"before".to_vec();
            encoder.encode(&fields, &block, &mut out);
            prop_assert_eq!(decode(&mut decoder, &out[6..]), Ok(expected));
        }
    }
}
