package loadstone.booking;

import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Service;

/**
 * What an owner changes of own clubs and their facilities, each in one transaction. Hibernate
 * writes at its end what an entity then has otherwise.
 */
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
                    ClubEntity club = own(clubs.load(id), owner);
                    club.replace(body);
                    return club.toClub();
                });
    }

    Facility addFacility(long clubId, FacilityBody body, Caller owner) {
        return database.inTransaction(
                () -> facilities.insert(body, own(clubs.load(clubId), owner)));
    }

    Facility replaceFacility(long id, FacilityBody body, Caller owner) {
        return database.inTransaction(
                () -> {
                    FacilityEntity facility = ownFacility(facilities.load(id), owner);
                    facility.replace(body);
                    return facility.toFacility();
                });
    }

    void retireFacility(long id, Caller owner) {
        database.inTransaction(
                () -> {
                    ownFacility(facilities.load(id), owner).retire(Instant.now());
                    return null;
                });
    }

    private static ClubEntity own(Optional<ClubEntity> club, Caller owner) {
        Ownership.check(club.map(ClubEntity::getOwnerId), owner);
        return club.orElseThrow();
    }

    private static FacilityEntity ownFacility(Optional<FacilityEntity> facility, Caller owner) {
        Ownership.check(facility.map(found -> found.getClub().getOwnerId()), owner);
        return facility.orElseThrow();
    }
}
