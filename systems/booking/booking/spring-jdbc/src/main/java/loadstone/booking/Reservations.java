package loadstone.booking;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of reservations. Each method is one statement. */
@Repository
class Reservations {

    private static final String COLUMNS =
            "id, facility_id, player_id, starts_at, ends_at, status, price_cents, created_at,"
                    + " decided_at";

    private static final String OWN_COLUMNS =
            "r.id, r.facility_id, r.player_id, r.starts_at, r.ends_at, r.status, r.price_cents,"
                    + " r.created_at, r.decided_at";

    private static final String WITH_CLUB =
            " FROM reservation r JOIN facility f ON f.id = r.facility_id"
                    + " JOIN club c ON c.id = f.club_id";

    private final JdbcClient jdbc;

    Reservations(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Gives the times that are taken between two instants, in order. */
    List<Span> taken(long facilityId, Instant from, Instant to) {
        return jdbc.sql(
                        """
                        SELECT starts_at, ends_at FROM reservation
                        WHERE facility_id = :facilityId AND status IN ('pending', 'accepted')
                          AND tstzrange(starts_at, ends_at) && tstzrange(:from, :to)
                        ORDER BY starts_at
                        """)
                .param("facilityId", facilityId)
                .param("from", Rows.parameter(from))
                .param("to", Rows.parameter(to))
                .query(Rows::span)
                .list();
    }

    /** Gives nothing where another is in the time. */
    Optional<Reservation> insert(ReservationBody body, Facility facility, long playerId) {
        return jdbc.sql(
                        "INSERT INTO reservation (facility_id, player_id, starts_at, ends_at,"
                                + " price_cents) VALUES (:facilityId, :playerId, :startsAt,"
                                + " :endsAt, :priceCents) ON CONFLICT DO NOTHING RETURNING "
                                + COLUMNS)
                .param("facilityId", facility.id())
                .param("playerId", playerId)
                .param("startsAt", Rows.parameter(body.startsAt()))
                .param("endsAt", Rows.parameter(Grid.end(facility, body)))
                .param("priceCents", Grid.price(facility, body))
                .query(Rows::reservation)
                .optional();
    }

    Optional<OwnedReservation> find(long id) {
        return jdbc.sql("SELECT " + OWN_COLUMNS + ", c.owner_id" + WITH_CLUB + " WHERE r.id = :id")
                .param("id", id)
                .query(Rows::ownedReservation)
                .optional();
    }

    List<Reservation> listOfPlayer(long playerId, ReservationFilter filter, Page page) {
        return list(" FROM reservation r", "r.player_id", playerId, filter, page);
    }

    List<Reservation> listOfOwner(long ownerId, ReservationFilter filter, Page page) {
        return list(WITH_CLUB, "c.owner_id", ownerId, filter, page);
    }

    private List<Reservation> list(
            String from, String column, long accountId, ReservationFilter filter, Page page) {
        return new Selection(
                        "SELECT "
                                + OWN_COLUMNS
                                + from
                                + " WHERE r.id < :before AND "
                                + column
                                + " = :accountId")
                .with("before", page.after())
                .with("accountId", accountId)
                .and("r.facility_id = :facilityId", "facilityId", filter.facilityId())
                .and("r.status = :status", "status", filter.status())
                .end("r.id DESC", page.rows())
                .list(jdbc, Rows::reservation);
    }

    /** Gives nothing where it is not pending. */
    Optional<Reservation> decide(Reservation found, String status) {
        return jdbc.sql(
                        "UPDATE reservation SET status = :status, decided_at = now()"
                                + " WHERE id = :id AND status = 'pending' RETURNING "
                                + COLUMNS)
                .param("id", found.id())
                .param("status", status)
                .query(Rows::reservation)
                .optional();
    }

    /** Gives nothing where it is neither pending nor accepted. */
    Optional<Reservation> cancel(Reservation found) {
        return jdbc.sql(
                        "UPDATE reservation SET status = 'cancelled' WHERE id = :id"
                                + " AND status IN ('pending', 'accepted') RETURNING "
                                + COLUMNS)
                .param("id", found.id())
                .query(Rows::reservation)
                .optional();
    }
}
