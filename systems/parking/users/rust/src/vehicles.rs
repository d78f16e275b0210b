//! The operations on the vehicles of a user.

use axum::extract::State;
use tokio_postgres::{Error, Row};

use crate::answers::{Answered, created, shown};
use crate::body::RequestBody;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::ids::{PathId, PathPlate};
use crate::problems::Kind;
use crate::service::Served;
use crate::session::{FromRow, Session};
use crate::vehicle::Vehicle;
use crate::words::Role;
use crate::work::Work;

const MOST: usize = 3;

const SELECT: &str = "SELECT u.id, v.plate, v.type, v.energy \
    FROM app_user u LEFT JOIN vehicle v ON v.user_id = u.id WHERE u.id = $1 ORDER BY v.plate";
const LOCK_USER: &str = "SELECT id FROM app_user WHERE id = $1 FOR NO KEY UPDATE";
const SELECT_PLATES: &str = "SELECT plate, user_id FROM vehicle WHERE user_id = $1 OR plate = $2";
const UPDATE: &str = "UPDATE vehicle SET type = $2, energy = $3 WHERE plate = $1";

/// All vehicles of a user.
struct List {
    user: i64,
}

/// Adds a vehicle to those of a user, or changes it. Tells whether it is new.
struct Put {
    user: i64,
    vehicle: Vehicle,
}

/// A user who is there.
struct Known;

/// A user beside one of the vehicles, if there is any.
struct Listed(Option<Vehicle>);

/// A plate, and whose it is.
struct Plate {
    plate: String,
    user: i64,
}

/// `vehicles`.
pub async fn list(State(service): Served, PathId(user): PathId, caller: Caller) -> Answered {
    caller.when(caller.id == user)?;
    Ok(shown(service.pool.run(List { user }).await?))
}

/// `put-vehicle`.
pub async fn put(
    State(service): Served,
    PathId(user): PathId,
    PathPlate(plate): PathPlate,
    caller: Caller,
    body: RequestBody,
) -> Answered {
    caller.when(caller.id == user && caller.has(&[Role::Customer]))?;
    let vehicle = Vehicle::read(body.members()?, plate)?;
    let put = Put {
        user,
        vehicle: vehicle.clone(),
    };
    let is_new = service.pool.transact(put).await?;
    Ok(if is_new {
        created(vehicle)
    } else {
        shown(vehicle)
    })
}

impl Work for List {
    type Output = Vec<Vehicle>;

    async fn run(&self, session: &mut Session) -> Result<Vec<Vehicle>, Failure> {
        let rows: Vec<Listed> = session.rows(SELECT, &[&self.user]).await?;
        if rows.is_empty() {
            return Err(Kind::NotFound.into());
        }
        Ok(rows
            .into_iter()
            .filter_map(|Listed(vehicle)| vehicle)
            .collect())
    }
}

impl Work for Put {
    type Output = bool;

    /// The lock of the user keeps others from adding one meanwhile.
    async fn run(&self, session: &mut Session) -> Result<bool, Failure> {
        let Self { user, vehicle } = self;
        let known: Option<Known> = session.row(LOCK_USER, &[user]).await?;
        known.ok_or(Kind::NotFound)?;
        let taken: Vec<Plate> = session.rows(SELECT_PLATES, &[user, &vehicle.plate]).await?;
        match taken.iter().find(|one| one.plate == vehicle.plate) {
            Some(one) if one.user != *user => Err(Kind::DuplicatePlate.into()),
            Some(_) => {
                let (kind, energy) = (&vehicle.kind, &vehicle.energy);
                session
                    .change(UPDATE, &[&vehicle.plate, kind, energy])
                    .await?;
                Ok(false)
            }
            None if taken.len() >= MOST => Err(Kind::VehicleLimit.into()),
            None => {
                vehicle.insert(session, *user).await?;
                Ok(true)
            }
        }
    }
}

impl FromRow for Known {
    fn from_row(_: &Row) -> Result<Self, Error> {
        Ok(Self)
    }
}

impl FromRow for Listed {
    fn from_row(row: &Row) -> Result<Self, Error> {
        Ok(Self(Vehicle::in_columns(row, 1)?))
    }
}

impl FromRow for Plate {
    fn from_row(row: &Row) -> Result<Self, Error> {
        Ok(Self {
            plate: row.try_get(0)?,
            user: row.try_get(1)?,
        })
    }
}
