//! Decisions about a reservation: an owner's and a player's. That another one came first is told by the
//! state that the row has when it is updated.

use axum::extract::State;

use crate::answers::{Answered, shown};
use crate::caller::{Owner, Player};
use crate::failure::Failure;
use crate::ids::Id;
use crate::problems::Kind;
use crate::reservation::Reservation;
use crate::reservations;
use crate::service::{Served, Shared};
use crate::session::{Parameter, Session};
use crate::work::Work;

const DECIDE: &str = "UPDATE reservation SET status = $2, decided_at = now() WHERE id = $1 \
    AND status = 'pending' RETURNING id, facility_id, player_id, starts_at, ends_at, status, \
    price_cents, created_at, decided_at";
const CANCEL: &str = "UPDATE reservation SET status = 'cancelled' WHERE id = $1 \
    AND status IN ('pending', 'accepted') RETURNING id, facility_id, player_id, starts_at, \
    ends_at, status, price_cents, created_at, decided_at";

/// Accepts or rejects a reservation in a club of an owner.
struct Decide {
    id: i64,
    owner: i64,
    status: &'static str,
}

/// Cancels a reservation of a player.
struct Cancel {
    id: i64,
    player: i64,
}

/// `accept`.
pub async fn accept(Id(id): Id, State(service): Served, Owner(owner): Owner) -> Answered {
    decide(&service, id, owner, "accepted").await
}

/// `reject`.
pub async fn reject(Id(id): Id, State(service): Served, Owner(owner): Owner) -> Answered {
    decide(&service, id, owner, "rejected").await
}

/// `cancel`.
pub async fn cancel(Id(id): Id, State(service): Served, Player(player): Player) -> Answered {
    Ok(shown(service.pool.transact(Cancel { id, player }).await?))
}

async fn decide(service: &Shared, id: i64, owner: i64, status: &'static str) -> Answered {
    let decide = Decide { id, owner, status };
    Ok(shown(service.pool.transact(decide).await?))
}

impl Work for Decide {
    type Output = Reservation;

    async fn run(&self, session: &mut Session) -> Result<Reservation, Failure> {
        let found = reservations::find(session, self.id).await?;
        if found.owner_id != self.owner {
            return Err(Kind::NotFound.into());
        }
        changed(session, DECIDE, &[&self.id, &self.status]).await
    }
}

impl Work for Cancel {
    type Output = Reservation;

    async fn run(&self, session: &mut Session) -> Result<Reservation, Failure> {
        let found = reservations::find(session, self.id).await?;
        if found.reservation.player_id != self.player {
            return Err(Kind::NotFound.into());
        }
        changed(session, CANCEL, &[&self.id]).await
    }
}

async fn changed(
    session: &mut Session,
    text: &str,
    parameters: &[Parameter<'_>],
) -> Result<Reservation, Failure> {
    let row = session.row(text, parameters).await?;
    Ok(Reservation::of(&row.ok_or(Kind::WrongState)?))
}
