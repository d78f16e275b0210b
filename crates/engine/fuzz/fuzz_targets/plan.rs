//! Plans: whatever is accepted goes to loopback or to a listed address, reads back as it was, and
//! is written as exactly the request that it says, as a parser of others reads it.
//!
//! Input: the plan's text.

#![no_main]

use httparse::{EMPTY_HEADER, Request, Status};
use libfuzzer_sys::fuzz_target;
use loadstone_engine::fuzzing::{Operation, Piece, Plan, RequestMaker, Written, read_plan};

fuzz_target!(|input: &str| {
    let Ok((plan, address)) = read_plan(input) else {
        return;
    };
    assert!(address.ip().is_loopback() || !plan.allowed_addresses.is_empty());
    let text = serde_json::to_string(&plan).expect("a plan is JSON");
    assert!(read_plan(&text).is_ok(), "refused when read again");

    let mut maker = RequestMaker::new(&plan);
    for group in &plan.groups {
        for operation in &group.operations {
            let request = maker.make(group, operation, 0).expect("a checked plan");
            if let Some(written) = &request.constant {
                check(&plan, operation, written);
            }
        }
    }
});

/// The text, which is always the same.
fn text(pieces: &[Piece]) -> String {
    let texts = pieces.iter().map(|piece| match piece {
        Piece::Literal(text) => text.as_str(),
        Piece::Placed(_) => panic!("is not constant"),
    });
    texts.collect()
}

fn check(plan: &Plan, operation: &Operation, written: &Written) {
    let body = text(&operation.body);
    if written.http1.bytes.is_empty() {
        assert_eq!(written.http2.body, body.as_bytes());
        return;
    }
    let mut headers = vec![EMPTY_HEADER; operation.headers.len() + 3];
    let mut parsed = Request::new(&mut headers);
    let Ok(Status::Complete(head_bytes)) = parsed.parse(&written.http1.bytes) else {
        panic!("not a whole request");
    };
    assert_eq!(parsed.method, Some(operation.method.as_str()));
    assert_eq!(parsed.path, Some(text(&operation.path).as_str()));
    assert_eq!(&written.http1.bytes[head_bytes..], body.as_bytes());
    let of = |name: &str| {
        let named = parsed.headers.iter();
        named
            .filter(|header| header.name.eq_ignore_ascii_case(name))
            .map(|header| header.value)
            .collect::<Vec<_>>()
    };
    assert_eq!(of("host"), [plan.target.host.as_bytes()]);
    assert!(of("transfer-encoding").is_empty());
    let length = body.len().to_string();
    let lengths = of("content-length");
    assert!(lengths == [length.as_bytes()] || (lengths.is_empty() && body.is_empty()));
}
