package loadstone.booking;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What `list-facilities` is asked for; null where it is not. The instant is there where a slot has
 * to be free then.
 */
record FacilityFilter(String sport, String city, Long clubId, Instant freeAt) {

    /** On no grid. */
    private static final int NO_MINUTE = -1;

    /** Reservations are between these, while drivers cannot send all years that a text can have. */
    private static final Instant BEFORE_ALL = Instant.parse("2000-01-01T00:00:00Z");

    private static final Instant BEHIND_ALL = Instant.parse("2200-01-01T00:00:00Z");

    /** Throws a Refusal. */
    static FacilityFilter of(Query query) {
        Boolean isAvailable = query.flag("available");
        Instant at = query.instant("at");
        String sport = query.word("sport", Validation.SPORTS);
        String city = query.text("city", Validation.MOST_NAME_CHARACTERS);
        Long clubId = query.id("club_id");
        if (!Boolean.TRUE.equals(isAvailable)) {
            return new FacilityFilter(sport, city, clubId, null);
        }
        return new FacilityFilter(sport, city, clubId, Query.required(at));
    }

    /** The minute of the day at which a slot has to begin. */
    int minute() {
        long second = Instants.secondOfDay(freeAt);
        return second % Instants.SECONDS_OF_MINUTE == 0 && freeAt.getNano() == 0
                ? (int) (second / Instants.SECONDS_OF_MINUTE)
                : NO_MINUTE;
    }

    /** The instant at which no reservation may be in the slot. */
    Instant start() {
        if (freeAt.isBefore(BEFORE_ALL)) {
            return BEFORE_ALL;
        }
        return freeAt.isAfter(BEHIND_ALL) ? BEHIND_ALL : freeAt.truncatedTo(ChronoUnit.SECONDS);
    }
}
