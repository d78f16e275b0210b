package loadstone.users;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Refuses what is no operation, by the path as it was sent, and whoever may not ask for it, before
 * Quarkus looks for a route.
 */
@Singleton
final class RouteFilter {

    private static final int FIRST = 100;
    private static final String CONTENT_TYPE = RouteFilter.class.getName();
    private static final String CALLER = Caller.class.getName();

    private final Admission admission;

    RouteFilter(Admission admission) {
        this.admission = admission;
    }

    /** The operation of a request that came through. */
    static Operation operation(HttpServerRequest request) {
        return Route.of(path(request)).route().operation(request.method().name());
    }

    /** The media type of a body, as it was sent, or null. */
    static String contentType(RoutingContext context) {
        return context.get(CONTENT_TYPE);
    }

    /** Who asks for an operation of which that is asked. */
    static Caller caller(RoutingContext context) {
        return context.get(CALLER);
    }

    void register(@Observes Filters filters) {
        filters.register(this::filter, FIRST);
    }

    private void filter(RoutingContext context) {
        HttpServerRequest request = context.request();
        HttpServerResponse response = request.response();
        response.putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        response.putHeader("X-Instance-Id", "users-" + request.localAddress().port());
        try {
            admit(context);
        } catch (Refusal e) {
            Problems.write(response, e.problem());
            return;
        }
        // Quarkus would answer by itself to those that it cannot read, or has no answer for.
        request.headers().remove(HttpHeaders.ACCEPT);
        context.put(CONTENT_TYPE, request.getHeader(HttpHeaders.CONTENT_TYPE));
        request.headers().remove(HttpHeaders.CONTENT_TYPE);
        context.next();
    }

    private void admit(RoutingContext context) {
        HttpServerRequest request = context.request();
        Route.Match match = Route.of(path(request));
        if (match == null) {
            throw new Refusal(Problem.NOT_FOUND);
        }
        Operation operation = match.route().operation(request.method().name());
        if (operation == null) {
            request.response().putHeader(HttpHeaders.ALLOW, match.route().allowed());
            throw new Refusal(Problem.METHOD_NOT_ALLOWED);
        }
        context.put(CALLER, admission.admit(request.headers(), operation, match.userId()));
    }

    private static String path(HttpServerRequest request) {
        int query = request.uri().indexOf('?');
        return query < 0 ? request.uri() : request.uri().substring(0, query);
    }
}
