package loadstone.booking;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.function.Predicate;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** What happens to a reservation, each in one transaction. The constraints have the last word. */
@Service
class ReservationService {

    private final Database database;
    private final Json json;

    ReservationService(Database database, Json json) {
        this.database = database;
        this.json = json;
    }

    /** The key is null where there is none. What is refused leaves none, either. */
    Mono<Reserved> reserve(ReservationBody body, String key, Caller player) {
        return database.inTransaction(
                session ->
                        key == null
                                ? insert(session, body, player)
                                : insertOnce(session, body, key, player));
    }

    private Mono<Reserved> insertOnce(
            Session session, ReservationBody body, String key, Caller player) {
        byte[] fingerprint = IdempotencyKey.fingerprint(body);
        return session.change(Sql.INSERT_KEY, player.id(), key, fingerprint)
                .flatMap(
                        count ->
                                count == 0
                                        ? replay(session, key, fingerprint, player)
                                        : insert(session, body, player)
                                                .flatMap(
                                                        made -> store(session, key, made, player)));
    }

    private Mono<Reserved> replay(Session session, String key, byte[] fingerprint, Caller player) {
        return session.row(Sql.KEY, Rows::storedReservation, player.id(), key)
                .map(stored -> stored.replay(fingerprint, json));
    }

    private static Mono<Reserved> store(Session session, String key, Reserved made, Caller player) {
        return session.change(Sql.STORE_KEY, player.id(), key, made.body()).thenReturn(made);
    }

    private Mono<Reserved> insert(Session session, ReservationBody body, Caller player) {
        return session.row(Sql.FACILITY, Rows::facility, body.facilityId())
                .switchIfEmpty(Ownership.notFound())
                .doOnNext(facility -> check(facility, body))
                .flatMap(facility -> insert(session, body, facility, player))
                .switchIfEmpty(Ownership.refused(Problem.SLOT_TAKEN))
                .map(reservation -> Reserved.now(reservation, json));
    }

    private static void check(Facility facility, ReservationBody body) {
        Grid.check(facility, body);
        if (facility.retired()) {
            throw new Refusal(Problem.FACILITY_RETIRED);
        }
    }

    private static Mono<Reservation> insert(
            Session session, ReservationBody body, Facility facility, Caller player) {
        return session.row(
                Sql.RESERVE,
                Rows::reservation,
                facility.id(),
                player.id(),
                parameter(body.startsAt()),
                parameter(Grid.end(facility, body)),
                Grid.price(facility, body));
    }

    private static OffsetDateTime parameter(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    /** Makes it accepted or rejected. */
    Mono<Reservation> decide(long id, String status, Caller owner) {
        return database.inTransaction(
                session ->
                        find(session, id, reservation -> reservation.isOfOwner(owner))
                                .then(session.row(Sql.DECIDE, Rows::reservation, id, status))
                                .switchIfEmpty(Ownership.refused(Problem.WRONG_STATE)));
    }

    Mono<Reservation> cancel(long id, Caller player) {
        return database.inTransaction(
                session ->
                        find(session, id, reservation -> reservation.isOfPlayer(player))
                                .then(session.row(Sql.CANCEL, Rows::reservation, id))
                                .switchIfEmpty(Ownership.refused(Problem.WRONG_STATE)));
    }

    Mono<Rated> rate(long id, RatingBody body, Caller player) {
        return database.inTransaction(
                session ->
                        find(session, id, reservation -> reservation.isOfPlayer(player))
                                .filter(Reservation::lives)
                                .switchIfEmpty(Ownership.refused(Problem.WRONG_STATE))
                                .flatMap(
                                        reservation ->
                                                session.row(
                                                        Sql.RATE,
                                                        Rows::rated,
                                                        id,
                                                        reservation.facilityId(),
                                                        body.stars(),
                                                        body.comment())));
    }

    /** One that is another's is not there for the caller. */
    private static Mono<Reservation> find(
            Session session, long id, Predicate<OwnedReservation> isOwn) {
        return session.row(Sql.RESERVATION, Rows::ownedReservation, id)
                .filter(isOwn)
                .map(OwnedReservation::reservation)
                .switchIfEmpty(Ownership.notFound());
    }
}
