package loadstone.booking;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Refuses what is no operation, by the path as it was sent, before Quarkus looks for a route. */
@Singleton
final class RouteFilter {

    private static final int FIRST = 100;
    private static final String CONTENT_TYPE = RouteFilter.class.getName();

    /** The operation of a request that came through. */
    static Operation operation(HttpServerRequest request) {
        return Route.of(path(request)).operation(request.method().name());
    }

    /** The media type of a body, as it was sent, or null. */
    static String contentType(RoutingContext context) {
        return context.get(CONTENT_TYPE);
    }

    void register(@Observes Filters filters) {
        filters.register(RouteFilter::filter, FIRST);
    }

    private static void filter(RoutingContext context) {
        HttpServerRequest request = context.request();
        Route route = Route.of(path(request));
        if (route == null) {
            Problems.write(request.response(), Problem.NOT_FOUND);
        } else if (route.operation(request.method().name()) == null) {
            request.response().putHeader(HttpHeaders.ALLOW, route.allowed());
            Problems.write(request.response(), Problem.METHOD_NOT_ALLOWED);
        } else {
            // Quarkus would answer by itself to those that it cannot read, or has no answer for.
            request.headers().remove(HttpHeaders.ACCEPT);
            context.put(CONTENT_TYPE, request.getHeader(HttpHeaders.CONTENT_TYPE));
            request.headers().remove(HttpHeaders.CONTENT_TYPE);
            context.next();
        }
    }

    private static String path(HttpServerRequest request) {
        int query = request.uri().indexOf('?');
        return query < 0 ? request.uri() : request.uri().substring(0, query);
    }
}
