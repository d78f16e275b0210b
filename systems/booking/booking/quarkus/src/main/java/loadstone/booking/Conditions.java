package loadstone.booking;

import java.util.HashMap;
import java.util.Map;

/** The conditions of a query that depend on what is asked for, with their parameters. */
final class Conditions {

    private final StringBuilder text;
    private final Map<String, Object> values = new HashMap<>();

    /** Begins with a condition that always holds its place. */
    Conditions(String condition, String name, Object value) {
        text = new StringBuilder(condition);
        values.put(name, value);
    }

    /** Adds a condition, where there is a value for it. */
    Conditions and(String condition, String name, Object value) {
        if (value != null) {
            text.append(" and ").append(condition);
            values.put(name, value);
        }
        return this;
    }

    String text() {
        return text.toString();
    }

    Map<String, Object> values() {
        return values;
    }
}
