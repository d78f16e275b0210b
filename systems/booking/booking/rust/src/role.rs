//! What an account is for.

use serde::{Deserialize, Serialize};

/// An account has one of them, for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Reserves and rates.
    Player,
    /// Has clubs, and decides there.
    Owner,
}

impl Role {
    /// All, by their words.
    pub const WORDS: [(&'static str, Self); 2] = [("player", Self::Player), ("owner", Self::Owner)];

    /// The word of one.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Owner => "owner",
        }
    }
}
