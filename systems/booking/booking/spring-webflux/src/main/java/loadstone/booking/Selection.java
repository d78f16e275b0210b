package loadstone.booking;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * The statement of a list, for drivers that write parameters as `$1`. Parts of it stand where their
 * parameter is given, and parameters have their numbers in turn.
 */
final class Selection {

    /** What stands in a condition for the number of its parameter. */
    private static final String NUMBER = "$n";

    private static final String CLUBS =
            "SELECT id, owner_id, name, city, description, created_at FROM club WHERE id > $1";

    private static final String FACILITIES =
            """
            SELECT f.id, f.club_id, f.name, f.sport, f.slot_minutes, f.opens, f.closes,
              f.price_cents, f.retired_at, f.created_at
            FROM facility f\
            """;

    private static final String CLUB_OF_FACILITY = " JOIN club c ON c.id = f.club_id";

    /** That a slot begins at the minute. */
    private static final String HAS_SLOT =
            "f.opens <= $n AND $n + f.slot_minutes <= f.closes"
                    + " AND ($n - f.opens) % f.slot_minutes = 0";

    private static final String IS_FREE =
            """
            NOT EXISTS (SELECT 1 FROM reservation r
              WHERE r.facility_id = f.id AND r.status IN ('pending', 'accepted')
              AND tstzrange(r.starts_at, r.ends_at) && tstzrange($n::timestamptz,
                $n::timestamptz + f.slot_minutes * interval '1 minute'))\
            """;

    private static final String RESERVATIONS =
            """
            SELECT r.id, r.facility_id, r.player_id, r.starts_at, r.ends_at, r.status,
              r.price_cents, r.created_at, r.decided_at
            FROM reservation r\
            """;

    private static final String CLUB_OF_RESERVATION =
            " JOIN facility f ON f.id = r.facility_id JOIN club c ON c.id = f.club_id";

    private final StringBuilder text;
    private final List<Object> values = new ArrayList<>();

    private Selection(String text, Object... values) {
        this.text = new StringBuilder(text);
        this.values.addAll(List.of(values));
    }

    static Selection clubs(ClubFilter filter, Page page) {
        return new Selection(CLUBS, page.after())
                .and("owner_id = $n", filter.ownerId())
                .and("city = $n", filter.city())
                .and("name ILIKE $n", filter.pattern())
                .end("id", page);
    }

    /** Leaves out those that are retired. */
    static Selection facilities(FacilityFilter filter, Page page) {
        String from = FACILITIES + (filter.city() == null ? "" : CLUB_OF_FACILITY);
        Selection selection =
                new Selection(from + " WHERE f.id > $1 AND f.retired_at IS NULL", page.after())
                        .and("f.sport = $n", filter.sport())
                        .and("c.city = $n", filter.city())
                        .and("f.club_id = $n", filter.clubId());
        if (filter.freeAt() != null) {
            selection
                    .and(HAS_SLOT, filter.minute())
                    .and(IS_FREE, filter.start().atOffset(ZoneOffset.UTC));
        }
        return selection.end("f.id", page);
    }

    /** A player's own, an owner's of own clubs. */
    static Selection reservations(Caller caller, ReservationFilter filter, Page page) {
        String from =
                switch (caller.role()) {
                    case PLAYER -> RESERVATIONS + " WHERE r.id < $1 AND r.player_id = $2";
                    case OWNER ->
                            RESERVATIONS
                                    + CLUB_OF_RESERVATION
                                    + " WHERE r.id < $1 AND c.owner_id = $2";
                };
        return new Selection(from, page.after(), caller.id())
                .and("r.facility_id = $n", filter.facilityId())
                .and("r.status = $n", filter.status())
                .end("r.id DESC", page);
    }

    String text() {
        return text.toString();
    }

    List<Object> values() {
        return values;
    }

    private Selection and(String condition, Object value) {
        if (value != null) {
            text.append(" AND ").append(numbered(condition, value));
        }
        return this;
    }

    private Selection end(String order, Page page) {
        text.append(" ORDER BY ").append(order);
        text.append(numbered(" LIMIT $n", page.rows()));
        return this;
    }

    private String numbered(String part, Object value) {
        values.add(value);
        return part.replace(NUMBER, "$" + values.size());
    }
}
