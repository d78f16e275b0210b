package loadstone.booking;

import org.springframework.stereotype.Service;

/** What an owner changes of own clubs and their facilities, each in one transaction. */
@Service
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
        return database.inTransaction(
                () -> {
                    Ownership.check(clubs.findOwner(id), owner);
                    return clubs.update(id, body).orElseThrow(Ownership::notFound);
                });
    }

    Facility addFacility(long clubId, FacilityBody body, Caller owner) {
        return database.inTransaction(
                () -> {
                    Ownership.check(clubs.findOwner(clubId), owner);
                    return facilities.insert(body, clubId);
                });
    }

    Facility replaceFacility(long id, FacilityBody body, Caller owner) {
        return database.inTransaction(
                () -> {
                    Ownership.check(facilities.findOwner(id), owner);
                    return facilities.update(id, body).orElseThrow(Ownership::notFound);
                });
    }

    void retireFacility(long id, Caller owner) {
        database.inTransaction(
                () -> {
                    Ownership.check(facilities.findOwner(id), owner);
                    facilities.retire(id);
                    return null;
                });
    }
}
