package loadstone.booking;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Refuses what is no operation, by the path as it was sent, before Spring Security asks for a token
 * and Spring looks for a handler.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class RouteFilter implements WebFilter {

    private static final String OPERATION = RouteFilter.class.getName();

    /** The operation of a request that came through, or null. */
    static Operation operation(ServerWebExchange exchange) {
        return exchange.getAttribute(OPERATION);
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Route route = Route.of(exchange.getRequest().getURI().getRawPath());
        if (route == null) {
            return Mono.error(new Refusal(Problem.NOT_FOUND));
        }
        Operation operation = route.operation(exchange.getRequest().getMethod().name());
        if (operation == null) {
            exchange.getResponse().getHeaders().set(HttpHeaders.ALLOW, route.allowed());
            return Mono.error(new Refusal(Problem.METHOD_NOT_ALLOWED));
        }
        exchange.getAttributes().put(OPERATION, operation);
        return chain.filter(exchange);
    }
}
