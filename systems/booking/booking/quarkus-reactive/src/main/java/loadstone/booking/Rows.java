package loadstone.booking;

import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/**
 * Rows of the tables as what they are, by the order of their columns, and instants as the driver
 * has them.
 */
final class Rows {

    private Rows() {}

    static OffsetDateTime parameter(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    static Long id(Row row) {
        return row.getLong(0);
    }

    static Account account(Row row) {
        return new Account(
                row.getLong(0),
                row.getString(1),
                row.getString(2),
                row.getString(3),
                instant(row, 4));
    }

    static StoredPassword storedPassword(Row row) {
        return new StoredPassword(row.getLong(0), row.getString(1), Role.of(row.getString(2)));
    }

    static Club club(Row row) {
        return new Club(
                row.getLong(0),
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                instant(row, 5));
    }

    static Facility facility(Row row) {
        return new Facility(
                row.getLong(0),
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                row.getInteger(4),
                row.getInteger(5),
                row.getInteger(6),
                row.getInteger(7),
                instant(row, 8) != null,
                instant(row, 9));
    }

    static Span span(Row row) {
        return new Span(instant(row, 0), instant(row, 1));
    }

    static Reservation reservation(Row row) {
        return new Reservation(
                row.getLong(0),
                row.getLong(1),
                row.getLong(2),
                instant(row, 3),
                instant(row, 4),
                row.getString(5),
                row.getInteger(6),
                instant(row, 7),
                instant(row, 8));
    }

    static OwnedReservation ownedReservation(Row row) {
        return new OwnedReservation(reservation(row), row.getLong(9));
    }

    static Rating rating(Row row) {
        return new Rating(
                row.getLong(0),
                row.getLong(1),
                row.getInteger(2),
                row.getString(3),
                instant(row, 4));
    }

    static Rated rated(Row row) {
        return new Rated(rating(row), row.getBoolean(5));
    }

    static RatingSummary ratingSummary(Row row) {
        return new RatingSummary(row.getLong(0), row.getDouble(1));
    }

    static StoredReservation storedReservation(Row row) {
        return new StoredReservation(row.getBuffer(0).getBytes(), row.getString(1));
    }

    private static Instant instant(Row row, int column) {
        OffsetDateTime time = row.getOffsetDateTime(column);
        return time == null ? null : time.toInstant();
    }
}
