package loadstone.users;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A connection in use. The driver keeps what the server has prepared on it. */
final class Session {

    /** Makes something of the row that it stands at. */
    interface Mapper<T> {
        T map(ResultSet row) throws SQLException;
    }

    private final Connection connection;

    Session(Connection connection) {
        this.connection = connection;
    }

    /** Gives all rows. */
    <T> List<T> list(String text, Mapper<T> mapper, Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(text, values);
                ResultSet rows = statement.executeQuery()) {
            var list = new ArrayList<T>();
            while (rows.next()) {
                list.add(mapper.map(rows));
            }
            return list;
        }
    }

    /** Gives the one row that there may be. */
    <T> Optional<T> row(String text, Mapper<T> mapper, Object... values) throws SQLException {
        return list(text, mapper, values).stream().findFirst();
    }

    /** Gives how many rows there were to change. */
    int change(String text, Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(text, values)) {
            return statement.executeUpdate();
        }
    }

    private PreparedStatement prepare(String text, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(text);
        for (int i = 0; i < values.length; i++) {
            Object value =
                    values[i] instanceof Long[] ids
                            ? connection.createArrayOf("bigint", ids)
                            : values[i];
            statement.setObject(i + 1, value);
        }
        return statement;
    }
}
