package loadstone.booking;

import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A query of a list, parts of which stand where their parameter is given. */
final class Selection<T> {

    private final Class<T> type;
    private final StringBuilder text;
    private final Map<String, Object> parameters = new HashMap<>();
    private int rows;

    Selection(Class<T> type, String text) {
        this.type = type;
        this.text = new StringBuilder(text);
    }

    /** Gives a parameter that the text has in any case. */
    Selection<T> with(String name, Object value) {
        parameters.put(name, value);
        return this;
    }

    /** Adds a condition on its parameter, or nothing where that is null. */
    Selection<T> and(String condition, String name, Object value) {
        if (value != null) {
            text.append(" and ").append(condition);
            parameters.put(name, value);
        }
        return this;
    }

    /** Adds order and limit. */
    Selection<T> end(String order, int most) {
        text.append(" order by ").append(order);
        rows = most;
        return this;
    }

    /** Asks in the language of Hibernate. */
    List<T> list(EntityManager manager) {
        return list(manager.createQuery(text.toString(), type));
    }

    /** Asks in SQL. */
    List<T> listInSql(EntityManager manager) {
        return list(manager.createNativeQuery(text.toString(), type));
    }

    @SuppressWarnings("unchecked")
    private List<T> list(Query query) {
        parameters.forEach(query::setParameter);
        return query.setMaxResults(rows).getResultList();
    }
}
