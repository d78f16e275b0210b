//! Words of lists. The database has their places, callers have their texts.

use std::error::Error;

use bytes::BytesMut;
use serde::{Serialize, Serializer};
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, accepts, to_sql_checked};

/// A word of a list.
pub trait Word: Copy + 'static {
    /// The list, by its texts, in the order of their places.
    const LIST: &'static [(&'static str, Self)];

    /// The word of a text.
    fn of(text: &str) -> Option<Self> {
        let found = Self::LIST.iter().find(|(known, _)| *known == text);
        found.map(|(_, word)| *word)
    }
}

macro_rules! words {
    ($(#[$about:meta])* $name:ident: $($(#[$one:meta])* $variant:ident = $text:literal),+) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $($(#[$one])* $variant),+
        }

        impl Word for $name {
            const LIST: &'static [(&'static str, Self)] = &[$(($text, Self::$variant)),+];
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(Self::LIST[*self as usize].0)
            }
        }

        impl ToSql for $name {
            accepts!(INT2);
            to_sql_checked!();

            fn to_sql(
                &self,
                of: &Type,
                to: &mut BytesMut,
            ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
                (*self as i16).to_sql(of, to)
            }
        }

        impl<'a> FromSql<'a> for $name {
            accepts!(INT2);

            fn from_sql(of: &Type, from: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
                let place = usize::try_from(i16::from_sql(of, from)?)?;
                let found = Self::LIST.get(place).map(|(_, word)| *word);
                found.ok_or_else(|| "a place that the list does not have".into())
            }
        }
    };
}

words! {
    /// What a user may do.
    Role:
    /// Sees all users, and blocks them.
    Supervisor = "SUPERVISOR",
    /// Parks.
    Customer = "CUSTOMER",
    /// Sees all users, and grants coins.
    CustomerManager = "CUSTOMER_MANAGER",
    /// Has parks.
    ParkManager = "PARK_MANAGER",
    /// Stands in a park; no user has it.
    Device = "DEVICE"
}

words! {
    /// How a user pays.
    PaymentMethod:
    /// By a card of credit.
    Credit = "CREDIT",
    /// By a card of debit.
    Debit = "DEBIT",
    /// By another service.
    Paypal = "PAYPAL",
    /// Not told yet.
    NotDefined = "NOT_DEFINED"
}

words! {
    /// Whether a user may log in.
    UserStatus:
    /// May.
    Enabled = "ENABLED",
    /// May not.
    Disabled = "DISABLED",
    /// May not either.
    Blocked = "BLOCKED"
}

words! {
    /// What a vehicle is.
    VehicleType:
    /// Has four wheels.
    Automobile = "AUTOMOBILE",
    /// Has two.
    Motorcycle = "MOTORCYCLE"
}

words! {
    /// What a vehicle is driven by.
    EnergySource:
    /// Petrol or diesel.
    Fuel = "FUEL",
    /// Gas.
    Gpl = "GPL",
    /// A battery.
    Electric = "ELECTRIC",
    /// Both.
    PlugInHybrid = "PLUG_IN_HYBRID"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_to_the_letter() {
        assert_eq!(Role::of("PARK_MANAGER"), Some(Role::ParkManager));
        assert_eq!(Role::of("park_manager"), None);
        assert_eq!(PaymentMethod::of(""), None);
    }

    #[test]
    fn a_word_is_stored_as_its_place() {
        let mut stored = BytesMut::new();
        let kept = EnergySource::PlugInHybrid.to_sql(&Type::INT2, &mut stored);
        assert!(matches!(kept, Ok(IsNull::No)));
        assert_eq!(&stored[..], [0, 3]);
        let read = EnergySource::from_sql(&Type::INT2, &stored);
        assert_eq!(read.expect("a word"), EnergySource::PlugInHybrid);
        assert!(VehicleType::from_sql(&Type::INT2, &[0, 2]).is_err());
        assert!(VehicleType::from_sql(&Type::INT2, &[255, 255]).is_err());
    }
}
