package loadstone.users;

import java.util.function.Function;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The way to the database, on which each failure becomes a Refusal. */
@Component
class Database {

    private final Pool pool;

    Database(Pool pool) {
        this.pool = pool;
    }

    /** Makes one statement, which is its own transaction. */
    <T> Mono<T> ask(Function<Session, Mono<T>> statement) {
        return pool.use(statement)
                // Rivals have ended meanwhile.
                .onErrorResume(DatabaseFailure::isRivalry, failure -> pool.use(statement))
                .onErrorMap(DatabaseFailure::of);
    }

    /** Makes statements in one transaction, which a Refusal of theirs rolls back. */
    <T> Mono<T> inTransaction(Function<Session, Mono<T>> statements) {
        return ask(
                session ->
                        session.begin()
                                .then(Mono.defer(() -> statements.apply(session)))
                                .flatMap(result -> session.commit().thenReturn(result))
                                .onErrorResume(failure -> rollBack(session, failure)));
    }

    private static <T> Mono<T> rollBack(Session session, Throwable failure) {
        return DatabaseFailure.isLoss(failure)
                ? Mono.error(failure)
                : session.rollBack().then(Mono.error(failure));
    }

    /** Asks whether the database answers. */
    Mono<Integer> askReady() {
        return ask(session -> session.row(Sql.READY, row -> row.get(0, Integer.class)));
    }
}
