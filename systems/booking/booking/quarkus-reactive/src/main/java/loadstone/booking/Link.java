package loadstone.booking;

import io.netty.channel.Channel;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.impl.SqlConnectionInternal;

/** A connection of the pool, with what is below it. */
record Link(SqlConnection connection, Channel channel, ReadLimit limit) {

    /** The name that Vert.x gives to its handler of idle connections. */
    private static final String LOG_IN_LIMIT = "idle";

    /** One that has logged in: from now on it may be idle, and only statements have a limit. */
    static Link of(SqlConnection connection) {
        Channel channel = channel(connection);
        var limit = new ReadLimit(Limits.STATEMENT.toMillis());
        channel.pipeline().replace(LOG_IN_LIMIT, "read-limit", limit);
        connection.exceptionHandler(failure -> channel.close());
        return new Link(connection, channel, limit);
    }

    /** Ends a connection at once: a frozen server would not answer a farewell. */
    static void close(SqlConnection connection) {
        channel(connection).close();
    }

    boolean isOfThisLoop() {
        return channel.eventLoop().inEventLoop();
    }

    /** Runs the work on the connection's event loop. */
    void run(Runnable work) {
        if (isOfThisLoop()) {
            work.run();
        } else {
            channel.eventLoop().execute(work);
        }
    }

    private static Channel channel(SqlConnection connection) {
        var below = (SocketConnectionBase) ((SqlConnectionInternal) connection).unwrap();
        return below.socket().channelHandlerContext().channel();
    }
}
