package loadstone.booking;

import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** What an owner changes of own clubs and their facilities, each in one transaction. */
@Service
class ClubService {

    private final Database database;

    ClubService(Database database) {
        this.database = database;
    }

    Mono<Club> replace(long id, ClubBody body, Caller owner) {
        return database.inTransaction(
                session ->
                        checkClub(session, id, owner)
                                .then(
                                        session.row(
                                                Sql.UPDATE_CLUB,
                                                Rows::club,
                                                id,
                                                body.name(),
                                                body.city(),
                                                body.description()))
                                .switchIfEmpty(Ownership.notFound()));
    }

    Mono<Facility> addFacility(long clubId, FacilityBody body, Caller owner) {
        return database.inTransaction(
                session ->
                        checkClub(session, clubId, owner)
                                .then(facility(session, Sql.INSERT_FACILITY, clubId, body)));
    }

    Mono<Facility> replaceFacility(long id, FacilityBody body, Caller owner) {
        return database.inTransaction(
                session ->
                        checkFacility(session, id, owner)
                                .then(facility(session, Sql.UPDATE_FACILITY, id, body))
                                .switchIfEmpty(Ownership.notFound()));
    }

    Mono<Long> retireFacility(long id, Caller owner) {
        return database.inTransaction(
                session ->
                        checkFacility(session, id, owner)
                                .then(session.change(Sql.RETIRE_FACILITY, id)));
    }

    private static Mono<Long> checkClub(Session session, long id, Caller owner) {
        return Ownership.check(session.row(Sql.OWNER_OF_CLUB, Rows::ownerId, id), owner);
    }

    private static Mono<Long> checkFacility(Session session, long id, Caller owner) {
        return Ownership.check(session.row(Sql.OWNER_OF_FACILITY, Rows::ownerId, id), owner);
    }

    /** By a statement whose first parameter is the id, and whose others are the members. */
    private static Mono<Facility> facility(
            Session session, String text, long id, FacilityBody body) {
        return session.row(
                text,
                Rows::facility,
                id,
                body.name(),
                body.sport(),
                body.slotMinutes(),
                body.opens(),
                body.closes(),
                body.priceCents());
    }
}
