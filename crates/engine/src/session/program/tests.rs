//! Programs against a plain interpreter of the nested steps.

use super::*;
use crate::plan::session_format::Expression;
use crate::session::occasion::tests::OCCASION;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

fn nodes(nodes: &Json) -> Vec<Node> {
    serde_json::from_value(nodes.clone()).expect("are steps")
}

fn program(once: &Json, session: &Json) -> Program {
    Program::new(&nodes(once), &nodes(session)).expect("can be performed")
}

fn send(operation: usize) -> Json {
    json!({"send": {"operation": operation}})
}

/// The operations that are sent with their turns, from there to the end.
fn performed(program: &Program, mut cursor: Cursor, values: &Values) -> Vec<(usize, u64)> {
    let mut performed = Vec::new();
    loop {
        match program.next(&mut cursor, values, &OCCASION) {
            Next::Send(step) => {
                performed.push((step.operation, cursor.turned(&OCCASION).turn));
            }
            Next::Skip(_) => {}
            other => {
                assert_eq!(other, Next::End);
                assert_eq!(program.next(&mut cursor, values, &OCCASION), Next::End);
                return performed;
            }
        }
    }
}

fn walked(program: &Program, cursor: Cursor, values: &Values) -> (Vec<usize>, bool) {
    let mut walked = Vec::new();
    let is_whole = program.walk(cursor, values, &OCCASION, |step| {
        walked.push(step.operation);
    });
    (walked, is_whole)
}

#[test]
fn steps_come_in_their_order_with_their_pauses() {
    let once = json!([send(9)]);
    let session = json!([
        {"send": {"operation": 4, "think": {"constant_ns": 5}}},
        {"send": {"operation": 4, "when": 1}},
    ]);
    let program = program(&once, &session);
    assert_eq!(program.steps, 3);
    let (mut values, once) = (Values::new(2), program.once().expect("there is one"));
    assert_eq!(performed(&program, once, &values), [(9, 0)]);
    let mut cursor = program.session();
    let Next::Send(first) = program.next(&mut cursor, &values, &OCCASION) else {
        panic!("is sent");
    };
    assert_eq!((first.number, first.think), (1, Some(Think::ConstantNs(5))));
    let mut again = cursor;
    let next = program.next(&mut cursor, &values, &OCCASION);
    assert!(matches!(next, Next::Skip(Step { number: 2, .. })));
    values.set_text(1, b"", false).expect("fits");
    let next = program.next(&mut again.clone(), &values, &OCCASION);
    assert!(matches!(next, Next::Skip(_)));
    values.set_integer(1, 0);
    let next = program.next(&mut again, &values, &OCCASION);
    assert!(matches!(next, Next::Send(Step { number: 2, .. })));
    assert_eq!(
        walked(&program, once, &Values::new(2)),
        (vec![9, 4, 4], true)
    );
    assert!(
        Program::new(&[], &nodes(&session))
            .expect("is fine")
            .once()
            .is_none()
    );
}

#[test]
fn turns_count_from_0_and_stand_in_each_other() {
    let inner = json!({"repeat": {"times": {"integer": ["turn", 1, "+"]}, "steps": [send(1)]}});
    let outer = json!({"repeat": {"times": {"value": 0}, "steps": [send(0), inner]}});
    let program = program(&json!([]), &json!([outer, send(2)]));
    let mut values = Values::new(1);
    values.set_integer(0, 2);
    let expected = [(0, 0), (1, 0), (0, 1), (1, 0), (1, 1), (2, 0)];
    assert_eq!(performed(&program, program.session(), &values), expected);
    values.set_text(0, b"0", true).expect("fits");
    assert_eq!(performed(&program, program.session(), &values), [(2, 0)]);
}

#[test]
fn draws_in_turns_of_turns_differ() {
    let inner = json!({"repeat": {"times": {"integer": [3]}, "steps": [send(0)]}});
    let program = program(
        &json!([]),
        &json!([{"repeat": {"times": {"integer": [3]}, "steps": [inner]}}]),
    );
    let (mut cursor, values) = (program.session(), Values::new(0));
    let mut turns = Vec::new();
    while let Next::Send(_) = program.next(&mut cursor, &values, &OCCASION) {
        let occasion = cursor.turned(&OCCASION);
        turns.push((occasion.turn, occasion.draw_turn));
    }
    let expected = [0, 1, 2, 1_000, 1_001, 1_002, 2_000, 2_001, 2_002];
    assert_eq!(turns, expected.map(|turn| (turn % 1_000, turn)));
}

#[test]
fn what_cannot_be_repeated_is_not_sent() {
    let inner = json!({"repeat": {"times": {"value": 0}, "steps": [
        {"choose": {"draw": 0, "alternatives": [{"weight": 1, "steps": []}]}}, send(1)]}});
    let outer = json!({"repeat": {"times": {"integer": [1_000]}, "steps": [inner]}});
    let program = program(&json!([]), &json!([outer, send(2)]));
    let mut values = Values::new(1);
    let mut first = |value: Option<i64>| {
        values.forget(0);
        if let Some(value) = value {
            values.set_integer(0, value);
        }
        let mut cursor = program.session();
        let next = program.next(&mut cursor, &values, &OCCASION);
        (
            matches!(
                next,
                Next::Unsendable(Step { operation: 1, .. }, Unsendable::Repeat)
            ),
            cursor,
        )
    };
    for value in [None, Some(-1), Some(101), Some(1_001), Some(i64::MAX)] {
        assert!(first(value).0, "{value:?}");
    }
    assert!(!first(Some(100)).0);
    let (_, mut cursor) = first(None);
    let next = program.next(&mut cursor, &Values::new(1), &OCCASION);
    assert!(matches!(next, Next::Unsendable(..)), "in the next turn");
}

#[test]
fn a_walk_has_an_end() {
    let repeat = |steps: Json| json!({"repeat": {"times": {"integer": [1_000]}, "steps": steps}});
    let long =
        json!([{"repeat": {"times": {"integer": [100]}, "steps": [repeat(json!([send(0)]))]}}]);
    let values = Values::new(0);
    let at_bound = program(&json!([]), &long);
    let (steps, is_whole) = walked(&at_bound, at_bound.session(), &values);
    assert_eq!((steps.len(), is_whole), (MOST_WALKED, false));
    let idle = json!({"choose": {"draw": 0, "alternatives": [
        {"weight": 1, "steps": []}, {"weight": 0, "steps": [send(0)]}]}});
    let idle = program(
        &json!([]),
        &json!([repeat(json!([repeat(json!([repeat(json!([idle]))]))]))]),
    );
    assert!(walked(&idle, idle.session(), &values).1);
}

#[test]
fn what_cannot_be_performed_is_refused() {
    let repeat = |steps: Json| json!([{"repeat": {"times": {"integer": [1]}, "steps": steps}}]);
    let refusal = |session: &Json| Program::new(&[], &nodes(session)).expect_err("is refused");
    let nested = (0..=MOST_NESTED).fold(json!([send(0)]), |steps, _| repeat(steps));
    assert_eq!(refusal(&nested), ProgramError::Nested);
    let none = json!([{"choose": {"draw": 0, "alternatives": [{"weight": 0, "steps": []}]}}]);
    assert_eq!(refusal(&none), ProgramError::Weights);
    assert_eq!(
        refusal(&json!([{"choose": {"draw": 0, "alternatives": []}}])),
        ProgramError::Weights
    );
    let times = json!([{"repeat": {"times": {"integer": ["+"]}, "steps": [send(0)]}}]);
    assert_eq!(refusal(&times), ProgramError::Times(IntegerError::Terms));
}

#[test]
fn alternatives_are_chosen_by_their_weight() {
    let program = program(
        &json!([]),
        &json!([{"choose": {"draw": 1, "alternatives": [
            {"weight": 80, "steps": [send(0)]}, {"weight": 0, "steps": [send(1)]},
            {"weight": 20, "steps": [send(2), send(2)]}]}}]),
    );
    let mut counts = [0_u32; 3];
    for session_number in 0..100_000 {
        let occasion = Occasion {
            session_number,
            ..OCCASION
        };
        let next = program.next(&mut program.session(), &Values::new(0), &occasion);
        let Next::Send(step) = next else {
            panic!("one is always sent");
        };
        counts[step.operation] += 1;
    }
    // Four standard errors are 506.
    assert!(
        counts[0].abs_diff(80_000) < 506 && counts[1] == 0,
        "{counts:?}"
    );
}

/// What the nested steps come to, as they stand.
fn interpreted(nodes: &[Node], turns: &[u64], values: &Values, all: &mut Vec<(usize, u64, bool)>) {
    let occasion = Occasion {
        turn: turns.last().copied().unwrap_or(0),
        draw_turn: turns.iter().fold(0, |outer, turn| outer * 1_000 + turn),
        ..OCCASION
    };
    for node in nodes {
        match node {
            Node::Send(node) => {
                let is_there = |index| values.get(index, &[]).is_some();
                all.push((
                    node.operation,
                    occasion.turn,
                    node.when.is_none_or(is_there),
                ));
            }
            Node::Choose(node) => {
                let weights = node.alternatives.iter().map(|one| u64::from(one.weight));
                let bits = occasion.draw(Purpose::Choose, node.draw);
                let mut roll = below(bits, weights.sum());
                for alternative in &node.alternatives {
                    let weight = u64::from(alternative.weight);
                    if roll < weight {
                        interpreted(&alternative.steps, turns, values, all);
                        break;
                    }
                    roll -= weight;
                }
            }
            Node::Repeat(node) => {
                let times = match &node.times {
                    Expression::Value(1) => 2,
                    Expression::Turn => occasion.turn,
                    other => panic!("{other:?} is not drawn here"),
                };
                for turn in 0..times {
                    interpreted(&node.steps, &[turns, &[turn]].concat(), values, all);
                }
            }
        }
    }
}

fn any_nodes() -> impl Strategy<Value = Vec<Node>> {
    let when = prop::sample::select(vec![None, Some(0), Some(1)]);
    let send = (0..5_usize, when).prop_map(|(operation, when)| {
        Node::Send(SendNode {
            operation,
            think: None,
            when,
        })
    });
    let node = send.prop_recursive(4, 24, 3, |inner| {
        let steps = prop::collection::vec(inner, 0..3);
        let alternative = (1..5_u32, steps.clone())
            .prop_map(|(weight, steps)| crate::plan::session_format::Alternative { weight, steps });
        let choose = (0..3_u32, prop::collection::vec(alternative, 1..4))
            .prop_map(|(draw, alternatives)| Node::Choose(ChooseNode { draw, alternatives }));
        let times = prop::sample::select(vec![Expression::Value(1), Expression::Turn]);
        let repeat =
            (times, steps).prop_map(|(times, steps)| Node::Repeat(RepeatNode { times, steps }));
        prop_oneof![choose, repeat]
    });
    prop::collection::vec(node, 0..4)
}

proptest! {
    #[test]
    fn a_program_does_what_its_steps_say(
        once in any_nodes(), session in any_nodes(), leaves_after in 0..20_usize,
    ) {
        let program = Program::new(&once, &session).expect("can be performed");
        let mut values = Values::new(2);
        values.set_integer(1, 2);
        let (mut of_once, mut of_session) = (Vec::new(), Vec::new());
        interpreted(&once, &[], &values, &mut of_once);
        interpreted(&session, &[], &values, &mut of_session);
        let sent = |all: &[(usize, u64, bool)]| -> Vec<(usize, u64)> {
            let sent = all.iter().filter(|one| one.2);
            sent.map(|one| (one.0, one.1)).collect()
        };
        prop_assert_eq!(performed(&program, program.session(), &values), sent(&of_session));
        let Some(mut cursor) = program.once() else {
            prop_assert!(of_once.is_empty());
            return Ok(());
        };
        prop_assert_eq!(performed(&program, cursor, &values), sent(&of_once));
        // What is performed and what is walked come to the whole path.
        let mut path = Vec::new();
        for _ in 0..leaves_after {
            match program.next(&mut cursor, &values, &OCCASION) {
                Next::Send(step) | Next::Skip(step) => path.push(step.operation),
                Next::Unsendable(..) => prop_assert!(false, "all can be sent"),
                Next::End => break,
            }
        }
        let is_whole = program.walk(cursor, &values, &OCCASION, |step| path.push(step.operation));
        let whole = [of_once, of_session].concat();
        prop_assert_eq!(path, whole.iter().map(|one| one.0).collect::<Vec<_>>());
        prop_assert!(is_whole);
    }
}
