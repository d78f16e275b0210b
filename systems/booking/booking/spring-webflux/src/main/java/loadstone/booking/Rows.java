package loadstone.booking;

import io.r2dbc.spi.Row;
import java.time.Instant;

/** Rows of the tables as what they are. */
final class Rows {

    private Rows() {}

    static Account account(Row row) {
        return new Account(
                id(row, "id"),
                row.get("email", String.class),
                row.get("name", String.class),
                row.get("role", String.class),
                instant(row, "created_at"));
    }

    static StoredPassword storedPassword(Row row) {
        return new StoredPassword(
                id(row, "id"),
                row.get("password_hash", String.class),
                Role.of(row.get("role", String.class)));
    }

    static Club club(Row row) {
        return new Club(
                id(row, "id"),
                id(row, "owner_id"),
                row.get("name", String.class),
                row.get("city", String.class),
                row.get("description", String.class),
                instant(row, "created_at"));
    }

    static Long ownerId(Row row) {
        return id(row, "owner_id");
    }

    static Facility facility(Row row) {
        return new Facility(
                id(row, "id"),
                id(row, "club_id"),
                row.get("name", String.class),
                row.get("sport", String.class),
                integer(row, "slot_minutes"),
                integer(row, "opens"),
                integer(row, "closes"),
                integer(row, "price_cents"),
                instant(row, "retired_at") != null,
                instant(row, "created_at"));
    }

    static Span span(Row row) {
        return new Span(instant(row, "starts_at"), instant(row, "ends_at"));
    }

    static Reservation reservation(Row row) {
        return new Reservation(
                id(row, "id"),
                id(row, "facility_id"),
                id(row, "player_id"),
                instant(row, "starts_at"),
                instant(row, "ends_at"),
                row.get("status", String.class),
                integer(row, "price_cents"),
                instant(row, "created_at"),
                instant(row, "decided_at"));
    }

    static OwnedReservation ownedReservation(Row row) {
        return new OwnedReservation(reservation(row), ownerId(row));
    }

    static Rating rating(Row row) {
        return new Rating(
                id(row, "reservation_id"),
                id(row, "facility_id"),
                integer(row, "stars"),
                row.get("comment", String.class),
                instant(row, "created_at"));
    }

    static Rated rated(Row row) {
        return new Rated(rating(row), Boolean.TRUE.equals(row.get("is_new", Boolean.class)));
    }

    static RatingSummary ratingSummary(Row row) {
        return new RatingSummary(id(row, "count"), row.get("average", Double.class));
    }

    static StoredReservation storedReservation(Row row) {
        return new StoredReservation(
                row.get("fingerprint", byte[].class), row.get("body", String.class));
    }

    private static Long id(Row row, String column) {
        return row.get(column, Long.class);
    }

    private static Integer integer(Row row, String column) {
        return row.get(column, Integer.class);
    }

    private static Instant instant(Row row, String column) {
        return row.get(column, Instant.class);
    }
}
