package loadstone.booking;

import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import io.vertx.pgclient.spi.PgDriver;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.spi.ConnectionFactory;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * The pool of connections to the database: always as many as POOL_SIZE, opened in the background,
 * while Quarkus's own opens them as they are needed. They are spread over the event loops, and each
 * loop may take each of them.
 */
@Singleton
final class Pool {

    /** A request that waits for a connection. */
    private record Waiter(Promise<Link> promise, long timer) {}

    private final VertxInternal vertx;
    private final int size;
    private final long waitMillis;
    private final ConnectionFactory factory;
    private final Deque<Link> idle = new ArrayDeque<>();
    private final Deque<Waiter> waiters = new ArrayDeque<>();

    Pool(Vertx vertx, Config config) {
        this.vertx = (VertxInternal) vertx;
        this.size = config.poolSize();
        this.waitMillis = config.poolWait().toMillis();
        this.factory = PgDriver.INSTANCE.createConnectionFactory(vertx, address(config.database()));
    }

    /** Waits for none. */
    void open(@Observes StartupEvent event) {
        for (int i = 0; i < size; i++) {
            connect(vertx.createEventLoopContext());
        }
    }

    /**
     * Lends a connection, and gives the work's result to the caller's event loop once it is given
     * back. Work that has begun goes on to its end, also where its caller waits no longer. Fails as
     * the work does, or with TimeoutException where no connection was free in time.
     */
    <T> Uni<T> lend(Function<Lease, Uni<T>> work) {
        return Uni.createFrom()
                .emitter(
                        emitter -> {
                            Context caller = vertx.getOrCreateContext();
                            take().onSuccess(
                                            link ->
                                                    link.run(
                                                            () -> use(link, work, caller, emitter)))
                                    .onFailure(emitter::fail);
                        });
    }

    private <T> void use(
            Link link,
            Function<Lease, Uni<T>> work,
            Context caller,
            UniEmitter<? super T> emitter) {
        link.limit().begin();
        Uni.createFrom()
                .deferred(() -> work.apply(new Lease(link)))
                .subscribe()
                .with(
                        result -> {
                            end(link);
                            caller.runOnContext(nothing -> emitter.complete(result));
                        },
                        failure -> {
                            Throwable meaning = meaning(link, failure);
                            end(link);
                            caller.runOnContext(nothing -> emitter.fail(meaning));
                        });
    }

    private void end(Link link) {
        link.limit().end();
        giveBack(link);
    }

    /** Whatever the driver says where the connection is gone, it is that. */
    private static Throwable meaning(Link link, Throwable failure) {
        if (StatementFailure.isLoss(failure)) {
            link.channel().close();
        }
        return failure instanceof Refusal || link.channel().isOpen()
                ? failure
                : new ConnectionLost(failure);
    }

    private synchronized Future<Link> take() {
        Link link = pollIdle();
        if (link != null) {
            return Future.succeededFuture(link);
        }
        Promise<Link> promise = Promise.promise();
        waiters.add(new Waiter(promise, vertx.setTimer(waitMillis, timer -> giveUp(promise))));
        return promise.future();
    }

    /** One of the caller's own loop, where there is one: its result then changes no thread. */
    private Link pollIdle() {
        for (Iterator<Link> each = idle.iterator(); each.hasNext(); ) {
            Link link = each.next();
            if (link.isOfThisLoop()) {
                each.remove();
                return link;
            }
        }
        return idle.poll();
    }

    private void giveUp(Promise<Link> promise) {
        synchronized (this) {
            waiters.removeIf(waiter -> waiter.promise() == promise);
        }
        promise.tryFail(new TimeoutException("no connection of the pool in time"));
    }

    private void giveBack(Link link) {
        Waiter waiter;
        do {
            synchronized (this) {
                if (!link.channel().isOpen()) {
                    return;
                }
                waiter = waiters.poll();
                if (waiter == null) {
                    idle.push(link);
                    return;
                }
            }
            vertx.cancelTimer(waiter.timer());
        } while (!waiter.promise().tryComplete(link));
    }

    private void connect(Context loop) {
        Future<SqlConnection> connecting = factory.connect(loop);
        connecting
                .timeout(Limits.CONNECT.toMillis(), TimeUnit.MILLISECONDS)
                .onSuccess(connection -> keep(loop, connection))
                .onFailure(
                        failure -> {
                            connecting.onSuccess(Link::close); // where it was made too late
                            vertx.setTimer(
                                    Limits.RETRY_INTERVAL.toMillis(), timer -> connect(loop));
                        });
    }

    private void keep(Context loop, SqlConnection connection) {
        Link link = Link.of(connection);
        giveBack(link);
        link.channel().closeFuture().addListener(closed -> lose(loop, link));
    }

    private void lose(Context loop, Link link) {
        synchronized (this) {
            idle.remove(link);
        }
        loop.runOnContext(nothing -> connect(loop));
    }

    private static PgConnectOptions address(Config.DatabaseAddress database) {
        int connectMillis = (int) Limits.CONNECT.toMillis();
        var options =
                new PgConnectOptions()
                        .setHost(database.host())
                        .setPort(database.port())
                        .setDatabase(database.name())
                        .setUser(database.user())
                        .setPassword(database.password())
                        .setSslMode(SslMode.DISABLE)
                        .setCachePreparedStatements(true)
                        .setReconnectAttempts(0);
        options.setConnectTimeout(connectMillis)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setReadIdleTimeout(connectMillis);
        return options;
    }
}
