//! The operations on accounts. No connection is held while a password is hashed.

use axum::extract::State;
use tokio_postgres::{Error, Row};

use crate::answers::{Answered, created_at, shown};
use crate::body::RequestBody;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::ids::PathId;
use crate::problems::Problem;
use crate::service::Served;
use crate::session::{FromRow, Parameter, Session};
use crate::user::{NewUser, User, users_in};
use crate::words::{Role, UserStatus};
use crate::work::Work;

const INSERT: &str = "INSERT INTO app_user \
    (first_name, last_name, email, password_hash, nif, role, payment_method, status) \
    VALUES ($1, $2, $3, $4, $5, 1, $6, 0) RETURNING id";
const SELECT: &str = "SELECT u.id, u.first_name, u.last_name, u.email, u.nif, u.coins, u.role, \
    u.payment_method, u.status, v.plate, v.type, v.energy \
    FROM app_user u LEFT JOIN vehicle v ON v.user_id = u.id ORDER BY u.id, v.plate";
const UPDATE_STATUS: &str = "UPDATE app_user SET status = $2 WHERE id = $1";

const MANAGERS: [Role; 2] = [Role::Supervisor, Role::CustomerManager];

/// Makes a user with a vehicle.
struct Create {
    new: NewUser,
    hash: String,
}

/// All users.
struct List;

/// One of them.
struct Find {
    id: i64,
}

/// Changes whether a user may log in.
struct SetStatus {
    id: i64,
    status: UserStatus,
}

/// The id of a row that was made.
struct Made(i64);

/// `create-user`.
pub async fn create(State(service): Served, body: RequestBody) -> Answered {
    let new = NewUser::read(body.members()?)?;
    let hash = service.passwords.hash(new.password.clone()).await;
    let user = service.pool.transact(Create { new, hash }).await?;
    Ok(created_at(format!("/users/{}", user.id), user))
}

/// `list-users`.
pub async fn list(State(service): Served, caller: Caller) -> Answered {
    caller.when(caller.has(&MANAGERS))?;
    Ok(shown(service.pool.run(List).await?))
}

/// `get-user`.
pub async fn get(State(service): Served, PathId(id): PathId, caller: Caller) -> Answered {
    caller.when(caller.id == id || caller.has(&MANAGERS))?;
    Ok(shown(service.pool.run(Find { id }).await?))
}

/// `set-status`.
pub async fn set_status(
    State(service): Served,
    PathId(id): PathId,
    caller: Caller,
    body: RequestBody,
) -> Answered {
    caller.when(caller.has(&[Role::Supervisor]))?;
    let mut members = body.members()?;
    let status = members.word("/userStatus");
    let status = members.finish(|| status)?;
    Ok(shown(
        service.pool.transact(SetStatus { id, status }).await?,
    ))
}

impl Work for Create {
    type Output = User;

    /// What was made is not read again.
    async fn run(&self, session: &mut Session) -> Result<User, Failure> {
        let Self { new, hash } = self;
        let parameters: [Parameter<'_>; 6] = [
            &new.first_name,
            &new.last_name,
            &new.email,
            hash,
            &new.nif,
            &new.payment_method,
        ];
        let made: Option<Made> = session.row(INSERT, &parameters).await?;
        let Made(id) = made.ok_or_else(|| Problem::internal("a row has no id"))?;
        new.vehicle.insert(session, id).await?;
        Ok(User::made(id, new))
    }
}

impl Work for List {
    type Output = Vec<User>;

    async fn run(&self, session: &mut Session) -> Result<Vec<User>, Failure> {
        Ok(users_in(session.rows(SELECT, &[]).await?))
    }
}

impl Work for Find {
    type Output = User;

    async fn run(&self, session: &mut Session) -> Result<User, Failure> {
        User::find(session, self.id).await
    }
}

impl Work for SetStatus {
    type Output = User;

    async fn run(&self, session: &mut Session) -> Result<User, Failure> {
        session
            .change(UPDATE_STATUS, &[&self.id, &self.status])
            .await?;
        User::find(session, self.id).await
    }
}

impl FromRow for Made {
    fn from_row(row: &Row) -> Result<Self, Error> {
        Ok(Self(row.try_get(0)?))
    }
}
