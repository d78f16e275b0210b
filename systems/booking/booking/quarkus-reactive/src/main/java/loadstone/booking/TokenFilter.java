package loadstone.booking;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Instant;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Looks at the token and its role where one is needed, before the body is read. */
@Singleton
class TokenFilter {

    private static final String CALLER = TokenFilter.class.getName();

    private final Tokens tokens;

    TokenFilter(Tokens tokens) {
        this.tokens = tokens;
    }

    /** Who asks for an operation that needs a token. */
    static Caller caller(RoutingContext context) {
        return context.get(CALLER);
    }

    /** Throws a Refusal. */
    @ServerRequestFilter
    public void check(RoutingContext context) {
        Operation operation = RouteFilter.operation(context.request());
        if (!operation.needsToken()) {
            return;
        }
        String field = context.request().getHeader(HttpHeaders.AUTHORIZATION);
        Caller caller = tokens.caller(field, Instant.now());
        if (caller == null) {
            throw new Refusal(Problem.UNAUTHENTICATED);
        }
        if (!operation.access().admits(caller.role())) {
            throw new Refusal(Problem.FORBIDDEN);
        }
        context.put(CALLER, caller);
    }
}
