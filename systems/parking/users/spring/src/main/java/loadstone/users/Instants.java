package loadstone.users;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Instants as texts. */
final class Instants {

    /** It cuts off what is finer. */
    private static final DateTimeFormatter MILLISECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private Instants() {}

    /** Gives the text that every answer has, of 24 characters. */
    static String show(Instant instant) {
        return MILLISECONDS.format(instant);
    }
}
