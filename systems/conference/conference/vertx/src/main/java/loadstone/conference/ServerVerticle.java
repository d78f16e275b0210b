package loadstone.conference;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;

/** What is on one event loop: a share of the callers and a share of the pool. */
final class ServerVerticle extends VerticleBase {

    private static final int MOST_BYTES_OF_LINE = 8_192;

    private final Handler<HttpServerRequest> handler;
    private final String host;
    private final int port;
    private final Pool pool;
    private final int connections;

    private HttpServer server;

    /** The verticles of one port share it. Each opens so many connections to the database. */
    ServerVerticle(
            Handler<HttpServerRequest> handler, String host, int port, Pool pool, int connections) {
        this.handler = handler;
        this.host = host;
        this.port = port;
        this.pool = pool;
        this.connections = connections;
    }

    @Override
    public Future<?> start() {
        server =
                vertx.createHttpServer(
                                new HttpServerOptions()
                                        .setHost(host)
                                        .setPort(port)
                                        .setHttp2ClearTextEnabled(false)
                                        .setHandle100ContinueAutomatically(true)
                                        .setMaxInitialLineLength(MOST_BYTES_OF_LINE))
                        .requestHandler(handler)
                        .invalidRequestHandler(Problems::answerInvalid);
        return server.listen().onSuccess(listening -> pool.open(context, connections));
    }

    HttpServer server() {
        return server;
    }
}
