package loadstone.booking;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Transaction;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A connection of the pool while it is lent. All happens on its event loop, one statement after
 * another; each is prepared by the server at its first time and kept.
 */
final class Lease {

    private final Link link;

    Lease(Link link) {
        this.link = link;
    }

    /** Gives the rows of a statement as what they are. */
    <T> Uni<List<T>> list(String statement, Function<Row, T> mapper, Object... values) {
        return execute(statement, values)
                .map(
                        rows -> {
                            List<T> read = new ArrayList<>(rows.size());
                            rows.forEach(row -> read.add(mapper.apply(row)));
                            return read;
                        });
    }

    /** Gives the rows of the statement of a list. */
    <T> Uni<List<T>> list(Selection selection, Function<Row, T> mapper) {
        return list(selection.text(), mapper, selection.values().toArray());
    }

    /** Gives the row of a statement that has one at most. */
    <T> Uni<Optional<T>> optional(String statement, Function<Row, T> mapper, Object... values) {
        return this.<T>list(statement, mapper, values).map(read -> read.stream().findFirst());
    }

    /** Gives the row of a statement that has one. */
    <T> Uni<T> single(String statement, Function<Row, T> mapper, Object... values) {
        return this.<T>list(statement, mapper, values).map(read -> read.get(0));
    }

    /** Gives how many rows a statement made, changed or found. */
    Uni<Integer> update(String statement, Object... values) {
        return execute(statement, values).map(RowSet::rowCount);
    }

    /** Makes statements in one transaction, which any failure of theirs rolls back. */
    <T> Uni<T> inTransaction(Function<Lease, Uni<T>> statements) {
        return UniHelper.toUni(link.connection().begin())
                .chain(
                        transaction ->
                                Uni.createFrom()
                                        .deferred(() -> statements.apply(this))
                                        .call(() -> UniHelper.toUni(transaction.commit()))
                                        .onFailure()
                                        .call(() -> rollBack(transaction)));
    }

    /** Where that fails as well, nobody knows what the connection is in. */
    private Uni<Void> rollBack(Transaction transaction) {
        return UniHelper.toUni(transaction.rollback())
                .onFailure()
                .invoke(failure -> link.channel().close())
                .onFailure()
                .recoverWithNull();
    }

    private Uni<RowSet<Row>> execute(String statement, Object... values) {
        return UniHelper.toUni(
                link.connection()
                        .preparedQuery(statement)
                        .execute(Tuple.wrap(Arrays.asList(values))));
    }
}
