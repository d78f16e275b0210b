//! What stands in the files and on stdout.

mod common;

use base64::Engine;
use common::load::{Load, MS, histograms};
use common::server::{Server, Then};
use serde_json::json;

fn server() -> Server {
    Server::answering(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n0123456789",
        || Then::Keep,
    )
}

#[test]
fn the_histograms_and_the_exact_extremes_agree() {
    let server = server();
    let ended = Load::to(server.address)
        .rate(500.0, 4)
        .milliseconds(1_200)
        .run();
    ended.assert_outcomes(&[("ok", 600)]);
    let by_tag = histograms(ended.folder.path());
    let tags: Vec<&str> = by_tag.keys().map(String::as_str).collect();
    assert_eq!(
        tags,
        [
            "call/engine_lag/ok",
            "call/first_byte/ok",
            "call/lag/ok",
            "call/response_time/ok",
            "call/service_time/ok",
            "callers/session_duration/ok",
            "connect/ok"
        ]
    );
    let histogram = &by_tag["call/response_time/ok"];
    assert_eq!(
        (histogram.low(), histogram.high()),
        (1_000, 3_600_000_000_000)
    );
    let max_ns = ended.clock("response_time", "ok")["max_ns"]
        .as_u64()
        .expect("is there");
    assert!(histogram.equivalent(histogram.max(), max_ns));
}

#[test]
fn at_least_one_response_a_second_is_kept_and_cut_to_size() {
    let server = server();
    let samples = json!({"per_second": 1, "body_bytes": 4});
    let load = Load::to(server.address).rate(50.0, 2).milliseconds(2_000);
    let ended = load.set("samples", samples).run();
    // The grace has a sample of its own, of an answer that came after the end.
    let samples: Vec<_> = ended
        .ndjson("samples.ndjson")
        .into_iter()
        .filter(|sample| sample["at_ns"].as_u64() < Some(2_000 * MS))
        .collect();
    assert_eq!(samples.len(), 2);
    let encoded = base64::engine::general_purpose::STANDARD.encode("0123");
    for (second, sample) in (0..).zip(&samples) {
        assert_eq!(sample["operation"], "call");
        assert_eq!(
            (&sample["group"], &sample["step"]),
            (&json!("callers"), &json!(0))
        );
        assert_eq!(
            sample["at_ns"].as_u64().map(|at_ns| at_ns / (1_000 * MS)),
            Some(second)
        );
        assert_eq!(sample["status"], 200);
        assert_eq!(sample["headers"][0], json!(["Content-Type", "text/plain"]));
        assert_eq!(sample["body"], encoded);
        assert_eq!(
            (&sample["body_bytes"], &sample["truncated"]),
            (&json!(10), &json!(true))
        );
    }
}

#[test]
fn stdout_tells_start_progress_and_summary() {
    let server = server();
    let ended = Load::to(server.address)
        .set("event_loop", json!("epoll"))
        .rate(100.0, 2)
        .milliseconds(1_500)
        .run();
    let kinds: Vec<_> = ended
        .events
        .iter()
        .filter_map(|event| event["event"].as_str())
        .collect();
    assert_eq!(kinds, ["started", "progress", "progress", "finished"]);
    let (first, last) = (&ended.events[1], &ended.events[2]);
    assert_eq!(first["elapsed_ns"], 1_000 * MS);
    assert_eq!(
        (&last["elapsed_ns"], &last["offered"]),
        (&json!(1_500 * MS), &json!(150))
    );
    assert!(first["response_time_p50_ns"].as_u64() > Some(0));
    assert_eq!(ended.summary()["engine"]["loop"], "epoll");
}

#[test]
fn steps_of_a_session_are_recorded_by_operation() {
    let server = server();
    let steps = [
        json!({"operation": "first", "path": "/1"}),
        json!({"operation": "second", "path": "/2"}),
    ];
    let load = Load::to(server.address).users(1).count(20);
    let ended = load.steps(&steps).run();
    ended.assert_outcomes(&[("ok", 20)]);
    let ok = |name: &str| ended.summary()["operations"][name]["outcomes"]["ok"].as_u64();
    assert_eq!((ok("first"), ok("second")), (Some(10), Some(10)));
}
