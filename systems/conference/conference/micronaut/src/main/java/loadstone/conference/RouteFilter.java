package loadstone.conference;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.annotation.PreMatching;
import io.micronaut.http.server.netty.NettyHttpRequest;
import java.util.List;

/** Refuses what is no operation, by the path as it was sent, before Micronaut looks for a route. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class RouteFilter {

    private static final String OPERATION = RouteFilter.class.getName();

    /** The operation of a request that came through, or null. */
    static Operation operation(HttpRequest<?> request) {
        return request.getAttribute(OPERATION, Operation.class).orElse(null);
    }

    /** Path and query as they were sent. */
    static String target(HttpRequest<?> request) {
        return ((NettyHttpRequest<?>) request).getNativeRequest().uri();
    }

    /** Gives the answer to a request that is no operation, or null. */
    @Nullable
    static MutableHttpResponse<byte[]> refusal(HttpRequest<?> request) {
        Route route = Route.of(path(target(request)));
        if (route == null) {
            return Problems.answer(Problem.NOT_FOUND, null, List.of());
        }
        Operation operation = route.operation(request.getMethodName());
        if (operation == null) {
            return Problems.answer(Problem.METHOD_NOT_ALLOWED, null, List.of())
                    .header(HttpHeaders.ALLOW, route.allowed());
        }
        request.setAttribute(OPERATION, operation);
        return null;
    }

    @PreMatching
    @RequestFilter
    @Nullable
    HttpResponse<byte[]> filter(HttpRequest<?> request) {
        // Micronaut would answer 406 by it, and it is to be ignored.
        ((NettyHttpRequest<?>) request).getNativeRequest().headers().remove(HttpHeaders.ACCEPT);
        return refusal(request);
    }

    private static String path(String target) {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }
}
