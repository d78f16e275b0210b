package loadstone.booking;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Sort;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.hibernate.Session;

/**
 * The data access to reservations. What makes or changes one is in SQL, since a row that it gives
 * back, or none, tells at once what has come of it.
 */
@Singleton
class Reservations implements PanacheRepositoryBase<ReservationEntity, Long> {

    private static final String GIVING =
            " RETURNING id, facility_id, player_id, starts_at, ends_at, status, price_cents,"
                    + " created_at, decided_at";

    private static final String WITH_CLUB =
            " from ReservationEntity r join FacilityEntity f on f.id = r.facilityId"
                    + " join ClubEntity c on c.id = f.clubId where ";

    private final Session session;

    Reservations(Session session) {
        this.session = session;
    }

    /** Gives nothing where another reservation is in the time. */
    Optional<Reservation> insert(ReservationBody body, Facility facility, long playerId) {
        return session.createNativeQuery(
                        "INSERT INTO reservation"
                                + " (facility_id, player_id, starts_at, ends_at, price_cents)"
                                + " VALUES (:facility, :player, :start, :end, :price)"
                                + " ON CONFLICT DO NOTHING"
                                + GIVING,
                        ReservationEntity.class)
                .setParameter("facility", facility.id())
                .setParameter("player", playerId)
                .setParameter("start", body.startsAt())
                .setParameter("end", Grid.end(facility, body))
                .setParameter("price", Grid.price(facility, body))
                .uniqueResultOptional()
                .map(ReservationEntity::answer);
    }

    /** What is read is not kept in the session, where what changes it by SQL would not be seen. */
    Optional<OwnedReservation> find(long id) {
        Optional<Object[]> row =
                session.createSelectionQuery(
                                "select r, c.ownerId" + WITH_CLUB + "r.id = :id", Object[].class)
                        .setParameter("id", id)
                        .uniqueResultOptional();
        row.ifPresent(found -> session.detach(found[0]));
        return row.map(
                found ->
                        new OwnedReservation(
                                ((ReservationEntity) found[0]).answer(), (Long) found[1]));
    }

    /** From the newest on. */
    List<Reservation> listOfPlayer(long playerId, ReservationFilter filter, Page page) {
        var conditions =
                new Conditions("id < :after", "after", page.after())
                        .and("playerId = :player", "player", playerId)
                        .and("facilityId = :facility", "facility", filter.facilityId())
                        .and("status = :status", "status", filter.status());
        return find(conditions.text(), Sort.descending("id"), conditions.values())
                .range(0, page.rows() - 1)
                .list()
                .stream()
                .map(ReservationEntity::answer)
                .toList();
    }

    /** Those of an owner's clubs, from the newest on. */
    List<Reservation> listOfOwner(long ownerId, ReservationFilter filter, Page page) {
        var conditions =
                new Conditions("r.id < :after", "after", page.after())
                        .and("c.ownerId = :owner", "owner", ownerId)
                        .and("r.facilityId = :facility", "facility", filter.facilityId())
                        .and("r.status = :status", "status", filter.status());
        var query =
                session.createSelectionQuery(
                        "select r" + WITH_CLUB + conditions.text() + " order by r.id desc",
                        ReservationEntity.class);
        conditions.values().forEach(query::setParameter);
        return query.setMaxResults(page.rows()).getResultList().stream()
                .map(ReservationEntity::answer)
                .toList();
    }

    /** The times of a facility that reservations which live take. */
    List<Span> taken(long facilityId, Instant from, Instant to) {
        return session
                .createNativeQuery(
                        "SELECT starts_at, ends_at FROM reservation WHERE facility_id = :facility"
                                + " AND status IN ('pending', 'accepted')"
                                + " AND tstzrange(starts_at, ends_at) && tstzrange(:from, :to)"
                                + " ORDER BY starts_at",
                        Object[].class)
                .addScalar("starts_at", Instant.class)
                .addScalar("ends_at", Instant.class)
                .setParameter("facility", facilityId)
                .setParameter("from", from)
                .setParameter("to", to)
                .getResultList()
                .stream()
                .map(row -> new Span((Instant) row[0], (Instant) row[1]))
                .toList();
    }

    /** Accepts or rejects what is pending. Gives nothing where it is not. */
    Optional<Reservation> decide(Reservation found, String status) {
        return session.createNativeQuery(
                        "UPDATE reservation SET status = :status, decided_at = now()"
                                + " WHERE id = :id AND status = 'pending'"
                                + GIVING,
                        ReservationEntity.class)
                .setParameter("status", status)
                .setParameter("id", found.id())
                .uniqueResultOptional()
                .map(ReservationEntity::answer);
    }

    /** Gives nothing where it is neither pending nor accepted. */
    Optional<Reservation> cancel(Reservation found) {
        return session.createNativeQuery(
                        "UPDATE reservation SET status = 'cancelled'"
                                + " WHERE id = :id AND status IN ('pending', 'accepted')"
                                + GIVING,
                        ReservationEntity.class)
                .setParameter("id", found.id())
                .uniqueResultOptional()
                .map(ReservationEntity::answer);
    }
}
