package loadstone.booking;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Rows of the tables as what they are, and instants as the driver has them. */
final class Rows {

    private Rows() {}

    static OffsetDateTime parameter(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    static Account account(ResultSet row, int number) throws SQLException {
        return new Account(
                row.getLong("id"),
                row.getString("email"),
                row.getString("name"),
                row.getString("role"),
                instant(row, "created_at"));
    }

    static StoredPassword storedPassword(ResultSet row, int number) throws SQLException {
        return new StoredPassword(
                row.getLong("id"), row.getString("password_hash"), Role.of(row.getString("role")));
    }

    static Club club(ResultSet row, int number) throws SQLException {
        return new Club(
                row.getLong("id"),
                row.getLong("owner_id"),
                row.getString("name"),
                row.getString("city"),
                row.getString("description"),
                instant(row, "created_at"));
    }

    static Facility facility(ResultSet row, int number) throws SQLException {
        return new Facility(
                row.getLong("id"),
                row.getLong("club_id"),
                row.getString("name"),
                row.getString("sport"),
                row.getInt("slot_minutes"),
                row.getInt("opens"),
                row.getInt("closes"),
                row.getInt("price_cents"),
                instant(row, "retired_at") != null,
                instant(row, "created_at"));
    }

    static Span span(ResultSet row, int number) throws SQLException {
        return new Span(instant(row, "starts_at"), instant(row, "ends_at"));
    }

    static Reservation reservation(ResultSet row, int number) throws SQLException {
        return new Reservation(
                row.getLong("id"),
                row.getLong("facility_id"),
                row.getLong("player_id"),
                instant(row, "starts_at"),
                instant(row, "ends_at"),
                row.getString("status"),
                row.getInt("price_cents"),
                instant(row, "created_at"),
                instant(row, "decided_at"));
    }

    static OwnedReservation ownedReservation(ResultSet row, int number) throws SQLException {
        return new OwnedReservation(reservation(row, number), row.getLong("owner_id"));
    }

    static Rating rating(ResultSet row, int number) throws SQLException {
        return new Rating(
                row.getLong("reservation_id"),
                row.getLong("facility_id"),
                row.getInt("stars"),
                row.getString("comment"),
                instant(row, "created_at"));
    }

    static Rated rated(ResultSet row, int number) throws SQLException {
        return new Rated(rating(row, number), row.getBoolean("is_new"));
    }

    static RatingSummary ratingSummary(ResultSet row, int number) throws SQLException {
        return new RatingSummary(row.getLong("count"), row.getObject("average", Double.class));
    }

    static StoredReservation storedReservation(ResultSet row, int number) throws SQLException {
        return new StoredReservation(row.getBytes("fingerprint"), row.getString("body"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
