package loadstone.booking;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A statement of a list, parts of which stand where their parameter is given. */
final class Selection {

    private final StringBuilder text;
    private final Map<String, Object> parameters = new HashMap<>();

    Selection(String text) {
        this.text = new StringBuilder(text);
    }

    /** Gives a parameter that the text has in any case. */
    Selection with(String name, Object value) {
        parameters.put(name, value);
        return this;
    }

    /** Adds a condition on its parameter, or nothing where that is null. */
    Selection and(String condition, String name, Object value) {
        if (value != null) {
            text.append(" AND ").append(condition);
            parameters.put(name, value);
        }
        return this;
    }

    /** Adds order and limit. */
    Selection end(String order, int rows) {
        text.append(" ORDER BY ").append(order).append(" LIMIT :rows");
        parameters.put("rows", rows);
        return this;
    }

    <T> List<T> list(JdbcClient jdbc, RowMapper<T> mapper) {
        return jdbc.sql(text.toString()).params(parameters).query(mapper).list();
    }
}
