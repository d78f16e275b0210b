//! The slots of a facility on a day.

use axum::extract::State;
use axum::http::Uri;
use chrono::{Datelike as _, NaiveDate, TimeDelta};
use serde::Serialize;

use crate::answers::{Answered, shown};
use crate::caller::Caller;
use crate::facilities;
use crate::facility::Facility;
use crate::failure::Failure;
use crate::ids::Id;
use crate::instant::{self, Instant};
use crate::problems::Kind;
use crate::query::Query;
use crate::service::Served;
use crate::session::{Parameter, Session};
use crate::work::Work;

const SELECT_TAKEN: &str = "SELECT starts_at, ends_at FROM reservation WHERE facility_id = $1 \
    AND status IN ('pending', 'accepted') \
    AND tstzrange(starts_at, ends_at) && tstzrange($2, $3) ORDER BY starts_at";

#[derive(Serialize)]
struct Day {
    date: String,
    slots: Vec<Slot>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Slot {
    #[serde(serialize_with = "instant::serialize")]
    starts_at: Instant,
    #[serde(serialize_with = "instant::serialize")]
    ends_at: Instant,
    available: bool,
}

/// From when to when somebody is there.
type Taken = (Instant, Instant);

/// A facility, and when somebody is there on a day.
struct Look {
    facility: i64,
    midnight: Instant,
}

/// `list-slots`.
pub async fn list(Id(facility): Id, State(service): Served, _: Caller, uri: Uri) -> Answered {
    let date = Query::of(&uri).read("date", day_of)?;
    let date = date.ok_or(Kind::Malformed)?;
    let midnight = instant::midnight(date);
    let look = Look { facility, midnight };
    let (facility, taken) = service.pool.run(look).await?;
    Ok(shown(Day {
        date: date.to_string(),
        slots: slots_of(&facility, midnight, &taken),
    }))
}

impl Work for Look {
    type Output = (Facility, Vec<Taken>);

    async fn run(&self, session: &mut Session) -> Result<Self::Output, Failure> {
        let facility = facilities::find(session, self.facility).await?;
        let next_midnight = self.midnight + TimeDelta::days(1);
        let parameters: [Parameter<'_>; 3] = [&self.facility, &self.midnight, &next_midnight];
        let rows = session.rows(SELECT_TAKEN, &parameters).await?;
        let taken = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        Ok((facility, taken))
    }
}

/// Each slot of a day in order. The hours are whole slots.
fn slots_of(facility: &Facility, midnight: Instant, taken: &[Taken]) -> Vec<Slot> {
    let length = TimeDelta::minutes(facility.slot_minutes.into());
    let closes = midnight + TimeDelta::minutes(facility.closes.into());
    let first = midnight + TimeDelta::minutes(facility.opens.into());
    let starts = std::iter::successors(Some(first), |starts_at| Some(*starts_at + length));
    starts
        .take_while(|starts_at| *starts_at < closes)
        .map(|starts_at| {
            let ends_at = starts_at + length;
            let is_free = |(begin, end): &Taken| *end <= starts_at || *begin >= ends_at;
            Slot {
                starts_at,
                ends_at,
                available: !facility.retired && taken.iter().all(is_free),
            }
        })
        .collect()
}

fn day_of(text: &str) -> Option<NaiveDate> {
    instant::read_date(text).filter(|date| instant::YEARS.contains(&date.year()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facility::tests::{at, facility};

    fn midnight() -> Instant {
        at("2040-03-01T00:00:00Z")
    }

    #[test]
    fn the_slots_of_a_day_fill_its_hours() {
        let slots = slots_of(&facility(60), midnight(), &[]);
        assert_eq!(slots.len(), 16);
        assert_eq!(slots[0].starts_at, at("2040-03-01T06:00:00Z"));
        assert_eq!(slots[15].ends_at, at("2040-03-01T22:00:00Z"));
        assert!(slots.iter().all(|slot| slot.available));
    }

    #[test]
    fn a_slot_is_taken_by_whoever_is_in_a_part_of_it() {
        let taken = [
            (at("2040-03-01T06:30:00Z"), at("2040-03-01T08:00:00Z")),
            (at("2040-03-01T20:30:00Z"), at("2040-03-01T21:00:00Z")),
        ];
        let slots = slots_of(&facility(60), midnight(), &taken);
        let is_taken = |hour: usize| !slots[hour - 6].available;
        let taken_hours: Vec<_> = (6..22).filter(|hour| is_taken(*hour)).collect();
        assert_eq!(taken_hours, [6, 7, 20]);
    }

    #[test]
    fn nothing_is_available_where_a_facility_is_retired() {
        let mut retired = facility(30);
        retired.retired = true;
        let slots = slots_of(&retired, midnight(), &[]);
        assert_eq!(slots.len(), 32);
        assert!(slots.iter().all(|slot| !slot.available));
    }

    #[test]
    fn a_day_is_of_2020_to_2099() {
        assert!(day_of("2020-01-01").is_some() && day_of("2099-12-31").is_some());
        for text in ["2019-12-31", "2100-01-01", "2040-02-30", "2040-3-1"] {
            assert_eq!(day_of(text), None, "{text}");
        }
    }
}
