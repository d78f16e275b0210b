package loadstone.booking;

import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpConnection;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends each connection as soon as the service is to stop and nothing is on it, and takes no new
 * one: Quarkus keeps all of them, and accepts more, until the last request of any is answered.
 */
@Singleton
final class Connections {

    /** Before {@link RouteFilter}, which answers some requests by itself. */
    private static final int FIRST = 200;

    /** By connection, how many requests wait for their answers. */
    private final Map<HttpConnection, Integer> waiting = new ConcurrentHashMap<>();

    private volatile boolean isEnding;

    void register(@Observes Filters filters) {
        filters.register(this::count, FIRST);
    }

    void end(@Observes ShutdownDelayInitiatedEvent event) {
        isEnding = true;
        endAllIdle();
    }

    private void count(RoutingContext context) {
        HttpConnection connection = context.request().connection();
        if (waiting.merge(connection, 1, Integer::sum) == 1) {
            connection.closeHandler(closed -> waiting.remove(connection));
            if (isEnding) {
                connection.close();
                return;
            }
        }
        context.addEndHandler(ended -> leave(connection));
        context.next();
    }

    private void leave(HttpConnection connection) {
        Integer left = waiting.computeIfPresent(connection, (key, requests) -> requests - 1);
        if (isEnding && left != null) {
            endIdle(connection, left);
        }
    }

    /** One by one, so that none begins a request meanwhile. */
    private void endAllIdle() {
        for (HttpConnection each : waiting.keySet()) {
            waiting.computeIfPresent(
                    each,
                    (connection, requests) -> {
                        endIdle(connection, requests);
                        return requests;
                    });
        }
    }

    private static void endIdle(HttpConnection connection, int requests) {
        if (requests == 0) {
            connection.close();
        }
    }
}
