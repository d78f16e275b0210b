//! Accounts: signing up, logging in, and who one is.

use axum::extract::State;
use serde::Serialize;
use tokio_postgres::Row;

use crate::answers::{Answered, created, shown};
use crate::caller::{Caller, now_s};
use crate::email::is_address;
use crate::instant::{self, Instant};
use crate::members::{Code, Members};
use crate::passwords::MOST_BYTES;
use crate::problems::{Kind, Problem};
use crate::role::Role;
use crate::service::Served;
use crate::work::Select;

const LEAST_EMAIL: usize = 6;
const MOST_EMAIL: usize = 254;
const LEAST_PASSWORD_BYTES: usize = 8;

const INSERT: &str = "INSERT INTO account (email, name, password_hash, role) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (email) DO NOTHING RETURNING id, email, name, role, created_at";
const SELECT_BY_EMAIL: &str = "SELECT id, password_hash, role FROM account WHERE email = $1";
const SELECT: &str = "SELECT id, email, name, role, created_at FROM account WHERE id = $1";

/// An account, without its password.
#[derive(Serialize)]
struct Account {
    id: i64,
    email: String,
    name: String,
    role: String,
    #[serde(serialize_with = "instant::serialize")]
    created_at: Instant,
}

#[derive(Debug)]
struct NewAccount {
    email: String,
    name: String,
    password: String,
    role: Role,
}

/// What a right password gives.
#[derive(Serialize)]
struct Grant {
    token: String,
    token_type: &'static str,
    expires_in: u64,
}

/// `sign-up`.
pub async fn sign_up(State(service): Served, members: Members) -> Answered {
    let new = NewAccount::read(members)?;
    let hash = service.passwords.hash(new.password).await;
    let role = new.role.word();
    let insert = Select::of(
        INSERT,
        vec![
            Box::new(new.email),
            Box::new(new.name),
            Box::new(hash),
            Box::new(role),
        ],
    );
    let rows = service.pool.run(insert).await?;
    let row = rows.first().ok_or(Kind::EmailTaken)?;
    Ok(created(Account::of(row)))
}

/// `log-in`. Unknown addresses and wrong passwords take as long, and are told alike.
pub async fn log_in(State(service): Served, mut members: Members) -> Answered {
    let email = members.any_text("/email");
    let password = members.any_text("/password");
    let (email, password) = members.finish(|| Some((email?, password?)))?;
    let email = email.to_ascii_lowercase();
    let known = if is_address(&email) {
        let select = Select::of(SELECT_BY_EMAIL, vec![Box::new(email)]);
        let rows = service.pool.run(select).await?;
        rows.first().map(known_by).transpose()?
    } else {
        None
    };
    let (account, hash) = known.unzip();
    let is_right = service.passwords.verify(password, hash).await;
    let account = account.filter(|_| is_right).ok_or(Kind::BadCredentials)?;
    Ok(shown(Grant {
        token: service.tokens.issue(account, now_s()),
        token_type: "Bearer",
        expires_in: service.tokens.ttl_s,
    }))
}

/// `me`.
pub async fn me(State(service): Served, caller: Caller) -> Answered {
    let select = Select::of(SELECT, vec![Box::new(caller.id)]);
    let rows = service.pool.run(select).await?;
    let row = rows.first().ok_or(Kind::Unauthenticated)?;
    Ok(shown(Account::of(row)))
}

impl Account {
    fn of(row: &Row) -> Self {
        Self {
            id: row.get(0),
            email: row.get(1),
            name: row.get(2),
            role: row.get(3),
            created_at: row.get(4),
        }
    }
}

impl NewAccount {
    fn read(mut members: Members) -> Result<Self, Problem> {
        let email = members.shaped("/email", email_of);
        let name = members.text("/name", 1..=100);
        let password = members.shaped("/password", password_of);
        let role = members.word("/role", Some(Role::Player), &Role::WORDS);
        members.finish(|| {
            Some(Self {
                email: email?,
                name: name?,
                password: password?,
                role: role?,
            })
        })
    }
}

/// Whose address it is, and the hash of the password.
fn known_by(row: &Row) -> Result<(Caller, String), Problem> {
    let word: &str = row.get(2);
    let role = Role::WORDS.iter().find(|(known, _)| *known == word);
    let (_, role) = role.ok_or_else(|| Problem::internal("an account has no role"))?;
    let account = Caller {
        id: row.get(0),
        role: *role,
    };
    Ok((account, row.get(1)))
}

/// An address is kept in small letters, and so there is one account of it in any case.
fn email_of(text: &str) -> Result<String, Code> {
    let email = text.to_ascii_lowercase();
    match email.len() {
        _ if !is_address(&email) => Err("format"),
        ..LEAST_EMAIL => Err("too-short"),
        LEAST_EMAIL..=MOST_EMAIL => Ok(email),
        _ => Err("too-long"),
    }
}

fn password_of(text: &str) -> Result<String, Code> {
    match text.len() {
        ..LEAST_PASSWORD_BYTES => Err("too-short"),
        LEAST_PASSWORD_BYTES..=MOST_BYTES => Ok(text.to_owned()),
        _ => Err("too-long"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<NewAccount, Vec<(&'static str, Code)>> {
        let members = Members::parse(body.as_bytes()).expect("an object");
        NewAccount::read(members).map_err(|problem| {
            let faults = problem.faults.iter();
            faults.map(|fault| (fault.pointer, fault.code)).collect()
        })
    }

    #[test]
    fn an_account_is_a_players_unless_it_is_said() {
        let body = r#"{"email":"Ann@Club.Example","name":"Ann","password":"8 bytes!"}"#;
        let account = read(body).expect("an account");
        assert_eq!(account.email, "ann@club.example");
        assert_eq!(account.role, Role::Player);
        let body = body.replace('}', r#","role":"owner"}"#);
        assert_eq!(read(&body).expect("an account").role, Role::Owner);
    }

    #[test]
    fn the_first_fault_of_each_member_is_said() {
        let password = "é".repeat(37);
        let body = format!(r#"{{"email":"a@b.c","name":"n","password":"{password}"}}"#);
        let faults = [("/email", "too-short"), ("/password", "too-long")];
        assert_eq!(read(&body).expect_err("refused"), faults);
        let body = r#"{"email":"none","name":"","password":"7 bytes","role":"admin"}"#;
        let faults = [
            ("/email", "format"),
            ("/name", "too-short"),
            ("/password", "too-short"),
            ("/role", "unknown-value"),
        ];
        assert_eq!(read(body).expect_err("refused"), faults);
    }
}
