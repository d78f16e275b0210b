//! Plans: whatever is accepted goes to loopback or to a listed address, reads back as it was, and
//! is written as exactly the request that it says, as a parser of others reads it.
//!
//! Input: the plan's text.

#![no_main]

use httparse::{EMPTY_HEADER, Request, Status};
use libfuzzer_sys::fuzz_target;
use loadstone_engine::fuzzing::{RequestMaker, read_plan};

fuzz_target!(|input: &str| {
    let Ok((plan, address)) = read_plan(input) else {
        return;
    };
    assert!(address.ip().is_loopback() || !plan.allowed_addresses.is_empty());
    let text = serde_json::to_string(&plan).expect("a plan is JSON");
    assert!(read_plan(&text).is_ok(), "refused when read again");

    let mut maker = RequestMaker::new(&plan);
    for operation in &plan.groups[0].session {
        let request = maker.make(operation);
        if request.http1.bytes.is_empty() {
            assert_eq!(request.http2.body, operation.body.as_bytes());
            continue;
        }
        let mut headers = vec![EMPTY_HEADER; operation.headers.len() + 3];
        let mut parsed = Request::new(&mut headers);
        let Ok(Status::Complete(head_bytes)) = parsed.parse(&request.http1.bytes) else {
            panic!("not a whole request");
        };
        assert_eq!(parsed.method, Some(operation.method.as_str()));
        assert_eq!(parsed.path, Some(operation.path.as_str()));
        assert_eq!(
            &request.http1.bytes[head_bytes..],
            operation.body.as_bytes()
        );
        let of = |name: &str| {
            let named = parsed.headers.iter();
            named
                .filter(|header| header.name.eq_ignore_ascii_case(name))
                .map(|header| header.value)
                .collect::<Vec<_>>()
        };
        assert_eq!(of("host"), [plan.target.host.as_bytes()]);
        assert!(of("transfer-encoding").is_empty());
        let length = operation.body.len().to_string();
        let lengths = of("content-length");
        let is_needed = !operation.body.is_empty();
        assert!(lengths == [length.as_bytes()] || (lengths.is_empty() && !is_needed));
    }
});
