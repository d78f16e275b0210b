//! The facilities of clubs.

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::IntoResponse as _;

use crate::answers::{Answered, created_at, shown};
use crate::caller::{Caller, Owner};
use crate::clubs;
use crate::facility::{Facility, NewFacility, SPORTS};
use crate::failure::Failure;
use crate::ids::{self, Id};
use crate::instant::{self, Instant};
use crate::members::Members;
use crate::pages::Page;
use crate::problems::{Kind, Problem};
use crate::query::Query;
use crate::service::Served;
use crate::session::Session;
use crate::work::{Select, Work};

const SELECT_PAGE: &str = "SELECT f.id, f.club_id, f.name, f.sport, f.slot_minutes, f.opens, \
    f.closes, f.price_cents, f.retired_at, f.created_at FROM facility f";
const JOIN_CLUB: &str = " JOIN club c ON c.id = f.club_id";
const INSERT: &str = "INSERT INTO facility (club_id, name, sport, slot_minutes, opens, closes, \
    price_cents) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id, club_id, name, sport, \
    slot_minutes, opens, closes, price_cents, retired_at, created_at";
const SELECT: &str = "SELECT id, club_id, name, sport, slot_minutes, opens, closes, price_cents, \
    retired_at, created_at FROM facility WHERE id = $1";
const SELECT_OWNER: &str =
    "SELECT c.owner_id FROM facility f JOIN club c ON c.id = f.club_id WHERE f.id = $1";
const UPDATE: &str = "UPDATE facility SET name = $2, sport = $3, slot_minutes = $4, opens = $5, \
    closes = $6, price_cents = $7 WHERE id = $1 RETURNING id, club_id, name, sport, slot_minutes, \
    opens, closes, price_cents, retired_at, created_at";
const RETIRE: &str = "UPDATE facility SET retired_at = coalesce(retired_at, now()) WHERE id = $1";

/// Stands for an instant within a minute: no slot begins there.
const NO_MINUTE: i16 = -1;

/// Adds a facility to a club of an owner.
struct Add {
    club: i64,
    owner: i64,
    new: NewFacility,
}

/// Gives a facility of an owner other members.
struct Replace {
    id: i64,
    owner: i64,
    new: NewFacility,
}

/// Takes a facility of an owner out of use, where it is not already.
struct Retire {
    id: i64,
    owner: i64,
}

/// `list-facilities`.
pub async fn list(State(service): Served, _: Caller, uri: Uri) -> Answered {
    let query = Query::of(&uri);
    let page = Page::read(&query)?;
    let rows = service.pool.run(select_page(&query, page)?).await?;
    let facilities = rows.iter().map(Facility::of).collect();
    Ok(shown(
        page.of(facilities, |facility: &Facility| facility.id),
    ))
}

/// `add-facility`.
pub async fn add(
    Id(club): Id,
    State(service): Served,
    Owner(owner): Owner,
    members: Members,
) -> Answered {
    let new = NewFacility::read(members)?;
    let facility = service.pool.transact(Add { club, owner, new }).await?;
    let location = format!("/facilities/{}", facility.id);
    Ok(created_at(location, facility))
}

/// `get-facility`.
pub async fn one(Id(id): Id, State(service): Served, _: Caller) -> Answered {
    let select = Select::of(SELECT, vec![Box::new(id)]);
    let rows = service.pool.run(select).await?;
    let row = rows.first().ok_or(Kind::NotFound)?;
    Ok(shown(Facility::of(row)))
}

/// `replace-facility`.
pub async fn replace(
    Id(id): Id,
    State(service): Served,
    Owner(owner): Owner,
    members: Members,
) -> Answered {
    let new = NewFacility::read(members)?;
    let facility = service.pool.transact(Replace { id, owner, new }).await?;
    Ok(shown(facility))
}

/// `retire-facility`.
pub async fn retire(Id(id): Id, State(service): Served, Owner(owner): Owner) -> Answered {
    service.pool.transact(Retire { id, owner }).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// One facility; that there is none is an error.
pub async fn find(session: &mut Session, id: i64) -> Result<Facility, Failure> {
    let row = session.row(SELECT, &[&id]).await?;
    Ok(Facility::of(&row.ok_or(Kind::NotFound)?))
}

impl Work for Add {
    type Output = Facility;

    async fn run(&self, session: &mut Session) -> Result<Facility, Failure> {
        clubs::must_be_of(session, self.club, self.owner).await?;
        written(session, INSERT, self.club, &self.new).await
    }
}

impl Work for Replace {
    type Output = Facility;

    async fn run(&self, session: &mut Session) -> Result<Facility, Failure> {
        must_be_of(session, self.id, self.owner).await?;
        written(session, UPDATE, self.id, &self.new).await
    }
}

impl Work for Retire {
    type Output = ();

    async fn run(&self, session: &mut Session) -> Result<(), Failure> {
        must_be_of(session, self.id, self.owner).await?;
        session.touched(RETIRE, &[&self.id]).await?;
        Ok(())
    }
}

/// That a facility is in a club of an owner; that there is none comes first.
async fn must_be_of(session: &mut Session, id: i64, owner: i64) -> Result<(), Failure> {
    let row = session.row(SELECT_OWNER, &[&id]).await?;
    let found: i64 = row.ok_or(Kind::NotFound)?.get(0);
    if found == owner {
        Ok(())
    } else {
        Err(Kind::Forbidden.into())
    }
}

/// The row that an insert of a club, or an update of a facility, leaves.
async fn written(
    session: &mut Session,
    text: &str,
    id: i64,
    new: &NewFacility,
) -> Result<Facility, Failure> {
    let NewFacility {
        name,
        sport,
        slot_minutes,
        opens,
        closes,
        price_cents,
    } = new;
    let row = session
        .row(
            text,
            &[&id, name, sport, slot_minutes, opens, closes, price_cents],
        )
        .await?;
    Ok(Facility::of(&row.ok_or(Kind::NotFound)?))
}

/// The statement of a page, with the filters that the query has.
fn select_page(query: &Query, page: Page) -> Result<Select, Problem> {
    let is_available = query.flag("available")?;
    let at = query.read("at", instant::read)?;
    let sport = query.word("sport", &SPORTS)?;
    let city = query.text("city", 1..=100)?;
    let club = query.read("club_id", ids::read)?;
    if is_available && at.is_none() {
        return Err(Kind::Malformed.into());
    }
    let join = if city.is_some() { JOIN_CLUB } else { "" };
    let select = Select::of(SELECT_PAGE, vec![Box::new(page.after.unwrap_or(0))])
        .and(join)
        .and(" WHERE f.id > $1 AND f.retired_at IS NULL")
        .with_some(" AND f.sport = ", sport)
        .with_some(" AND c.city = ", city)
        .with_some(" AND f.club_id = ", club);
    let select = match at.filter(|_| is_available) {
        Some(at) => and_available(select, at),
        None => select,
    };
    Ok(select.and(" ORDER BY f.id").with(" LIMIT ", page.rows()))
}

/// Those that have a slot which begins at an instant, with nobody in it.
fn and_available(select: Select, at: Instant) -> Select {
    let minute = instant::whole_minute(&at).unwrap_or(NO_MINUTE);
    let (select, minute) = select.keep(minute);
    let (select, at) = select.keep(at);
    select.and(&format!(
        " AND f.opens <= ${minute}::smallint AND ${minute}::smallint + f.slot_minutes <= f.closes \
        AND (${minute}::smallint - f.opens) % f.slot_minutes = 0 \
        AND NOT EXISTS (SELECT 1 FROM reservation r WHERE r.facility_id = f.id \
        AND r.status IN ('pending', 'accepted') AND tstzrange(r.starts_at, r.ends_at) \
        && tstzrange(${at}::timestamptz, \
        ${at}::timestamptz + f.slot_minutes * interval '1 minute'))"
    ))
}
