package loadstone.conference;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.SslMode;
import io.vertx.mysqlclient.spi.MySQLDriver;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.spi.ConnectionFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * The pool of connections to the database: always as many as POOL_SIZE, opened in the background,
 * while Vert.x's own pool opens them as they are needed. They are spread over the event loops, and
 * each loop may take each of them.
 */
final class Pool {

    /** How long after a connection could not be made the next try is. */
    private static final long RETRY_INTERVAL_MILLIS = 500;

    /** A request that waits for a connection. */
    private record Waiter(Promise<Link> promise, long timer) {}

    private final Vertx vertx;
    private final long timeoutMillis;
    private final MySQLConnectOptions address;
    private final ConnectionFactory<MySQLConnectOptions> factory;
    private final Deque<Link> idle = new ArrayDeque<>();
    private final Deque<Waiter> waiters = new ArrayDeque<>();

    Pool(Vertx vertx, Config config) {
        this.vertx = vertx;
        this.timeoutMillis = config.databaseTimeout().toMillis();
        this.address = address(config.database());
        var sockets =
                new NetClientOptions()
                        .setConnectTimeout((int) timeoutMillis)
                        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                        .setReadIdleTimeout((int) timeoutMillis);
        this.factory = MySQLDriver.INSTANCE.createConnectionFactory(vertx, sockets);
    }

    /** Opens so many connections on the loop. Waits for none. */
    void open(Context loop, int count) {
        for (int i = 0; i < count; i++) {
            connect(loop);
        }
    }

    /**
     * Makes one statement, and gives its result to the caller's event loop. Fails as the driver
     * does, or with TimeoutException where no connection was free in time.
     */
    <T> Future<T> ask(Function<SqlConnection, Future<T>> statement) {
        Context here = vertx.getOrCreateContext();
        Promise<T> answer = Promise.promise();
        take().onComplete(link -> link.run(() -> ask(link, statement, here, answer)), answer::fail);
        return answer.future();
    }

    private <T> void ask(
            Link link,
            Function<SqlConnection, Future<T>> statement,
            Context caller,
            Promise<T> answer) {
        link.limit().begin();
        statement
                .apply(link.connection())
                .onComplete(
                        (value, failure) -> {
                            link.limit().end();
                            if (failure != null && StatementFailure.isLost(failure)) {
                                link.channel().close();
                            }
                            giveBack(link);
                            caller.runOnContext(nothing -> answer.complete(value, failure));
                        });
    }

    private synchronized Future<Link> take() {
        Link link = pollIdle();
        if (link != null) {
            return Future.succeededFuture(link);
        }
        Promise<Link> promise = Promise.promise();
        waiters.add(new Waiter(promise, vertx.setTimer(timeoutMillis, timer -> giveUp(promise))));
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
        Future<SqlConnection> connecting = factory.connect(loop, address);
        connecting
                .timeout(timeoutMillis, TimeUnit.MILLISECONDS)
                .onComplete(
                        connection -> keep(loop, connection),
                        failure -> {
                            connecting.onSuccess(Link::close); // where it was made too late
                            vertx.setTimer(RETRY_INTERVAL_MILLIS, timer -> connect(loop));
                        });
    }

    private void keep(Context loop, SqlConnection connection) {
        Link link = Link.of(connection, timeoutMillis);
        giveBack(link);
        link.channel().closeFuture().addListener(closed -> lose(loop, link));
    }

    private void lose(Context loop, Link link) {
        synchronized (this) {
            idle.remove(link);
        }
        loop.runOnContext(nothing -> connect(loop));
    }

    private static MySQLConnectOptions address(Config.DatabaseAddress database) {
        return new MySQLConnectOptions()
                .setHost(database.host())
                .setPort(database.port())
                .setDatabase(database.name())
                .setUser(database.user())
                .setPassword(database.password())
                .setSslMode(SslMode.DISABLED)
                .setCharset("utf8mb4")
                .setCharacterEncoding("UTF-8")
                .setUseAffectedRows(false) // matched rows are counted
                .setCachePreparedStatements(true)
                .setReconnectAttempts(0);
    }
}
