package loadstone.booking;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Instants and days as texts. The library's own parsers are not used: they take an hour of 24 and
 * lower case, and refuse offsets beyond 18 hours.
 */
final class Instants {

    static final int SECONDS_OF_MINUTE = 60;

    private static final Pattern INSTANT =
            Pattern.compile(
                    "([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})"
                            + "(?:\\.([0-9]+))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))");

    private static final Pattern DAY = Pattern.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})");

    private static final int FIRST_YEAR = 2020;
    private static final int LAST_YEAR = 2099;
    private static final int MOST_OFFSET_HOURS = 23;
    private static final int MOST_OFFSET_MINUTES = 59;
    private static final int NANO_DIGITS = 9;
    private static final long SECONDS_OF_DAY = Duration.ofDays(1).toSeconds();

    private Instants() {}

    /** Gives the instant of RFC 3339, or null where the text is none. */
    static Instant parse(String text) {
        Matcher parts = INSTANT.matcher(text);
        if (!parts.matches() || !hasOffset(parts)) {
            return null;
        }
        try {
            return LocalDateTime.of(
                            number(parts, 1),
                            number(parts, 2),
                            number(parts, 3),
                            number(parts, 4),
                            number(parts, 5),
                            number(parts, 6),
                            nanos(parts.group(7)))
                    .minusMinutes(offsetMinutes(parts))
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return null; // not in the calendar
        }
    }

    /** Gives the day, or null where the text is none. */
    static LocalDate parseDay(String text) {
        Matcher parts = DAY.matcher(text);
        try {
            return parts.matches()
                    ? LocalDate.of(number(parts, 1), number(parts, 2), number(parts, 3))
                    : null;
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Gives the text that every answer has, of 20 characters. */
    static String show(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Whether reservations may be on the day. */
    static boolean isInYears(LocalDate day) {
        return day.getYear() >= FIRST_YEAR && day.getYear() <= LAST_YEAR;
    }

    /** The day in UTC. */
    static LocalDate day(Instant instant) {
        return LocalDate.ofEpochDay(Math.floorDiv(instant.getEpochSecond(), SECONDS_OF_DAY));
    }

    /** Whole seconds since midnight in UTC. */
    static long secondOfDay(Instant instant) {
        return Math.floorMod(instant.getEpochSecond(), SECONDS_OF_DAY);
    }

    /** Midnight at which the day begins. */
    static Instant start(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    private static boolean hasOffset(Matcher parts) {
        return parts.group(8) == null
                || (number(parts, 9) <= MOST_OFFSET_HOURS
                        && number(parts, 10) <= MOST_OFFSET_MINUTES);
    }

    private static long offsetMinutes(Matcher parts) {
        if (parts.group(8) == null) {
            return 0;
        }
        Duration offset = Duration.ofHours(number(parts, 9)).plusMinutes(number(parts, 10));
        return parts.group(8).equals("-") ? -offset.toMinutes() : offset.toMinutes();
    }

    /**
     * Of digits behind the ninth no more is kept than that they are not all 0: none is on a grid.
     */
    private static int nanos(String fraction) {
        if (fraction == null) {
            return 0;
        }
        if (fraction.length() <= NANO_DIGITS) {
            return Integer.parseInt(fraction + "0".repeat(NANO_DIGITS - fraction.length()));
        }
        int nanos = Integer.parseInt(fraction.substring(0, NANO_DIGITS));
        boolean isMore = !fraction.substring(NANO_DIGITS).chars().allMatch(digit -> digit == '0');
        return isMore && nanos == 0 ? 1 : nanos;
    }

    private static int number(Matcher parts, int group) {
        return Integer.parseInt(parts.group(group));
    }
}
