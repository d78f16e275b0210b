package loadstone.booking;

import java.time.Instant;

/** A time that a reservation takes, its end not in it. */
record Span(Instant startsAt, Instant endsAt) {

    boolean overlaps(Instant start, Instant end) {
        return startsAt.isBefore(end) && endsAt.isAfter(start);
    }
}
