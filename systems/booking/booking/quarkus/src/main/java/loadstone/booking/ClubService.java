package loadstone.booking;

import jakarta.inject.Singleton;

/** What an owner changes of own clubs and their facilities, each in one transaction. */
@Singleton
class ClubService {

    private final Database database;
    private final Clubs clubs;
    private final Facilities facilities;

    ClubService(Database database, Clubs clubs, Facilities facilities) {
        this.database = database;
        this.clubs = clubs;
        this.facilities = facilities;
    }

    Club replace(long id, ClubBody body, Caller owner) {
        return database.inTransaction(() -> clubs.update(findOwn(id, owner), body));
    }

    Facility addFacility(long clubId, FacilityBody body, Caller owner) {
        return database.inTransaction(() -> facilities.insert(body, findOwn(clubId, owner).id()));
    }

    Facility replaceFacility(long id, FacilityBody body, Caller owner) {
        return database.inTransaction(() -> facilities.update(findOwnFacility(id, owner), body));
    }

    void retireFacility(long id, Caller owner) {
        database.inTransaction(
                () -> {
                    facilities.retire(findOwnFacility(id, owner));
                    return null;
                });
    }

    private Club findOwn(long id, Caller owner) {
        Club club = clubs.find(id).orElseThrow(Ownership::notFound);
        Ownership.check(club.ownerId(), owner);
        return club;
    }

    private Facility findOwnFacility(long id, Caller owner) {
        OwnedFacility found = facilities.findOwned(id).orElseThrow(Ownership::notFound);
        Ownership.check(found.ownerId(), owner);
        return found.facility();
    }
}
