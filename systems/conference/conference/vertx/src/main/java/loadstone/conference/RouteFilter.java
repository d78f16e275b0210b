package loadstone.conference;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/** Refuses what is no operation, by the path as it was sent, before Vert.x looks for a handler. */
record RouteFilter(Handler<HttpServerRequest> next) implements Handler<HttpServerRequest> {

    /** The operation of a request that came through. */
    static Operation operation(HttpServerRequest request) {
        return Route.of(path(request)).operation(request.method().name());
    }

    @Override
    public void handle(HttpServerRequest request) {
        Route route = Route.of(path(request));
        if (route == null) {
            Problems.write(request.response(), Problem.NOT_FOUND, null, List.of());
        } else if (route.operation(request.method().name()) == null) {
            request.response().putHeader(HttpHeaders.ALLOW, route.allowed());
            Problems.write(request.response(), Problem.METHOD_NOT_ALLOWED, null, List.of());
        } else {
            next.handle(request);
        }
    }

    private static String path(HttpServerRequest request) {
        int query = request.uri().indexOf('?');
        return query < 0 ? request.uri() : request.uri().substring(0, query);
    }
}
