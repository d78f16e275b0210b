//! Bodies of the encoders of others, cut anywhere, and bodies that are wrong.

use flate2::{Compression, GzBuilder, write::GzEncoder};
use proptest::prelude::*;
use std::io::Write;

use super::{Coding, CodingError, Decoder, MAX_DECODED_BYTES, PIECE_BYTES};

const CODINGS: [Coding; 2] = [Coding::Gzip, Coding::Brotli];

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).expect("memory takes everything");
    encoder.finish().expect("memory takes everything")
}

fn brotli(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let options = brotli::enc::BrotliEncoderParams {
        quality: 5,
        ..Default::default()
    };
    brotli::BrotliCompress(&mut &body[..], &mut out, &options).expect("memory takes everything");
    out
}

fn encode(coding: Coding, body: &[u8]) -> Vec<u8> {
    match coding {
        Coding::Gzip => gzip(body),
        Coding::Brotli => brotli(body),
        Coding::Identity | Coding::Unknown => body.to_vec(),
    }
}

/// Decodes pieces that end at `cuts`.
fn decode_cut(
    decoder: &mut Decoder,
    coding: Coding,
    encoded: &[u8],
    cuts: &[usize],
) -> Result<Vec<u8>, CodingError> {
    let mut cuts: Vec<usize> = cuts.iter().map(|&cut| cut.min(encoded.len())).collect();
    cuts.push(encoded.len());
    cuts.sort_unstable();
    let mut body = Vec::new();
    let mut start = 0;
    decoder.begin(coding);
    for cut in cuts {
        decoder.feed(&encoded[start..cut], |piece| {
            assert!(coding == Coding::Identity || (1..=PIECE_BYTES).contains(&piece.len()));
            body.extend_from_slice(piece);
        })?;
        start = cut;
    }
    decoder.finish().map(|()| body)
}

fn decode(coding: Coding, encoded: &[u8]) -> Result<Vec<u8>, CodingError> {
    decode_cut(&mut Decoder::default(), coding, encoded, &[])
}

#[test]
fn headers_declare_one_coding_or_an_unknown_one() {
    for (values, coding) in [
        (&[][..], Coding::Identity),
        (&["identity"][..], Coding::Identity),
        (&["", " , "], Coding::Identity),
        (&["gzip"], Coding::Gzip),
        (&[" X-GZip\t"], Coding::Gzip),
        (&["identity, br"], Coding::Brotli),
        (&["BR"], Coding::Brotli),
        (&["deflate"], Coding::Unknown),
        (&["gzip, br"], Coding::Unknown),
        (&["gzip", "gzip"], Coding::Unknown),
        (&["zstd", "gzip"], Coding::Unknown),
        (&["gzip2"], Coding::Unknown),
    ] {
        let declared = values.iter().fold(Coding::default(), |coding, value| {
            coding.with_header(value.as_bytes())
        });
        assert_eq!(declared, coding, "{values:?}");
    }
}

#[test]
fn a_large_body_comes_in_small_pieces() {
    let body = b"0123456789abcdef".repeat(40_000);
    for coding in CODINGS {
        assert_eq!(decode(coding, &encode(coding, &body)).as_ref(), Ok(&body));
    }
}

#[test]
fn a_body_without_bytes_is_empty_in_any_coding() {
    for coding in [
        Coding::Identity,
        Coding::Gzip,
        Coding::Brotli,
        Coding::Unknown,
    ] {
        assert_eq!(decode(coding, b""), Ok(vec![]));
    }
    for coding in CODINGS {
        assert_eq!(decode(coding, &encode(coding, b"")), Ok(vec![]));
    }
}

#[test]
fn an_unknown_coding_is_not_decoded() {
    assert_eq!(decode(Coding::Unknown, b"x"), Err(CodingError::Unsupported));
}

#[test]
fn gzip_headers_may_have_every_part() {
    let mut encoder = GzBuilder::new()
        .extra(vec![0; 300])
        .filename("name")
        .comment("comment")
        .write(Vec::new(), Compression::fast());
    encoder.write_all(b"body").expect("memory takes everything");
    let whole = encoder.finish().expect("memory takes everything");
    // The builder writes no header checksum: two bytes before the data.
    let mut with_checksum = whole.clone();
    with_checksum[3] |= 0x02;
    let header_length = 10 + 2 + 300 + 5 + 8;
    with_checksum.splice(header_length..header_length, [1, 2]);
    for encoded in [whole, with_checksum] {
        for cut in 0..encoded.len() {
            let decoded = decode_cut(&mut Decoder::default(), Coding::Gzip, &encoded, &[cut]);
            assert_eq!(decoded, Ok(b"body".to_vec()), "cut at {cut}");
        }
    }
}

#[test]
fn gzip_members_follow_each_other() {
    let encoded = [gzip(b"one "), gzip(b""), gzip(b"two")].concat();
    assert_eq!(decode(Coding::Gzip, &encoded), Ok(b"one two".to_vec()));
}

#[test]
fn each_fault_is_its_own_error() {
    let (gzipped, brotlied) = (gzip(b"some body"), brotli(b"some body"));
    let changed = |place: usize| {
        let mut encoded = gzipped.clone();
        encoded[place] ^= 0x80;
        encoded
    };
    let end = gzipped.len();
    for (coding, encoded, error) in [
        (Coding::Gzip, changed(0), CodingError::Malformed),
        (Coding::Gzip, changed(2), CodingError::Malformed),
        (Coding::Gzip, changed(3), CodingError::Malformed),
        (Coding::Gzip, changed(end - 8), CodingError::Checksum),
        (Coding::Gzip, changed(end - 1), CodingError::Checksum),
        (Coding::Gzip, b"plain text".to_vec(), CodingError::Malformed),
        // A block of the reserved kind.
        (
            Coding::Gzip,
            [&gzipped[..10], &[0x07]].concat(),
            CodingError::Malformed,
        ),
        (
            Coding::Gzip,
            [&gzipped[..], b"plain text"].concat(),
            CodingError::Malformed,
        ),
        (
            Coding::Brotli,
            [&brotlied[..], b"x"].concat(),
            CodingError::TrailingBytes,
        ),
        // The window sizes of "large window brotli", beyond the RFC.
        (Coding::Brotli, vec![0x11, 30, 0, 0], CodingError::Malformed),
    ] {
        assert_eq!(decode(coding, &encoded), Err(error), "{encoded:x?}");
        let at_each_byte: Vec<usize> = (0..encoded.len()).collect();
        let cut = decode_cut(&mut Decoder::default(), coding, &encoded, &at_each_byte);
        assert_eq!(cut, Err(error), "{encoded:x?}, byte by byte");
    }
}

#[test]
fn a_body_that_decodes_to_more_than_the_limit_is_refused() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let zeros = vec![0; 1 << 20];
    for _ in 0..4 {
        encoder.write_all(&zeros).expect("memory takes everything");
    }
    let member = encoder.finish().expect("memory takes everything");
    let mut decoder = Decoder::default();
    decoder.begin(Coding::Gzip);
    decoder.decoded_bytes = MAX_DECODED_BYTES - (4 << 20);
    assert_eq!(decoder.feed(&member, |_| ()), Ok(()));
    assert_eq!(decoder.feed(&member, |_| ()), Err(CodingError::TooLong));
}

fn a_body() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..300),
        "[a-e ]{0,400}".prop_map(String::into_bytes),
        (any::<u8>(), 0_usize..100_000).prop_map(|(byte, length)| vec![byte; length]),
    ]
}

proptest! {
    #[test]
    fn pieces_cut_anywhere_decode_to_the_body(
        bodies in prop::collection::vec((a_body(), prop::sample::select(&CODINGS[..])), 1..4),
        cuts in prop::collection::vec(0_usize..300, 0..20),
    ) {
        let mut decoder = Decoder::default();
        for (body, coding) in bodies {
            let encoded = encode(coding, &body);
            prop_assert_eq!(decode_cut(&mut decoder, coding, &encoded, &cuts), Ok(body));
        }
    }

    #[test]
    fn a_body_that_ends_early_is_truncated(
        body in a_body(), coding in prop::sample::select(&CODINGS[..]), cut in any::<prop::sample::Index>(),
    ) {
        let encoded = encode(coding, &body);
        let length = 1 + cut.index(encoded.len());
        let expected = if length == encoded.len() { Ok(body) } else { Err(CodingError::Truncated) };
        prop_assert_eq!(decode(coding, &encoded[..length]), expected);
    }

    #[test]
    fn any_bytes_end_as_a_body_or_as_an_error_wherever_they_are_cut(
        body in a_body(),
        coding in prop::sample::select(&CODINGS[..]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        garbage in prop::collection::vec(any::<u8>(), 0..40),
        cuts in prop::collection::vec(0_usize..300, 0..20),
    ) {
        let mut encoded = encode(coding, &body);
        for (place, byte) in changes {
            let place = place.index(encoded.len());
            encoded[place] = byte;
        }
        encoded.extend_from_slice(&garbage);
        let cut = decode_cut(&mut Decoder::default(), coding, &encoded, &cuts);
        prop_assert_eq!(cut, decode(coding, &encoded));
    }

    #[test]
    fn garbage_of_any_kind_ends(
        garbage in prop::collection::vec(any::<u8>(), 0..400),
        coding in prop::sample::select(&CODINGS[..]),
    ) {
        let _ = decode(coding, &garbage);
        // Behind a header that is sound.
        let _ = decode(coding, &[&gzip(b"")[..10], &garbage].concat());
    }
}
