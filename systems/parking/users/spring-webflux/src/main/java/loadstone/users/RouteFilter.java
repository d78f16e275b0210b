package loadstone.users;

import java.util.Objects;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Refuses what is no operation, by the path as it was sent, and whoever may not ask for it, before
 * Spring looks for a handler.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class RouteFilter implements WebFilter {

    /** The attribute in which the caller of a request is, where it was asked who that is. */
    static final String CALLER = "caller";

    private static final String OPERATION = RouteFilter.class.getName();

    private final Admission admission;

    RouteFilter(Admission admission) {
        this.admission = admission;
    }

    /** The operation of a request that came through, or null. */
    static Operation operation(ServerWebExchange exchange) {
        return exchange.getAttribute(OPERATION);
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        HttpHeaders fields = exchange.getResponse().getHeaders();
        fields.set(HttpHeaders.CACHE_CONTROL, OwnFields.NOT_STORED);
        fields.set(
                OwnFields.INSTANCE_ID,
                OwnFields.instanceId(Objects.requireNonNull(request.getLocalAddress())));
        try {
            admit(exchange);
        } catch (Refusal e) {
            return Mono.error(e);
        }
        return chain.filter(exchange);
    }

    private void admit(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        Route.Match match = Route.of(request.getURI().getRawPath());
        if (match == null) {
            throw new Refusal(Problem.NOT_FOUND);
        }
        Operation operation = match.route().operation(request.getMethod().name());
        if (operation == null) {
            HttpHeaders fields = exchange.getResponse().getHeaders();
            fields.set(HttpHeaders.ALLOW, match.route().allowed());
            throw new Refusal(Problem.METHOD_NOT_ALLOWED);
        }
        exchange.getAttributes().put(OPERATION, operation);
        Caller caller = admission.admit(request.getHeaders(), operation, match.userId());
        if (caller != null) {
            exchange.getAttributes().put(CALLER, caller);
        }
    }
}
