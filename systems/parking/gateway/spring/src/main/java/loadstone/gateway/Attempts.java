package loadstone.gateway;

import static org.springframework.cloud.gateway.support.ServerWebExchangeUtils.CLIENT_RESPONSE_ATTR;
import static org.springframework.cloud.gateway.support.ServerWebExchangeUtils.GATEWAY_ALREADY_ROUTED_ATTR;
import static org.springframework.cloud.gateway.support.ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR;

import java.net.URI;
import java.util.HashSet;
import java.util.Set;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** Chooses the instance of a request, right before it is sent, and another one where that fails. */
@Component
class Attempts implements GlobalFilter, Ordered {

    /** The first one, and two others. */
    private static final int MOST_INSTANCES = 3;

    private final Instances instances;

    Attempts(Instances instances) {
        this.instances = instances;
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE - 1;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        return Mono.defer(() -> attempt(exchange, chain, new HashSet<>()));
    }

    /** Asks an instance, but those that were tried before. */
    private Mono<Void> attempt(
            ServerWebExchange exchange, GatewayFilterChain chain, Set<String> tried) {
        String instance = instances.next(tried);
        if (instance == null) {
            return Mono.error(
                    tried.isEmpty()
                            ? new Refusal(Problem.UNAVAILABLE)
                            : new Refusal(Problem.UPSTREAM, "no instance is left to try"));
        }
        tried.add(instance);
        Call call = Call.of(exchange);
        exchange.getAttributes()
                .put(GATEWAY_REQUEST_URL_ATTR, URI.create(instance + call.target().text()));
        exchange.getAttributes().remove(GATEWAY_ALREADY_ROUTED_ATTR);
        var attempt = new Attempt(call);
        return chain.filter(exchange)
                .contextWrite(Context.of(Attempt.class, attempt))
                .onErrorResume(
                        failure -> {
                            if (isOver(exchange, failure)) {
                                return Mono.error(failure);
                            }
                            if (!attempt.isFailedBy(failure)) {
                                return Mono.error(refusal(attempt, failure));
                            }
                            instances.leaveOut(instance);
                            return attempt.mayBeRepeated() && tried.size() < MOST_INSTANCES
                                    ? attempt(exchange, chain, tried)
                                    : Mono.error(refusal(attempt, failure));
                        });
    }

    /** Whether it is no failure of the attempt: of the body, behind a head, or of the caller. */
    private static boolean isOver(ServerWebExchange exchange, Throwable failure) {
        return failure instanceof Refusal
                || exchange.getAttribute(CLIENT_RESPONSE_ATTR) != null
                || !Answers.caller(exchange).channel().isActive();
    }

    private static Refusal refusal(Attempt attempt, Throwable failure) {
        Problem problem = attempt.isLateBy(failure) ? Problem.UPSTREAM_TIMEOUT : Problem.UPSTREAM;
        return new Refusal(problem, FailureLog.reason(failure));
    }
}
