package loadstone.booking;

import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.function.Function;

/** The way to the database, on which each failure becomes a Refusal. */
@Singleton
final class Database {

    private final Pool pool;

    Database(Pool pool) {
        this.pool = pool;
    }

    /** Makes statements, each of which is its own transaction. Fails with a Refusal. */
    <T> Uni<T> ask(Function<Lease, Uni<T>> statements) {
        return pool.lend(statements)
                .onFailure(StatementFailure::isRivalry)
                .retry()
                .atMost(1) // rivals have ended meanwhile
                .onFailure()
                .transform(StatementFailure::of);
    }

    /** Makes statements in one transaction, which a Refusal of theirs rolls back. */
    <T> Uni<T> inTransaction(Function<Lease, Uni<T>> statements) {
        return ask(lease -> lease.inTransaction(statements));
    }

    /** Asks whether the database answers. Fails with a Refusal where it does not. */
    Uni<Void> askReady() {
        return ask(lease -> lease.update(Sql.READY)).replaceWithVoid();
    }
}
