package loadstone.booking;

import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.function.Predicate;

/** What happens to a reservation, each in one transaction. The constraints have the last word. */
@Singleton
final class ReservationService {

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
    Uni<Reserved> reserve(ReservationBody body, String key, Caller player) {
        return database.inTransaction(
                lease ->
                        key == null
                                ? insert(lease, body, player)
                                : insertOnce(lease, body, key, player));
    }

    private Uni<Reserved> insertOnce(Lease lease, ReservationBody body, String key, Caller player) {
        byte[] fingerprint = IdempotencyKey.fingerprint(body);
        return keys.insert(lease, player.id(), key, fingerprint)
                .chain(
                        isNew ->
                                isNew
                                        ? insertAndStore(lease, body, key, player)
                                        : keys.find(lease, player.id(), key)
                                                .map(stored -> stored.replay(fingerprint, json)));
    }

    private Uni<Reserved> insertAndStore(
            Lease lease, ReservationBody body, String key, Caller player) {
        return insert(lease, body, player)
                .call(reserved -> keys.store(lease, player.id(), key, reserved.body()));
    }

    private Uni<Reserved> insert(Lease lease, ReservationBody body, Caller player) {
        return facilities
                .find(lease, body.facilityId())
                .map(found -> check(found, body))
                .chain(facility -> reservations.insert(lease, body, facility, player.id()))
                .map(made -> made.orElseThrow(() -> new Refusal(Problem.SLOT_TAKEN)))
                .map(reservation -> Reserved.now(reservation, json));
    }

    private static Facility check(Optional<Facility> found, ReservationBody body) {
        Facility facility = found.orElseThrow(Ownership::notFound);
        Grid.check(facility, body);
        if (facility.retired()) {
            throw new Refusal(Problem.FACILITY_RETIRED);
        }
        return facility;
    }

    /** Makes it accepted or rejected. */
    Uni<Reservation> decide(long id, String status, Caller owner) {
        return database.inTransaction(
                lease ->
                        find(lease, id, reservation -> reservation.isOfOwner(owner))
                                .chain(found -> reservations.decide(lease, found, status))
                                .map(
                                        decided ->
                                                decided.orElseThrow(
                                                        ReservationService::wrongState)));
    }

    Uni<Reservation> cancel(long id, Caller player) {
        return database.inTransaction(
                lease ->
                        find(lease, id, reservation -> reservation.isOfPlayer(player))
                                .chain(found -> reservations.cancel(lease, found))
                                .map(ended -> ended.orElseThrow(ReservationService::wrongState)));
    }

    Uni<Rated> rate(long id, RatingBody body, Caller player) {
        return database.inTransaction(
                lease ->
                        find(lease, id, reservation -> reservation.isOfPlayer(player))
                                .invoke(ReservationService::checkLives)
                                .chain(found -> ratings.put(lease, found, body)));
    }

    /** One that is another's is not there for the caller. */
    private Uni<Reservation> find(Lease lease, long id, Predicate<OwnedReservation> isOwn) {
        return reservations
                .find(lease, id)
                .map(found -> found.filter(isOwn).orElseThrow(Ownership::notFound).reservation());
    }

    private static void checkLives(Reservation reservation) {
        if (!reservation.lives()) {
            throw wrongState();
        }
    }

    private static Refusal wrongState() {
        return new Refusal(Problem.WRONG_STATE);
    }
}
