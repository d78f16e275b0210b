//! A share of a load: one of several that each engine can offer something of.

use super::{PlanError, wrong};
use crate::plan::{Plan, most_parts};

/// As many engines as anybody has machines for; far fewer than the parts of a load that needs them.
const MOST_SHARES: u64 = 256;

/// Checks which share of the load it is; a plan without one passes.
///
/// # Errors
/// Names the first key that is wrong.
pub(super) fn check(plan: &Plan) -> Result<(), PlanError> {
    let Some(share) = plan.share else {
        return Ok(());
    };
    if !(1..=MOST_SHARES).contains(&share.of) {
        let message = format!("must be between 1 and {MOST_SHARES}");
        return Err(wrong("share.of", message));
    }
    if share.index >= share.of {
        let message = format!("must be below share.of, which is {}", share.of);
        return Err(wrong("share.index", message));
    }
    let most = most_parts(plan);
    if share.of > most {
        let message = format!(
            "must be at most {most}, so that every engine has a connection of each group with a rate, \
             one in all, and a request to offer; take fewer engines or more connections"
        );
        return Err(wrong("share.of", message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::plan::check::read;
    use serde_json::{Value, json};

    fn plan(share: &Value) -> Value {
        json!({
            "plan_version": 3, "target": {"address": "127.0.0.1:9090", "host": "h"},
            "protocol": "h1c", "seed": 1, "duration_ns": 1, "connect_timeout_ns": 1, "timeout_ns": 1,
            "grace_ns": 0, "share": share,
            "groups": [{"group": "callers",
                "arrivals": {"users": {"stages": [{"from": 3.0, "to": 3.0, "duration_ns": 1}]}},
                "operations": [{"operation": "get", "cell": "get", "method": "GET", "path": ["/"]}],
                "session": [{"send": {"operation": 0}}]}],
        })
    }

    fn refusal(plan: &Value) -> String {
        let refused = read(&plan.to_string());
        refused.expect_err("must be refused").to_string()
    }

    #[test]
    fn a_share_of_as_many_as_there_are_connections_is_taken() {
        for share in [
            json!(null),
            json!({"index": 0, "of": 1}),
            json!({"index": 2, "of": 3}),
        ] {
            assert!(read(&plan(&share).to_string()).is_ok(), "{share}");
        }
    }

    #[test]
    fn a_share_that_is_none_is_refused_by_its_key() {
        for (share, expected) in [
            (json!({"index": 0, "of": 0}), "share.of: must be between 1"),
            (
                json!({"index": 0, "of": 257}),
                "share.of: must be between 1",
            ),
            (
                json!({"index": 2, "of": 2}),
                "share.index: must be below share.of, which is 2",
            ),
            (json!({"index": 0, "of": 4}), "share.of: must be at most 3"),
            (json!({"index": -1, "of": 1}), "invalid value"),
            (json!({"index": 0}), "missing field `of`"),
        ] {
            let message = refusal(&plan(&share));
            assert!(message.contains(expected), "{share}: {message}");
        }
    }

    #[test]
    fn every_engine_has_a_connection_of_each_rate_and_a_request_of_a_count() {
        let mut counted = plan(&json!({"index": 0, "of": 3}));
        counted["count"] = json!(2);
        assert!(refusal(&counted).contains("share.of: must be at most 2"));
        let mut rated = plan(&json!({"index": 0, "of": 3}));
        rated["groups"][0]["arrivals"] = json!({"rate":
            {"stages": [{"from": 9.0, "to": 9.0, "duration_ns": 1}], "connections": 1, "sessions": 1}});
        assert!(refusal(&rated).contains("share.of: must be at most 1"));
    }
}
