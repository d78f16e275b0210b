//! When and by whom something is put together: all that it depends on beside the session's values.

use crate::session::draws::{Drawer, Purpose};
use crate::session::rows::Rows;
use crate::session::values::{Value, Values};

/// One moment of one session.
#[derive(Clone, Copy, Debug)]
pub struct Occasion<'a> {
    /// The feeds of the plan.
    pub feeds: &'a [Rows],
    /// The URL of the target, without a path.
    pub origin: &'a str,
    /// The seed of the plan.
    pub seed: u64,
    /// The key of the run: `draws::run_key`.
    pub run_key: u64,
    /// The index of the group.
    pub group: u64,
    /// The number of the session in its group.
    pub session_number: u64,
    /// The number of the user in its group; 0 where there are none.
    pub user_number: u64,
    /// The turn of the innermost `repeat`; 0 outside of all.
    pub turn: u64,
    /// The turn over all `repeat`s, by which is drawn: 1,000 for each of an outer one.
    pub draw_turn: u64,
    /// The time since 1970.
    pub now_unix_ns: u64,
}

impl Occasion<'_> {
    /// 64 random bits.
    #[must_use]
    pub fn draw(&self, purpose: Purpose, number: u32) -> u64 {
        let drawer = Drawer {
            seed: self.seed,
            group: self.group,
            session: self.session_number,
            turn: self.draw_turn,
        };
        drawer.draw(purpose, number)
    }

    /// The time in seconds since 1970.
    #[must_use]
    pub fn now_unix_s(&self) -> i64 {
        (self.now_unix_ns / 1_000_000_000).cast_signed()
    }
}

/// An occasion and the session's values by then.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The values.
    pub values: &'a Values,
    /// All else.
    pub occasion: &'a Occasion<'a>,
}

impl<'a> Context<'a> {
    /// A value; none if the session does not have it.
    #[must_use]
    pub fn value(&self, index: usize) -> Option<Value<'a>> {
        self.values.get(index, self.occasion.feeds)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Session 41 of user 3, at turn 2, in 2041.
    pub const OCCASION: Occasion<'static> = Occasion {
        feeds: &[],
        origin: "http://127.0.0.1:9090",
        seed: 7,
        run_key: 0,
        group: 1,
        session_number: 41,
        user_number: 3,
        turn: 2,
        draw_turn: 2,
        now_unix_ns: 2_240_719_200_123_456_789,
    };

    #[test]
    fn draws_are_of_the_session_and_its_turn() {
        let draw = |occasion: Occasion| occasion.draw(Purpose::Random, 1);
        let later = Occasion {
            now_unix_ns: 5,
            user_number: 9,
            turn: 0,
            ..OCCASION
        };
        assert_eq!(draw(later), draw(OCCASION));
        let other = Occasion {
            session_number: 42,
            ..OCCASION
        };
        assert_ne!(draw(other), draw(OCCASION));
        let turned = Occasion {
            draw_turn: 3,
            ..OCCASION
        };
        assert_ne!(draw(turned), draw(OCCASION));
        assert_eq!(OCCASION.now_unix_s(), 2_240_719_200);
    }
}
