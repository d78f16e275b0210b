package loadstone.conference;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/** The table. Each method is one prepared statement, in autocommit, and fails with a Refusal. */
final class Conferences {

    /** Rows are made into conferences as they come, and not kept beside them. */
    private static final Collector<Row, ?, List<Conference>> ROWS =
            Collectors.mapping(
                    row -> new Conference(row.getString(0), row.getString(1)), Collectors.toList());

    private final Pool pool;

    Conferences(Pool pool) {
        this.pool = pool;
    }

    /** Gives the whole list. */
    Future<List<Conference>> list() {
        return select("SELECT id, name FROM conferences ORDER BY id", Tuple.tuple());
    }

    /** Gives the rows to read for a page. */
    Future<List<Conference>> list(Page page) {
        return select(
                "SELECT id, name FROM conferences WHERE id > ? ORDER BY id LIMIT ?",
                Tuple.of(page.after(), page.rows()));
    }

    Future<Void> insert(Conference conference) {
        return change(
                        "INSERT INTO conferences (id, name) VALUES (?, ?)",
                        Tuple.of(conference.getId(), conference.getName()))
                .mapEmpty();
    }

    /** Gives one row or none. */
    Future<List<Conference>> get(String id) {
        return select("SELECT id, name FROM conferences WHERE id = ?", Tuple.of(id));
    }

    /** Gives how many rows have the id. */
    Future<Integer> replace(Conference conference) {
        return change(
                "UPDATE conferences SET name = ? WHERE id = ?",
                Tuple.of(conference.getName(), conference.getId()));
    }

    /** Gives how many rows had the id. */
    Future<Integer> remove(String id) {
        return change("DELETE FROM conferences WHERE id = ?", Tuple.of(id));
    }

    /** Asks whether the database answers. */
    Future<Void> askReady() {
        return change("SELECT 1", Tuple.tuple()).mapEmpty();
    }

    private Future<List<Conference>> select(String statement, Tuple values) {
        return pool.ask(
                        connection ->
                                connection
                                        .preparedQuery(statement)
                                        .collecting(ROWS)
                                        .execute(values))
                .map(SqlResult::value)
                .recover(Conferences::refuse);
    }

    private Future<Integer> change(String statement, Tuple values) {
        return pool.ask(connection -> connection.preparedQuery(statement).execute(values))
                .map(SqlResult::rowCount)
                .recover(Conferences::refuse);
    }

    private static <T> Future<T> refuse(Throwable failure) {
        return Future.failedFuture(StatementFailure.of(failure));
    }
}
