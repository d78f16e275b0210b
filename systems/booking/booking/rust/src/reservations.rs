//! Reservations that are there: one, to those whom it concerns, and lists.

use axum::extract::State;
use axum::http::Uri;

use crate::answers::{Answered, shown};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::ids::{self, Id};
use crate::pages::Page;
use crate::problems::Kind;
use crate::query::Query;
use crate::reservation::{Reservation, STATES};
use crate::role::Role;
use crate::service::Served;
use crate::session::Session;
use crate::work::{Select, Work};

const SELECT: &str = "SELECT r.id, r.facility_id, r.player_id, r.starts_at, r.ends_at, r.status, \
    r.price_cents, r.created_at, r.decided_at, c.owner_id FROM reservation r \
    JOIN facility f ON f.id = r.facility_id JOIN club c ON c.id = f.club_id WHERE r.id = $1";
const SELECT_OF_PLAYER: &str = "SELECT r.id, r.facility_id, r.player_id, r.starts_at, r.ends_at, \
    r.status, r.price_cents, r.created_at, r.decided_at FROM reservation r \
    WHERE r.id < $1 AND r.player_id = $2";
const SELECT_OF_OWNER: &str = "SELECT r.id, r.facility_id, r.player_id, r.starts_at, r.ends_at, \
    r.status, r.price_cents, r.created_at, r.decided_at FROM reservation r \
    JOIN facility f ON f.id = r.facility_id JOIN club c ON c.id = f.club_id \
    WHERE r.id < $1 AND c.owner_id = $2";

/// Above all ids: the newest come first.
const FIRST_PAGE: i64 = i64::MAX;

/// A reservation, and whose club it is in.
pub struct Found {
    /// It.
    pub reservation: Reservation,
    /// The owner of the club.
    pub owner_id: i64,
}

/// Looks for one.
struct Look {
    id: i64,
}

/// `get-reservation`.
pub async fn one(Id(id): Id, State(service): Served, caller: Caller) -> Answered {
    let found = service.pool.run(Look { id }).await?;
    let is_concerned = match caller.role {
        Role::Player => caller.id == found.reservation.player_id,
        Role::Owner => caller.id == found.owner_id,
    };
    if is_concerned {
        Ok(shown(found.reservation))
    } else {
        Err(Kind::NotFound.into())
    }
}

/// `list-reservations`.
pub async fn list(State(service): Served, caller: Caller, uri: Uri) -> Answered {
    let query = Query::of(&uri);
    let page = Page::read(&query)?;
    let facility = query.read("facility_id", ids::read)?;
    let status = query.word("status", &STATES)?;
    let text = match caller.role {
        Role::Player => SELECT_OF_PLAYER,
        Role::Owner => SELECT_OF_OWNER,
    };
    let before = page.after.unwrap_or(FIRST_PAGE);
    let select = Select::of(text, vec![Box::new(before), Box::new(caller.id)])
        .with_some(" AND r.facility_id = ", facility)
        .with_some(" AND r.status = ", status)
        .and(" ORDER BY r.id DESC")
        .with(" LIMIT ", page.rows());
    let rows = service.pool.run(select).await?;
    let reservations = rows.iter().map(Reservation::of).collect();
    Ok(shown(page.of(reservations, |row: &Reservation| row.id)))
}

/// One reservation; that there is none is an error.
pub async fn find(session: &mut Session, id: i64) -> Result<Found, Failure> {
    let row = session.row(SELECT, &[&id]).await?;
    let row = row.ok_or(Kind::NotFound)?;
    Ok(Found {
        reservation: Reservation::of(&row),
        owner_id: row.get(9),
    })
}

impl Work for Look {
    type Output = Found;

    async fn run(&self, session: &mut Session) -> Result<Found, Failure> {
        find(session, self.id).await
    }
}
