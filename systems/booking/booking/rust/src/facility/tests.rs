//! What is a facility, and what its hours allow.

use super::*;

/// One that is open from 06:00 to 22:00.
pub fn facility(slot_minutes: i16) -> Facility {
    Facility {
        id: 1,
        club_id: 1,
        name: "Court".to_owned(),
        sport: "tennis".to_owned(),
        slot_minutes,
        opens: 360,
        closes: 1320,
        price_cents: 1000,
        retired: false,
        created_at: at("2026-01-01T00:00:00Z"),
    }
}

/// An instant that a test needs.
pub fn at(text: &str) -> Instant {
    instant::read(text).expect("an instant")
}

fn read(body: &str) -> Result<NewFacility, Vec<(&'static str, Code)>> {
    let members = Members::parse(body.as_bytes()).expect("an object");
    NewFacility::read(members).map_err(|problem| {
        let faults = problem.faults.iter();
        faults.map(|fault| (fault.pointer, fault.code)).collect()
    })
}

fn with_hours(slot_minutes: &str, opens: &str, closes: &str) -> String {
    format!(
        r#"{{"name":"n","sport":"padel","slot_minutes":{slot_minutes},"opens":{opens},"closes":{closes},"price_cents":0}}"#
    )
}

#[test]
fn a_facility_is_read() {
    let expected = NewFacility {
        name: "n".to_owned(),
        sport: "padel",
        slot_minutes: 90,
        opens: 0,
        closes: 1440,
        price_cents: 0,
    };
    assert_eq!(read(&with_hours("90", "0", "1440")), Ok(expected));
}

#[test]
fn hours_are_whole_slots() {
    for (slot_minutes, opens, closes, faults) in [
        ("60", "600", "600", [("/closes", "range")]),
        ("60", "600", "540", [("/closes", "range")]),
        ("60", "600", "690", [("/closes", "not-aligned")]),
        ("60", "600", "630", [("/closes", "not-aligned")]),
        ("45", "600", "600", [("/slot_minutes", "unknown-value")]),
        ("60", "-1", "600", [("/opens", "range")]),
        ("60", "600", "1441", [("/closes", "range")]),
        ("60", "600", "\"660\"", [("/closes", "type")]),
    ] {
        let body = with_hours(slot_minutes, opens, closes);
        assert_eq!(read(&body).expect_err("refused"), faults, "{body}");
    }
}

#[test]
fn the_fault_of_the_hours_stands_in_the_order_of_the_members() {
    let body = r#"{"sport":"golf","slot_minutes":30,"opens":2,"closes":1,"price_cents":1000001}"#;
    let faults = [
        ("/name", "required"),
        ("/sport", "unknown-value"),
        ("/closes", "range"),
        ("/price_cents", "range"),
    ];
    assert_eq!(read(body).expect_err("refused"), faults);
}

#[test]
fn slots_end_within_the_hours() {
    let hour = facility(60);
    for (start, slots, end) in [
        ("2040-03-01T06:00:00Z", 1, "2040-03-01T07:00:00Z"),
        ("2040-03-01T18:00:00Z", 4, "2040-03-01T22:00:00Z"),
    ] {
        assert_eq!(hour.end_of(at(start), slots), Ok(at(end)), "{start}");
    }
    for (start, slots, code) in [
        ("2040-03-01T05:59:59Z", 1, "outside-hours"),
        ("2040-03-01T05:00:00Z", 1, "outside-hours"),
        ("2040-03-01T21:00:00Z", 2, "outside-hours"),
        ("2040-03-01T21:00:00.1Z", 1, "outside-hours"),
        ("2040-03-01T23:30:00Z", 1, "outside-hours"),
        ("2040-03-01T06:30:00Z", 1, "not-aligned"),
        ("2040-03-01T06:00:01Z", 1, "not-aligned"),
        ("2040-03-01T06:00:00.0000000001Z", 1, "not-aligned"),
    ] {
        assert_eq!(hour.end_of(at(start), slots), Err(code), "{start}");
    }
}

#[test]
fn the_last_slot_may_end_at_midnight() {
    let mut late = facility(90);
    (late.opens, late.closes) = (0, 1440);
    let end = late.end_of(at("2040-03-01T22:30:00Z"), 1);
    assert_eq!(end, Ok(at("2040-03-02T00:00:00Z")));
    let end = late.end_of(at("2040-03-01T22:30:00Z"), 2);
    assert_eq!(end, Err("outside-hours"));
}
