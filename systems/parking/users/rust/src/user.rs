//! A user, as he or she is stored, asked for and shown.

use serde::Serialize;
use tokio_postgres::{Error, Row};

use crate::failure::Failure;
use crate::members::{Code, Members, characters, visible};
use crate::problems::{Kind, Problem};
use crate::session::{FromRow, Session};
use crate::vehicle::{Vehicle, plate_fault};
use crate::words::{PaymentMethod, Role, UserStatus};

const SELECT_ONE: &str = "SELECT u.id, u.first_name, u.last_name, u.email, u.nif, u.coins, u.role, \
    u.payment_method, u.status, v.plate, v.type, v.energy \
    FROM app_user u LEFT JOIN vehicle v ON v.user_id = u.id WHERE u.id = $1 ORDER BY v.plate";

/// A user without the hash, which no answer shows.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// From 1.
    pub id: i64,
    /// As the user writes it.
    pub first_name: String,
    /// As the user writes it.
    pub last_name: String,
    /// In the case in which it was given.
    pub email: String,
    /// The tax number.
    pub nif: i32,
    /// Always empty.
    pub parking_history: [(); 0],
    /// The coins.
    #[serde(rename = "totalParkies")]
    pub coins: i32,
    /// By their plates.
    pub vehicles: Vec<Vehicle>,
    /// What the user may do.
    pub role: Role,
    /// How the user pays.
    pub payment_method: PaymentMethod,
    /// Whether the user may log in.
    #[serde(rename = "userStatus")]
    pub status: UserStatus,
}

/// A user beside one of the vehicles, if there is any.
pub struct UserRow {
    user: User,
    vehicle: Option<Vehicle>,
}

/// What is asked for of a new user.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// As the user writes it.
    pub first_name: String,
    /// As the user writes it.
    pub last_name: String,
    /// In the case in which it was given.
    pub email: String,
    /// Nobody keeps it.
    pub password: String,
    /// The tax number.
    pub nif: i32,
    /// The first one.
    pub vehicle: Vehicle,
    /// How the user pays.
    pub payment_method: PaymentMethod,
}

impl User {
    /// The user of an id.
    ///
    /// # Errors
    /// There is none, or the database failed.
    pub async fn find(session: &mut Session, id: i64) -> Result<Self, Failure> {
        let rows = session.rows(SELECT_ONE, &[&id]).await?;
        Ok(users_in(rows).pop().ok_or(Kind::NotFound)?)
    }

    /// One who was just made: a CUSTOMER, ENABLED, without coins.
    pub fn made(id: i64, new: &NewUser) -> Self {
        let NewUser {
            first_name,
            last_name,
            email,
            nif,
            vehicle,
            payment_method,
            ..
        } = new.clone();
        Self {
            id,
            first_name,
            last_name,
            email,
            nif,
            parking_history: [],
            coins: 0,
            vehicles: vec![vehicle],
            role: Role::Customer,
            payment_method,
            status: UserStatus::Enabled,
        }
    }
}

impl FromRow for UserRow {
    fn from_row(row: &Row) -> Result<Self, Error> {
        let user = User {
            id: row.try_get(0)?,
            first_name: row.try_get(1)?,
            last_name: row.try_get(2)?,
            email: row.try_get(3)?,
            nif: row.try_get(4)?,
            parking_history: [],
            coins: row.try_get(5)?,
            vehicles: Vec::new(),
            role: row.try_get(6)?,
            payment_method: row.try_get(7)?,
            status: row.try_get(8)?,
        };
        let vehicle = Vehicle::in_columns(row, 9)?;
        Ok(Self { user, vehicle })
    }
}

/// Puts the rows of each user together.
pub fn users_in(rows: Vec<UserRow>) -> Vec<User> {
    let mut found: Vec<User> = Vec::new();
    for UserRow { user, vehicle } in rows {
        if found.last().is_none_or(|last| last.id != user.id) {
            found.push(user);
        }
        if let Some(last) = found.last_mut() {
            last.vehicles.extend(vehicle);
        }
    }
    found
}

/// First name, blank, last name.
pub fn full_name(first_name: &str, last_name: &str) -> String {
    format!("{first_name} {last_name}")
}

impl NewUser {
    /// Reads the members of one.
    ///
    /// # Errors
    /// One of them has a fault.
    pub fn read(mut members: Members) -> Result<Self, Problem> {
        let first_name = members.text("/firstName", name_fault);
        let last_name = members.text("/lastName", name_fault);
        let email = members.text("/email", email_fault);
        let password = members.text("/password", password_fault);
        let nif = members.integer("/nif", 100_000_000..=999_999_999);
        let plate = members.text("/licensePlateNumber", plate_fault);
        let vehicle_type = members.word("/vehicleType");
        let energy = members.word("/vehicleEnergySource");
        let payment_method = members.word("/paymentMethod");
        members.finish(|| {
            Some(Self {
                first_name: first_name?,
                last_name: last_name?,
                email: email?,
                password: password?,
                nif: nif?,
                vehicle: Vehicle {
                    plate: plate?,
                    kind: vehicle_type?,
                    energy: energy?,
                },
                payment_method: payment_method?,
            })
        })
    }
}

fn name_fault(text: &str) -> Option<Code> {
    characters(text, 1..=60)
}

/// What is wrong with an e-mail address.
pub fn email_fault(text: &str) -> Option<Code> {
    let is_address = |text: &str| {
        let parts = text.split_once('@');
        parts
            .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'))
    };
    visible(text, 3..=40).or_else(|| (!is_address(text)).then_some("format"))
}

fn password_fault(text: &str) -> Option<Code> {
    let has = |of: fn(char) -> bool| text.contains(of);
    let is_strong = has(|letter| letter.is_ascii_lowercase())
        && has(|letter| letter.is_ascii_uppercase())
        && has(|letter| !letter.is_ascii_alphanumeric());
    visible(text, 11..=19).or_else(|| (!is_strong).then_some("weak"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_has_one_at_with_something_on_both_sides() {
        for text in ["a@b", "!@~", &format!("{}@b", "a".repeat(38))] {
            assert_eq!(email_fault(text), None, "{text}");
        }
        for (text, code) in [
            ("@", "too-short"),
            (&format!("{}@b", "a".repeat(39)) as &str, "too-long"),
            ("a @b", "characters"),
            ("ä@b", "characters"),
            ("abc", "format"),
            ("@ab", "format"),
            ("ab@", "format"),
            ("a@b@c", "format"),
        ] {
            assert_eq!(email_fault(text), Some(code), "{text}");
        }
    }

    #[test]
    fn each_rule_of_a_password_counts() {
        assert_eq!(password_fault("Loadstone#Park-1"), None);
        for (text, code) in [
            ("Short#Park", "too-short"),
            ("Loadstone#Park-12345", "too-long"),
            ("Loadstone Park-1", "characters"),
            ("LOADSTONE#PARK-1", "weak"),
            ("loadstone#park-1", "weak"),
            ("LoadstonePark1", "weak"),
        ] {
            assert_eq!(password_fault(text), Some(code), "{text}");
        }
    }

    #[test]
    fn the_faults_of_a_new_user_are_said_in_order() {
        let members = Members::parse(b"{}").expect("an object");
        let refused = NewUser::read(members).expect_err("refused");
        let pointers: Vec<_> = refused.faults.iter().map(|fault| fault.pointer).collect();
        let expected = [
            "/firstName",
            "/lastName",
            "/email",
            "/password",
            "/nif",
            "/licensePlateNumber",
            "/vehicleType",
            "/vehicleEnergySource",
            "/paymentMethod",
        ];
        assert_eq!(pointers, expected);
    }
}
