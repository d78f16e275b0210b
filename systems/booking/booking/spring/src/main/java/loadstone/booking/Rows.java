package loadstone.booking;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Rows of the statements that are not Hibernate's. */
final class Rows {

    private Rows() {}

    static Rated rated(ResultSet row, int number) throws SQLException {
        var rating =
                new Rating(
                        row.getLong("reservation_id"),
                        row.getLong("facility_id"),
                        row.getInt("stars"),
                        row.getString("comment"),
                        row.getObject("created_at", OffsetDateTime.class).toInstant());
        return new Rated(rating, row.getBoolean("is_new"));
    }

    /** Null of one that was not decided. */
    static Instant decidedAt(ResultSet row) throws SQLException {
        OffsetDateTime decidedAt = row.getObject("decided_at", OffsetDateTime.class);
        return decidedAt == null ? null : decidedAt.toInstant();
    }

    static StoredReservation storedReservation(ResultSet row, int number) throws SQLException {
        return new StoredReservation(row.getBytes("fingerprint"), row.getString("body"));
    }
}
