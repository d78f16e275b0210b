//! A warm-up: nobody knows beforehand when its window begins, so it must be one load at any time.

use super::arrivals::check_whole_seconds;
use super::{PlanError, wrong};
use crate::plan::{Arrivals, Plan, Stage, is_same};

/// Checks what a plan with a warm-up must be; any plan without one passes.
///
/// # Errors
/// Names the first key that is wrong.
pub(super) fn check(plan: &Plan) -> Result<(), PlanError> {
    let Some(warm_up) = &plan.warm_up else {
        return Ok(());
    };
    // The window begins with an interval, so that the records can be cut there.
    check_whole_seconds("warm_up.at_most_ns", warm_up.at_most_ns)?;
    if plan.count.is_some() {
        let message = "cannot stop a load with a warm_up, whose window lasts duration_ns; leave one \
                       of the two out";
        return Err(wrong("count", message));
    }
    if plan.users_from_ns != 0 {
        let message = "must be 0 with a warm_up: users are counted from the begin of its window on";
        return Err(wrong("users_from_ns", message));
    }
    for (index, group) in plan.groups.iter().enumerate() {
        let (kind, stages) = match &group.arrivals {
            Arrivals::Users(users) => ("users", &users.stages),
            Arrivals::Rate(rate) => ("rate", &rate.stages),
        };
        let key = format!("groups[{index}].arrivals.{kind}.stages");
        check_end(&key, group.start_ns, stages, warm_up.at_most_ns)?;
    }
    Ok(())
}

/// The last stage must be level, and the window may not begin before it.
fn check_end(key: &str, start_ns: u64, stages: &[Stage], at_most_ns: u64) -> Result<(), PlanError> {
    let Some((last, before)) = stages.split_last() else {
        return Ok(());
    };
    let key = format!("{key}[{}]", before.len());
    if !is_same(last.from, last.to) || last.to <= 0.0 {
        let message = "must be constant and above 0, since after a warm_up the window may begin at \
                       any time; add a stage that goes from the last value to the same value";
        return Err(wrong(key, message));
    }
    let before_ns: u64 = before.iter().map(|stage| stage.duration_ns).sum();
    let begins_ns = start_ns + before_ns;
    if begins_ns > at_most_ns {
        let message = format!(
            "begins after {begins_ns} ns, and the window after warm_up.at_most_ns at the latest, \
             when the load would not be constant yet; shorten the stages before or raise at_most_ns"
        );
        return Err(wrong(key, message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::plan::check::read;
    use serde_json::{Value, json};

    const SECOND_NS: u64 = 1_000_000_000;

    /// What becomes of a plan with a warm-up of 2 s: an empty text, or the refusal.
    fn verdict(stages: &Value, changes: &Value) -> String {
        let mut plan = json!({
            "plan_version": 3, "target": {"address": "127.0.0.1:9090", "host": "h"},
            "protocol": "h1c", "seed": 1, "duration_ns": 1, "connect_timeout_ns": 1,
            "timeout_ns": 1, "grace_ns": 0, "warm_up": {"at_most_ns": 2 * SECOND_NS},
            "groups": [{"group": "callers", "arrivals": {"users": {"stages": stages}},
                "operations": [{"operation": "get", "cell": "get", "method": "GET", "path": ["/"]}],
                "session": [{"send": {"operation": 0}}]}],
        });
        for (key, value) in changes.as_object().expect("is an object") {
            plan[key] = value.clone();
        }
        let refusal = read(&plan.to_string()).err();
        refusal.map_or_else(String::new, |error| error.to_string())
    }

    fn stage(from: f64, to: f64, seconds: u64) -> Value {
        json!({"from": from, "to": to, "duration_ns": seconds * SECOND_NS})
    }

    #[test]
    fn a_warm_up_takes_whole_seconds_and_no_count() {
        for (changes, expected) in [
            (
                json!({"warm_up": {"at_most_ns": 0}}),
                "warm_up.at_most_ns: ",
            ),
            (
                json!({"warm_up": {"at_most_ns": SECOND_NS + 1}}),
                "warm_up.at_most_ns: must be whole seconds",
            ),
            (json!({"warm_up": {}}), "missing field `at_most_ns`"),
            (
                json!({"count": 1}),
                "count: cannot stop a load with a warm_up",
            ),
        ] {
            let message = verdict(&json!([stage(1.0, 1.0, 1)]), &changes);
            assert!(message.contains(expected), "{expected}: {message}");
        }
    }

    #[test]
    fn every_group_must_have_come_to_a_constant_also_one_that_starts_later() {
        let group = |name: &str, start_s: u64| {
            json!({"group": name, "start_ns": start_s * SECOND_NS,
                "arrivals": {"users": {"stages": [stage(4.0, 4.0, 1)]}},
                "operations": [{"operation": "get", "cell": name, "method": "GET", "path": ["/"]}],
                "session": [{"send": {"operation": 0}}]})
        };
        for (start_s, expected) in [(2, ""), (3, "groups[1].arrivals.users.stages[0]: ")] {
            let groups = json!({"groups": [group("a", 0), group("b", start_s)]});
            let message = verdict(&json!([]), &groups);
            assert!(message.starts_with(expected), "{expected}: {message}");
            assert_eq!(message.is_empty(), expected.is_empty(), "{message}");
        }
    }

    #[test]
    fn the_stages_must_have_come_to_a_constant_when_the_window_begins_at_the_latest() {
        let refused = "groups[0].arrivals.users.stages[1]: ";
        for (stages, expected) in [
            (json!([stage(4.0, 4.0, 1)]), ""),
            (json!([stage(0.0, 4.0, 2), stage(4.0, 4.0, 0)]), ""),
            (json!([stage(0.0, 4.0, 3), stage(4.0, 4.0, 9)]), refused),
            (json!([stage(4.0, 4.0, 1), stage(4.0, 2.0, 1)]), refused),
            (json!([stage(0.0, 4.0, 1), stage(0.0, 0.0, 1)]), refused),
        ] {
            let message = verdict(&stages, &json!({}));
            assert!(message.starts_with(expected), "{expected}: {message}");
            assert_eq!(message.is_empty(), expected.is_empty(), "{message}");
            let without = verdict(&stages, &json!({"warm_up": null}));
            assert_eq!(without, "", "without a warm-up nothing of this is asked");
        }
    }
}
