//! Groups side by side.

use super::*;
use crate::arrivals::closed_arrivals::ClosedPlan;
use crate::arrivals::schedule::GroupPlace;
use crate::arrivals::stages::tests::stage;

fn users(count: u32, number: u64) -> GroupOffers {
    let count = f64::from(count);
    let plan = ClosedPlan {
        stages: &[stage(count, count, 1)],
        group: GroupPlace { number, groups: 2 },
        ..ClosedPlan::of_one(2)
    };
    GroupOffers {
        arriving: Arriving::Users(ClosedArrivals::new(&plan, WorkerPart::WHOLE)),
        homes: 2,
        part: WorkerPart::WHOLE,
    }
}

#[test]
fn groups_are_asked_in_turn_and_have_lanes_of_their_own() {
    let mut offers = Offers::new(vec![users(2, 0), users(2, 1)], 2);
    let (mut budget, mut seen) = (Budget::new(Some(5)), Vec::new());
    while let Some((group, offer)) = offers.next(0, &mut budget) {
        let Offer::Begin { due, number, .. } = offer else {
            panic!("{offer:?}")
        };
        assert_eq!(offers.group_of(due.lane / 2), group);
        seen.push((group, due.place, due.lane, number));
    }
    let expected = [
        (0, 0, 0, 0),
        (1, 0, 4, 0),
        (0, 1, 1, 1),
        (1, 1, 5, 1),
        (0, 2, 2, 2),
    ];
    assert_eq!(seen, expected);
    assert_eq!((offers.homes(), offers.groups()), (4, 2));
}
