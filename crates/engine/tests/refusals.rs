//! What the engine refuses to do, and says why, with exit code 2.

mod common;

use common::load::{Load, engine};
use serde_json::json;
use std::fs;
use std::path::Path;

fn refusal(load: Load) -> String {
    let ended = load.start().wait();
    assert_eq!(ended.exit_code, Some(2));
    let [only] = ended.events.as_slice() else {
        panic!("{:?}", ended.events)
    };
    assert_eq!(only["event"], "failed");
    assert!(fs::read_dir(ended.folder.path()).is_ok_and(|mut files| files.next().is_none()));
    only["error"].as_str().expect("is text").to_owned()
}

fn load() -> Load {
    Load::to(([127, 0, 0, 1], 9).into())
}

#[test]
fn a_target_beyond_loopback_is_refused_unless_allowed() {
    let target = json!({"address": "192.0.2.1:80", "host": "example"});
    let error = refusal(load().set("target", target));
    assert!(
        error.contains("target.address: 192.0.2.1:80 is refused"),
        "{error}"
    );
}

#[test]
fn a_wrong_plan_is_refused_with_its_key() {
    for (key, value, expected) in [
        ("surprise", json!(1), "unknown field `surprise`"),
        ("duration_ns", json!(0), "duration_ns: "),
        ("groups", json!([]), "groups: must be between 1 and 32"),
        (
            "plan_version",
            json!(2),
            "plan_version: this engine reads version 3 alone",
        ),
        ("cpus", json!([1023]), "CPU 1023 does not exist"),
        ("protocol", json!("h3"), "unknown variant `h3`"),
    ] {
        let error = refusal(load().set(key, value));
        assert!(error.contains(expected), "{error}");
    }
    let error = refusal(load().operation("path", json!("/a b")));
    assert!(error.contains("groups[0].operations[0].path: "), "{error}");
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_by_name() {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    let plan = file.path().with_extension("json");
    fs::write(&plan, load().plan.to_string()).expect("is written");
    let output = engine(&["run", "--plan"])
        .arg(&plan)
        .arg("--out")
        .arg(file.path())
        .output();
    fs::remove_file(&plan).expect("is there");
    let output = output.expect("the engine starts");
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains(&format!("cannot write {}", file.path().display())),
        "{stderr}"
    );
}

#[test]
fn a_plan_that_is_not_there_is_refused_by_name() {
    let output = engine(&["run", "--plan", "/nowhere/plan.json", "--out", "/nowhere"]).output();
    let output = output.expect("the engine starts");
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains("cannot read the plan /nowhere/plan.json"),
        "{stderr}"
    );
}

#[test]
fn the_committed_schemas_are_fresh() {
    for of in ["plan", "event"] {
        let path = format!("../../schemas/engine-{of}.schema.json");
        let committed = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path));
        let printed = engine(&["schema", of])
            .output()
            .expect("the engine starts")
            .stdout;
        let printed = String::from_utf8(printed).expect("is text");
        assert_eq!(
            committed.expect("is committed"),
            printed,
            "run `make generate`"
        );
    }
}
