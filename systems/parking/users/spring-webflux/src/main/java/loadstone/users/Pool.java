package loadstone.users;

import io.r2dbc.postgresql.PostgresqlConnectionConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.resources.LoopResources;

/**
 * The pool of connections to the database: always as many as POOL_SIZE, opened in the background.
 * R2DBC's own pool opens them as they are needed, and does not try again by itself.
 */
final class Pool {

    /** A request that waits for a connection. */
    private record Waiter(CompletableFuture<PostgresqlConnection> promise, Disposable timer) {}

    private final PostgresqlConnectionFactory factory;
    private final Set<PostgresqlConnection> all = new HashSet<>();
    private final Deque<PostgresqlConnection> idle = new ArrayDeque<>();
    private final Deque<Waiter> waiters = new ArrayDeque<>();

    /** Opens it on the loops. Waits for no connection. */
    Pool(Config config, LoopResources loops) {
        this.factory = factory(config.database(), loops);
        for (int i = 0; i < config.poolSize(); i++) {
            connect();
        }
    }

    private static PostgresqlConnectionFactory factory(
            Config.DatabaseAddress address, LoopResources loops) {
        return new PostgresqlConnectionFactory(
                PostgresqlConnectionConfiguration.builder()
                        .host(address.host())
                        .port(address.port())
                        .database(address.name())
                        .username(address.user())
                        .password(address.password())
                        .connectTimeout(Limits.CONNECT)
                        .tcpNoDelay(true)
                        .autodetectExtensions(false)
                        .loopResources(loops)
                        .build());
    }

    /**
     * Works with a connection, which is given back before the result goes on. The work is done also
     * for a caller that goes away, since a statement that is given up costs the connection.
     */
    <T> Mono<T> use(Function<Session, Mono<T>> work) {
        return Mono.fromFuture(
                () -> take().flatMap(connection -> run(connection, work)).toFuture(), true);
    }

    private <T> Mono<T> run(PostgresqlConnection connection, Function<Session, Mono<T>> work) {
        return Mono.defer(() -> work.apply(new Session(connection)))
                .doOnSuccess(result -> giveBack(connection))
                .doOnError(
                        failure -> {
                            if (DatabaseFailure.isLoss(failure)) {
                                giveUp(connection);
                            } else {
                                giveBack(connection);
                            }
                        });
    }

    private synchronized Mono<PostgresqlConnection> take() {
        PostgresqlConnection connection = idle.poll();
        if (connection != null) {
            return Mono.just(connection);
        }
        var promise = new CompletableFuture<PostgresqlConnection>();
        waiters.add(new Waiter(promise, later(Limits.POOL_WAIT, () -> endWait(promise))));
        return Mono.fromFuture(promise);
    }

    private void endWait(CompletableFuture<PostgresqlConnection> promise) {
        synchronized (this) {
            waiters.removeIf(waiter -> waiter.promise() == promise);
        }
        promise.completeExceptionally(new TimeoutException("no connection of the pool in time"));
    }

    private void giveBack(PostgresqlConnection connection) {
        Waiter waiter;
        do {
            synchronized (this) {
                if (!all.contains(connection)) {
                    return; // lost meanwhile
                }
                waiter = waiters.poll();
                if (waiter == null) {
                    idle.push(connection);
                    return;
                }
            }
            waiter.timer().dispose();
        } while (!waiter.promise().complete(connection));
    }

    /** Closes a connection whose state is not known, and has another one made. */
    private void giveUp(PostgresqlConnection connection) {
        connection.close().subscribe(nothing -> {}, failure -> {});
        lose(connection);
    }

    private void lose(PostgresqlConnection connection) {
        synchronized (this) {
            idle.remove(connection);
            if (!all.remove(connection)) {
                return;
            }
        }
        connect();
    }

    private void connect() {
        CompletableFuture<PostgresqlConnection> connecting = factory.create().toFuture();
        Mono.fromFuture(connecting, true)
                .timeout(Limits.CONNECT)
                .subscribe(
                        this::keep,
                        failure -> {
                            // Where it is made too late.
                            connecting.thenAccept(late -> late.close().subscribe());
                            later(Limits.RETRY_INTERVAL, this::connect);
                        });
    }

    /** Notifications, of which there are none, end with the connection. */
    private void keep(PostgresqlConnection connection) {
        synchronized (this) {
            all.add(connection);
        }
        connection
                .getNotifications()
                .subscribe(notification -> {}, failure -> lose(connection), () -> lose(connection));
        giveBack(connection);
    }

    private static Disposable later(Duration pause, Runnable work) {
        return Schedulers.parallel().schedule(work, pause.toMillis(), TimeUnit.MILLISECONDS);
    }
}
