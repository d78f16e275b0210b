package loadstone.booking;

import jakarta.inject.Singleton;
import java.util.function.Predicate;

/** What happens to a reservation, each in one transaction. The constraints have the last word. */
@Singleton
class ReservationService {

    private final Database database;
    private final Facilities facilities;
    private final Reservations reservations;
    private final Ratings ratings;
    private final IdempotencyKeys keys;
    private final Json json;

    ReservationService(
            Database database,
            Facilities facilities,
            Reservations reservations,
            Ratings ratings,
            IdempotencyKeys keys,
            JacksonJson json) {
        this.database = database;
        this.facilities = facilities;
        this.reservations = reservations;
        this.ratings = ratings;
        this.keys = keys;
        this.json = json;
    }

    /** The key is null where there is none. What is refused leaves none, either. */
    Reserved reserve(ReservationBody body, String key, Caller player) {
        return database.inTransaction(
                () ->
                        key == null
                                ? Reserved.now(insert(body, player), json)
                                : insertOnce(body, key, player));
    }

    private Reserved insertOnce(ReservationBody body, String key, Caller player) {
        byte[] fingerprint = IdempotencyKey.fingerprint(body);
        if (!keys.insert(player.id(), key, fingerprint)) {
            return keys.find(player.id(), key).replay(fingerprint, json);
        }
        Reserved reserved = Reserved.now(insert(body, player), json);
        keys.store(player.id(), key, reserved.body());
        return reserved;
    }

    private Reservation insert(ReservationBody body, Caller player) {
        Facility facility = facilities.find(body.facilityId()).orElseThrow(Ownership::notFound);
        Grid.check(facility, body);
        if (facility.retired()) {
            throw new Refusal(Problem.FACILITY_RETIRED);
        }
        return reservations
                .insert(body, facility, player.id())
                .orElseThrow(() -> new Refusal(Problem.SLOT_TAKEN));
    }

    /** Makes it accepted or rejected. */
    Reservation decide(long id, String status, Caller owner) {
        return database.inTransaction(
                () -> {
                    Reservation found = find(id, reservation -> reservation.isOfOwner(owner));
                    return reservations
                            .decide(found, status)
                            .orElseThrow(ReservationService::wrongState);
                });
    }

    Reservation cancel(long id, Caller player) {
        return database.inTransaction(
                () -> {
                    Reservation found = find(id, reservation -> reservation.isOfPlayer(player));
                    return reservations.cancel(found).orElseThrow(ReservationService::wrongState);
                });
    }

    Rated rate(long id, RatingBody body, Caller player) {
        return database.inTransaction(
                () -> {
                    Reservation found = find(id, reservation -> reservation.isOfPlayer(player));
                    if (!found.lives()) {
                        throw wrongState();
                    }
                    return ratings.put(found, body);
                });
    }

    /** One that is another's is not there for the caller. */
    private Reservation find(long id, Predicate<OwnedReservation> isOwn) {
        return reservations.find(id).filter(isOwn).orElseThrow(Ownership::notFound).reservation();
    }

    private static Refusal wrongState() {
        return new Refusal(Problem.WRONG_STATE);
    }
}
