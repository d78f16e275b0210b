package loadstone.users;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * What comes of a body that is too large. It is read and dropped, so that a caller gets as far as
 * the answer: Quarkus leaves unread what no operation reads, and its caller waiting.
 */
final class Excess implements Handler<Buffer> {

    private static final int MOST_DROPPED_BYTES = 64 * 1024;

    private final HttpServerRequest request;
    private int dropped;

    private Excess(HttpServerRequest request) {
        this.request = request;
    }

    /** Begins behind the answer, which would be lost if the connection was ended before it. */
    static void drop(RoutingContext context) {
        HttpServerRequest request = context.request();
        context.addEndHandler(
                answered -> context.vertx().runOnContext(nothing -> readRest(request)));
    }

    private static void readRest(HttpServerRequest request) {
        if (!request.isEnded()) {
            request.handler(new Excess(request));
            request.resume();
        }
    }

    @Override
    public void handle(Buffer chunk) {
        dropped += chunk.length();
        if (dropped > MOST_DROPPED_BYTES) {
            request.connection().close();
        }
    }
}
