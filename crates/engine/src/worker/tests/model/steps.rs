//! What a plan's JSON says of groups and steps as a whole.

use serde_json::Value;

/// How many users a group has at most.
pub fn users(group: &Value) -> u64 {
    let stages = group["arrivals"]["users"]["stages"]
        .as_array()
        .expect("a list");
    let ends = stages
        .iter()
        .flat_map(|stage| [&stage["from"], &stage["to"]]);
    ends.filter_map(Value::as_u64)
        .max()
        .expect("there are some")
}

/// How many sends stand in these steps.
pub fn sends(nodes: &Value) -> u16 {
    let nodes = nodes.as_array().map_or(&[][..], Vec::as_slice).iter();
    let of_node = |node: &Value| match () {
        () if node["send"].is_object() => 1,
        () if node["repeat"].is_object() => sends(&node["repeat"]["steps"]),
        () => {
            let alternatives = node["choose"]["alternatives"].as_array().expect("a list");
            alternatives.iter().map(|one| sends(&one["steps"])).sum()
        }
    };
    nodes.map(of_node).sum()
}

/// The first send that stands in these steps.
pub fn first_send(nodes: &Value) -> Option<&Value> {
    nodes.as_array()?.iter().find_map(|node| match () {
        () if node["send"].is_object() => Some(&node["send"]),
        () if node["repeat"].is_object() => first_send(&node["repeat"]["steps"]),
        () => {
            let alternatives = node["choose"]["alternatives"].as_array()?;
            alternatives
                .iter()
                .find_map(|one| first_send(&one["steps"]))
        }
    })
}
