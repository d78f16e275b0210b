package loadstone.users;

import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.postgresql.api.PostgresqlResult;
import io.r2dbc.postgresql.api.PostgresqlStatement;
import io.r2dbc.spi.Row;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A connection in use. Each statement is prepared, kept, and answered in time. */
final class Session {

    /** Rows at once. */
    private static final int ALL = Integer.MAX_VALUE;

    private final PostgresqlConnection connection;

    Session(PostgresqlConnection connection) {
        this.connection = connection;
    }

    /** Gives all rows. */
    <T> Mono<List<T>> list(String text, Function<Row, T> mapper, Object... values) {
        return execute(text, List.of(values))
                .concatMap(result -> result.map((row, metadata) -> mapper.apply(row)))
                .collectList()
                .timeout(Limits.STATEMENT);
    }

    /** Gives one row, or nothing. */
    <T> Mono<T> row(String text, Function<Row, T> mapper, Object... values) {
        return list(text, mapper, values)
                .flatMap(rows -> Mono.justOrEmpty(rows.stream().findFirst()));
    }

    /** Gives how many rows there were to change. */
    Mono<Long> change(String text, Object... values) {
        return execute(text, List.of(values))
                .concatMap(PostgresqlResult::getRowsUpdated)
                .reduce(0L, Long::sum)
                .timeout(Limits.STATEMENT);
    }

    private Flux<PostgresqlResult> execute(String text, List<Object> values) {
        return Flux.defer(
                () -> {
                    PostgresqlStatement statement = connection.createStatement(text);
                    if (values.isEmpty()) {
                        // Without parameters the driver would prepare nothing, but for this.
                        statement.fetchSize(ALL);
                    }
                    for (int i = 0; i < values.size(); i++) {
                        statement.bind(i, values.get(i));
                    }
                    return statement.execute();
                });
    }

    Mono<Void> begin() {
        return connection.beginTransaction().timeout(Limits.STATEMENT);
    }

    Mono<Void> commit() {
        return connection.commitTransaction().timeout(Limits.STATEMENT);
    }

    Mono<Void> rollBack() {
        return connection.rollbackTransaction().timeout(Limits.STATEMENT);
    }
}
