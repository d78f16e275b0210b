//! What each user got, which bodies answers had, and what their values must be.

mod common;

use common::load::{Load, MS};
use common::server::{Server, Then};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

fn answer(body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes()
}

/// Answers with what is made of the number of the request.
fn numbered(body: impl Fn(u64) -> String + Send + Sync + 'static) -> Server {
    let requests = AtomicU64::new(0);
    Server::start(move |stream, _| {
        let number = requests.fetch_add(1, Ordering::Relaxed);
        match stream.write_all(&answer(&body(number))) {
            Ok(()) => Then::Keep,
            Err(_) => Then::Close,
        }
    })
}

#[test]
fn the_file_of_users_adds_up_to_the_answers_and_the_summary_has_their_spread() {
    let server = numbered(|_| "same".to_owned());
    let ended = Load::to(server.address).users(3).count(300).run();
    let text = fs::read_to_string(ended.folder.path().join("users.json")).expect("is written");
    let users: Value = serde_json::from_str(&text).expect("is JSON");
    assert_eq!(users["user"], json!([0, 1, 2]));
    assert_eq!(users["every"], 1);
    assert_eq!(
        (&users["groups"], &users["group"]),
        (&json!(["callers"]), &json!([0, 0, 0]))
    );
    let sum = |column: &str| -> f64 {
        let values = users[column].as_array().expect("is a column");
        values.iter().filter_map(Value::as_f64).sum()
    };
    assert!((sum("answers") - 300.0).abs() < 1e-9);
    let by_user = &ended.summary()["by_user"];
    assert_eq!(
        (&by_user["users"], &by_user["answered"]),
        (&json!(3), &json!(3))
    );
    assert_eq!(by_user["from_ns"], 0);
    assert!(by_user["answers"]["min"].as_f64() <= Some(100.0));
    let means = &by_user["mean_service_time_ns"];
    assert!(means["min"].as_f64() <= means["median"].as_f64());
}

#[test]
fn answers_before_the_time_from_which_users_are_counted_are_left_out() {
    let server = numbered(|_| "same".to_owned());
    let load = Load::to(server.address).rate(100.0, 2).milliseconds(1_000);
    let ended = load.set("users_from_ns", json!(600 * MS)).run();
    let answers = &ended.summary()["by_user"]["answers"];
    // Of a hundred requests, those that were due in the last 400 ms, and one that was under way.
    let most = answers["max"].as_f64().expect("some answered");
    assert!((10.0..=41.0).contains(&most), "{answers}");
}

#[test]
fn bodies_are_counted_by_what_they_are_only_where_that_is_asked_for() {
    let body = |number| if number % 50 == 7 { "wrong" } else { "right" };
    let server = numbered(move |number| body(number).to_owned());
    let load = || Load::to(server.address).count(200);
    let plain = load().run();
    assert_eq!(plain.summary()["operations"]["call"].get("answers"), None);
    let ended = load().operation("compare_answers", json!(true)).run();
    let expected = json!({"compared": 200, "usual": 196, "usual_bytes": 5, "others_as_long": 4,
        "all_bytes": 1_000, "kinds": 2});
    assert_eq!(ended.summary()["operations"]["call"]["answers"], expected);
}

#[test]
fn a_body_with_another_value_fails_its_check_and_is_not_compared() {
    let server = numbered(|number| format!("{{\"id\": {}, \"n\": [1.0]}}", number % 4));
    let check = json!({"json": [
        {"pointer": ["n", "0"], "is": {"value": 1}}, {"pointer": ["id"], "is": {"value": 3}}]});
    let load = Load::to(server.address).count(40).operation("check", check);
    let ended = load.operation("compare_answers", json!(true)).run();
    ended.assert_outcomes(&[("check", 30), ("ok", 10)]);
    let samples = &ended.summary()["error_samples"]["check"];
    assert_eq!(samples, &json!(["the body's \"/id\" is not 3"]));
    assert_eq!(ended.summary()["operations"]["call"]["answers"]["kinds"], 1);
}

#[test]
fn each_interval_and_the_summary_tell_how_long_the_threads_waited_for_a_cpu() {
    let server = numbered(|_| "same".to_owned());
    let ended = Load::to(server.address).count(50).run();
    let worker = &ended.summary()["engine"]["workers"][0];
    if worker["waits"].is_null() {
        eprintln!("skipped: this kernel does not count waits");
        return;
    }
    let lines = ended.ndjson("timeline.ndjson");
    let sum = |key: &str| -> u64 {
        lines
            .iter()
            .filter_map(|line| line["waits"][key].as_u64())
            .sum()
    };
    assert_eq!(worker["waits"]["waited_ns"], sum("waited_ns"));
    assert_eq!(worker["waits"]["long_waits"], sum("long_waits"));
    assert!(sum("long_waited_ns") <= sum("waited_ns"));
}
