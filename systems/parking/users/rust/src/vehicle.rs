//! A vehicle, as it is stored, asked for and shown.

use serde::Serialize;
use tokio_postgres::{Error, Row};

use crate::failure::Failure;
use crate::ids::is_plate;
use crate::members::{Code, Members};
use crate::problems::Problem;
use crate::session::Session;
use crate::words::{EnergySource, VehicleType};

const INSERT: &str = "INSERT INTO vehicle (plate, user_id, type, energy) VALUES ($1, $2, $3, $4)";

/// A vehicle of a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Vehicle {
    /// Its id.
    #[serde(rename = "licensePlateNumber")]
    pub plate: String,
    /// What it is.
    #[serde(rename = "vehicleType")]
    pub kind: VehicleType,
    /// What it is driven by.
    #[serde(rename = "vehicleEnergySource")]
    pub energy: EnergySource,
}

impl Vehicle {
    /// Reads the members of one whose plate is known.
    ///
    /// # Errors
    /// One of them has a fault.
    pub fn read(mut members: Members, plate: String) -> Result<Self, Problem> {
        let kind = members.word("/vehicleType");
        let energy = members.word("/vehicleEnergySource");
        members.finish(|| {
            Some(Self {
                plate,
                kind: kind?,
                energy: energy?,
            })
        })
    }

    /// Reads three columns from one on: those of a vehicle that a user may not have.
    ///
    /// # Errors
    /// One of them is of another type.
    pub fn in_columns(row: &Row, first: usize) -> Result<Option<Self>, Error> {
        let Some(plate) = row.try_get(first)? else {
            return Ok(None);
        };
        Ok(Some(Self {
            plate,
            kind: row.try_get(first + 1)?,
            energy: row.try_get(first + 2)?,
        }))
    }

    /// Adds it to those of a user.
    ///
    /// # Errors
    /// Another one has the plate, or the database failed.
    pub async fn insert(&self, session: &mut Session, user: i64) -> Result<(), Failure> {
        let (kind, energy) = (&self.kind, &self.energy);
        session
            .change(INSERT, &[&self.plate, &user, kind, energy])
            .await
    }
}

/// What is wrong with a plate.
pub fn plate_fault(text: &str) -> Option<Code> {
    (!is_plate(text)).then_some("format")
}
