//! Ratings: one of each reservation at most, and all of a facility.

use axum::extract::State;
use axum::http::Uri;
use serde::Serialize;
use tokio_postgres::Row;

use crate::answers::{Answered, created, shown};
use crate::caller::{Caller, Player};
use crate::failure::Failure;
use crate::ids::Id;
use crate::instant::{self, Instant};
use crate::members::Members;
use crate::pages::{Items, Page};
use crate::problems::{Kind, Problem};
use crate::query::Query;
use crate::reservations;
use crate::service::Served;
use crate::session::{Parameter, Session};
use crate::work::Work;

const UPSERT: &str = "INSERT INTO rating (reservation_id, facility_id, stars, comment) \
    VALUES ($1, $2, $3, $4) ON CONFLICT (reservation_id) DO UPDATE SET stars = EXCLUDED.stars, \
    comment = EXCLUDED.comment RETURNING reservation_id, facility_id, stars, comment, created_at, \
    (xmax = 0) AS is_new";
const SELECT_FACILITY: &str = "SELECT 1 FROM facility WHERE id = $1";
const SELECT_PAGE: &str = "SELECT reservation_id, facility_id, stars, comment, created_at \
    FROM rating WHERE facility_id = $1 AND reservation_id > $2 ORDER BY reservation_id LIMIT $3";
const SELECT_ALL: &str = "SELECT count(*) AS count, round(avg(stars), 2)::float8 AS average \
    FROM rating WHERE facility_id = $1";

/// A row.
#[derive(Serialize)]
struct Rating {
    reservation_id: i64,
    facility_id: i64,
    stars: i16,
    comment: String,
    #[serde(serialize_with = "instant::serialize")]
    created_at: Instant,
}

#[derive(Debug)]
struct NewRating {
    stars: i16,
    comment: String,
}

/// Rates a reservation of a player, or rates it anew.
struct Rate {
    id: i64,
    player: i64,
    new: NewRating,
}

/// Reads a page of a facility's ratings, and what all of them come to.
struct Look {
    facility: i64,
    page: Page,
}

/// A page, with what all ratings come to.
#[derive(Serialize)]
struct Ratings {
    items: Vec<Rating>,
    next_cursor: Option<String>,
    count: i64,
    average: Option<f64>,
}

/// `rate`.
pub async fn rate(
    Id(id): Id,
    State(service): Served,
    Player(player): Player,
    members: Members,
) -> Answered {
    let new = NewRating::read(members)?;
    let (rating, is_new) = service.pool.transact(Rate { id, player, new }).await?;
    Ok(if is_new {
        created(rating)
    } else {
        shown(rating)
    })
}

/// `list-ratings`.
pub async fn list(Id(facility): Id, State(service): Served, _: Caller, uri: Uri) -> Answered {
    let page = Page::read(&Query::of(&uri))?;
    Ok(shown(service.pool.run(Look { facility, page }).await?))
}

impl Rating {
    fn of(row: &Row) -> Self {
        Self {
            reservation_id: row.get(0),
            facility_id: row.get(1),
            stars: row.get(2),
            comment: row.get(3),
            created_at: row.get(4),
        }
    }
}

impl NewRating {
    fn read(mut members: Members) -> Result<Self, Problem> {
        let stars = members.integer("/stars", 1..=5);
        let comment = members.text_or_empty("/comment", 500);
        members.finish(|| {
            Some(Self {
                stars: stars?,
                comment: comment?,
            })
        })
    }
}

impl Work for Rate {
    /// With whether it is the first one.
    type Output = (Rating, bool);

    async fn run(&self, session: &mut Session) -> Result<Self::Output, Failure> {
        let found = reservations::find(session, self.id).await?.reservation;
        if found.player_id != self.player {
            return Err(Kind::NotFound.into());
        }
        if !["pending", "accepted"].contains(&found.status.as_str()) {
            return Err(Kind::WrongState.into());
        }
        let NewRating { stars, comment } = &self.new;
        let parameters: [Parameter<'_>; 4] = [&self.id, &found.facility_id, stars, comment];
        let row = session.row(UPSERT, &parameters).await?;
        let row = row.ok_or(Kind::Internal)?;
        Ok((Rating::of(&row), row.get(5)))
    }
}

impl Work for Look {
    type Output = Ratings;

    async fn run(&self, session: &mut Session) -> Result<Ratings, Failure> {
        let facility = session.row(SELECT_FACILITY, &[&self.facility]).await?;
        facility.ok_or(Kind::NotFound)?;
        let (after, limit) = (self.page.after.unwrap_or(0), self.page.rows());
        let parameters: [Parameter<'_>; 3] = [&self.facility, &after, &limit];
        let rows = session.rows(SELECT_PAGE, &parameters).await?;
        let all = session.row(SELECT_ALL, &[&self.facility]).await?;
        let all = all.ok_or(Kind::Internal)?;
        let ratings = rows.iter().map(Rating::of).collect();
        let page = self
            .page
            .of(ratings, |rating: &Rating| rating.reservation_id);
        let Items { items, next_cursor } = page;
        Ok(Ratings {
            items,
            next_cursor,
            count: all.get(0),
            average: all.get(1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<NewRating, Problem> {
        NewRating::read(Members::parse(body.as_bytes()).expect("an object"))
    }

    #[test]
    fn a_rating_has_1_to_5_stars() {
        let rating = read(r#"{"stars":5}"#).expect("a rating");
        assert_eq!((rating.stars, rating.comment.as_str()), (5, ""));
        for (stars, code) in [("0", "range"), ("6", "range"), ("4.5", "type")] {
            let body = format!(r#"{{"stars":{stars}}}"#);
            let problem = read(&body).expect_err("refused");
            assert_eq!(problem.faults[0].code, code, "{body}");
        }
    }

    #[test]
    fn a_comment_has_500_characters_at_most() {
        let body = |length| format!(r#"{{"stars":1,"comment":"{}"}}"#, "𝒳".repeat(length));
        assert!(read(&body(500)).is_ok());
        let problem = read(&body(501)).expect_err("refused");
        assert_eq!(problem.faults[0].code, "too-long");
    }
}
