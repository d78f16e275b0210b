//! Clubs, each with its owner.

use axum::extract::State;
use axum::http::Uri;
use serde::Serialize;
use tokio_postgres::Row;

use crate::answers::{Answered, created_at, shown};
use crate::caller::{Caller, Owner};
use crate::failure::Failure;
use crate::ids::Id;
use crate::instant::{self, Instant};
use crate::members::Members;
use crate::pages::Page;
use crate::problems::{Kind, Problem};
use crate::query::Query;
use crate::service::Served;
use crate::session::Session;
use crate::work::{Select, Work};

const SELECT_PAGE: &str =
    "SELECT id, owner_id, name, city, description, created_at FROM club WHERE id > $1";
const INSERT: &str = "INSERT INTO club (owner_id, name, city, description) VALUES ($1, $2, $3, $4) \
    RETURNING id, owner_id, name, city, description, created_at";
const SELECT: &str =
    "SELECT id, owner_id, name, city, description, created_at FROM club WHERE id = $1";
const SELECT_OWNER: &str = "SELECT owner_id FROM club WHERE id = $1";
const UPDATE: &str = "UPDATE club SET name = $2, city = $3, description = $4 WHERE id = $1 \
    RETURNING id, owner_id, name, city, description, created_at";

/// A row.
#[derive(Serialize)]
struct Club {
    id: i64,
    owner_id: i64,
    name: String,
    city: String,
    description: String,
    #[serde(serialize_with = "instant::serialize")]
    created_at: Instant,
}

#[derive(Debug)]
struct NewClub {
    name: String,
    city: String,
    description: String,
}

/// Gives a club of an owner other members.
struct Replace {
    id: i64,
    owner: i64,
    new: NewClub,
}

/// `list-clubs`.
pub async fn list(State(service): Served, caller: Caller, uri: Uri) -> Answered {
    let query = Query::of(&uri);
    let page = Page::read(&query)?;
    let owner = query.flag("mine")?.then_some(caller.id);
    let city = query.text("city", 1..=100)?;
    let part = query.text("q", 1..=50)?;
    let select = Select::of(SELECT_PAGE, vec![Box::new(page.after.unwrap_or(0))])
        .with_some(" AND owner_id = ", owner)
        .with_some(" AND city = ", city)
        .with_some(" AND name ILIKE ", part.as_deref().map(pattern_of))
        .and(" ORDER BY id")
        .with(" LIMIT ", page.rows());
    let rows = service.pool.run(select).await?;
    let clubs = rows.iter().map(Club::of).collect();
    Ok(shown(page.of(clubs, |club: &Club| club.id)))
}

/// `create-club`.
pub async fn create(State(service): Served, Owner(owner): Owner, members: Members) -> Answered {
    let new = NewClub::read(members)?;
    let insert = Select::of(
        INSERT,
        vec![
            Box::new(owner),
            Box::new(new.name),
            Box::new(new.city),
            Box::new(new.description),
        ],
    );
    let rows = service.pool.run(insert).await?;
    let row = rows.first().ok_or(Kind::Internal)?;
    let club = Club::of(row);
    Ok(created_at(format!("/clubs/{}", club.id), club))
}

/// `get-club`.
pub async fn one(Id(id): Id, State(service): Served, _: Caller) -> Answered {
    let select = Select::of(SELECT, vec![Box::new(id)]);
    let rows = service.pool.run(select).await?;
    let row = rows.first().ok_or(Kind::NotFound)?;
    Ok(shown(Club::of(row)))
}

/// `replace-club`.
pub async fn replace(
    Id(id): Id,
    State(service): Served,
    Owner(owner): Owner,
    members: Members,
) -> Answered {
    let new = NewClub::read(members)?;
    let club = service.pool.transact(Replace { id, owner, new }).await?;
    Ok(shown(club))
}

/// That a club is of an owner; that there is none comes first.
pub async fn must_be_of(session: &mut Session, id: i64, owner: i64) -> Result<(), Failure> {
    let row = session.row(SELECT_OWNER, &[&id]).await?;
    let found: i64 = row.ok_or(Kind::NotFound)?.get(0);
    if found == owner {
        Ok(())
    } else {
        Err(Kind::Forbidden.into())
    }
}

impl Club {
    fn of(row: &Row) -> Self {
        Self {
            id: row.get(0),
            owner_id: row.get(1),
            name: row.get(2),
            city: row.get(3),
            description: row.get(4),
            created_at: row.get(5),
        }
    }
}

impl NewClub {
    fn read(mut members: Members) -> Result<Self, Problem> {
        let name = members.text("/name", 1..=100);
        let city = members.text("/city", 1..=100);
        let description = members.text_or_empty("/description", 1000);
        members.finish(|| {
            Some(Self {
                name: name?,
                city: city?,
                description: description?,
            })
        })
    }
}

impl Work for Replace {
    type Output = Club;

    async fn run(&self, session: &mut Session) -> Result<Club, Failure> {
        must_be_of(session, self.id, self.owner).await?;
        let NewClub {
            name,
            city,
            description,
        } = &self.new;
        let row = session
            .row(UPDATE, &[&self.id, name, city, description])
            .await?;
        Ok(Club::of(&row.ok_or(Kind::NotFound)?))
    }
}

/// Finds a text wherever it stands, and each of its characters as itself.
fn pattern_of(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 2);
    pattern.push('%');
    for character in text.chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_no_wildcards_of_the_caller() {
        assert_eq!(pattern_of("Park"), "%Park%");
        assert_eq!(pattern_of(r"50%_\é"), r"%50\%\_\\é%");
    }

    #[test]
    fn a_club_needs_a_name_and_a_city() {
        let members = Members::parse(br#"{"name":"n","description":null}"#).expect("an object");
        let problem = NewClub::read(members).expect_err("refused");
        assert_eq!(problem.faults.len(), 1);
        assert_eq!(problem.faults[0].pointer, "/city");
        let members = Members::parse(br#"{"name":"n","city":"c"}"#).expect("an object");
        assert_eq!(NewClub::read(members).expect("a club").description, "");
    }
}
