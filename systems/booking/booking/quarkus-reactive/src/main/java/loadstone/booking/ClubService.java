package loadstone.booking;

import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.function.Supplier;

/** What an owner changes of own clubs and their facilities, each in one transaction. */
@Singleton
final class ClubService {

    private final Database database;
    private final Clubs clubs;
    private final Facilities facilities;

    ClubService(Database database, Clubs clubs, Facilities facilities) {
        this.database = database;
        this.clubs = clubs;
        this.facilities = facilities;
    }

    Uni<Club> replace(long id, ClubBody body, Caller owner) {
        return database.inTransaction(
                lease ->
                        ifOwn(
                                        clubs.findOwner(lease, id),
                                        owner,
                                        () -> clubs.update(lease, id, body))
                                .map(updated -> updated.orElseThrow(Ownership::notFound)));
    }

    Uni<Facility> addFacility(long clubId, FacilityBody body, Caller owner) {
        return database.inTransaction(
                lease ->
                        ifOwn(
                                clubs.findOwner(lease, clubId),
                                owner,
                                () -> facilities.insert(lease, body, clubId)));
    }

    Uni<Facility> replaceFacility(long id, FacilityBody body, Caller owner) {
        return database.inTransaction(
                lease ->
                        ifOwn(
                                        facilities.findOwner(lease, id),
                                        owner,
                                        () -> facilities.update(lease, id, body))
                                .map(updated -> updated.orElseThrow(Ownership::notFound)));
    }

    Uni<Void> retireFacility(long id, Caller owner) {
        return database.inTransaction(
                lease ->
                        ifOwn(
                                        facilities.findOwner(lease, id),
                                        owner,
                                        () -> facilities.retire(lease, id))
                                .replaceWithVoid());
    }

    private static <T> Uni<T> ifOwn(
            Uni<Optional<Long>> ownerId, Caller caller, Supplier<Uni<T>> change) {
        return ownerId.invoke(found -> Ownership.check(found, caller)).chain(found -> change.get());
    }
}
