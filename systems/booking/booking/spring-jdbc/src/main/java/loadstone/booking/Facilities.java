package loadstone.booking;

import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of facilities. Each method is one statement. */
@Repository
class Facilities {

    private static final String COLUMNS =
            "id, club_id, name, sport, slot_minutes, opens, closes, price_cents, retired_at,"
                    + " created_at";

    private static final String LIST =
            """
            SELECT f.id, f.club_id, f.name, f.sport, f.slot_minutes, f.opens, f.closes,
              f.price_cents, f.retired_at, f.created_at
            FROM facility f %s WHERE f.id > :after AND f.retired_at IS NULL\
            """;

    private static final String CLUB = "JOIN club c ON c.id = f.club_id";

    /** That a slot begins at the minute. */
    private static final String HAS_SLOT =
            "f.opens <= :minute AND :minute + f.slot_minutes <= f.closes"
                    + " AND (:minute - f.opens) % f.slot_minutes = 0";

    private static final String IS_FREE =
            """
            NOT EXISTS (SELECT 1 FROM reservation r
              WHERE r.facility_id = f.id AND r.status IN ('pending', 'accepted')
              AND tstzrange(r.starts_at, r.ends_at)
                && tstzrange(:start, :start + f.slot_minutes * interval '1 minute'))\
            """;

    private final JdbcClient jdbc;

    Facilities(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Leaves out those that are retired. */
    List<Facility> list(FacilityFilter filter, Page page) {
        Selection selection =
                new Selection(LIST.formatted(filter.city() == null ? "" : CLUB))
                        .with("after", page.after())
                        .and("f.sport = :sport", "sport", filter.sport())
                        .and("c.city = :city", "city", filter.city())
                        .and("f.club_id = :clubId", "clubId", filter.clubId());
        if (filter.freeAt() != null) {
            selection
                    .and(HAS_SLOT, "minute", filter.minute())
                    .and(IS_FREE, "start", Rows.parameter(filter.start()));
        }
        return selection.end("f.id", page.rows()).list(jdbc, Rows::facility);
    }

    Facility insert(FacilityBody body, long clubId) {
        return jdbc.sql(
                        "INSERT INTO facility (club_id, name, sport, slot_minutes, opens, closes,"
                                + " price_cents) VALUES (:clubId, :name, :sport, :slotMinutes,"
                                + " :opens, :closes, :priceCents) RETURNING "
                                + COLUMNS)
                .param("clubId", clubId)
                .param("name", body.name())
                .param("sport", body.sport())
                .param("slotMinutes", body.slotMinutes())
                .param("opens", body.opens())
                .param("closes", body.closes())
                .param("priceCents", body.priceCents())
                .query(Rows::facility)
                .single();
    }

    Optional<Facility> find(long id) {
        return jdbc.sql("SELECT " + COLUMNS + " FROM facility WHERE id = :id")
                .param("id", id)
                .query(Rows::facility)
                .optional();
    }

    boolean exists(long id) {
        return jdbc.sql("SELECT 1 FROM facility WHERE id = :id")
                .param("id", id)
                .query(Integer.class)
                .optional()
                .isPresent();
    }

    /** Gives the owner of its club. */
    Optional<Long> findOwner(long id) {
        return jdbc.sql(
                        "SELECT c.owner_id FROM facility f JOIN club c ON c.id = f.club_id"
                                + " WHERE f.id = :id")
                .param("id", id)
                .query(Long.class)
                .optional();
    }

    Optional<Facility> update(long id, FacilityBody body) {
        return jdbc.sql(
                        "UPDATE facility SET name = :name, sport = :sport,"
                                + " slot_minutes = :slotMinutes, opens = :opens, closes = :closes,"
                                + " price_cents = :priceCents WHERE id = :id RETURNING "
                                + COLUMNS)
                .param("id", id)
                .param("name", body.name())
                .param("sport", body.sport())
                .param("slotMinutes", body.slotMinutes())
                .param("opens", body.opens())
                .param("closes", body.closes())
                .param("priceCents", body.priceCents())
                .query(Rows::facility)
                .optional();
    }

    /** One that is retired stays so since then. */
    void retire(long id) {
        jdbc.sql("UPDATE facility SET retired_at = coalesce(retired_at, now()) WHERE id = :id")
                .param("id", id)
                .update();
    }
}
