package loadstone.gateway;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** What is done with a request before Spring looks for a route, in the order of SPEC.md. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class Entrance implements WebFilter {

    /** Heads of 15 KiB pass, those of 24 KiB do not. */
    private static final int MOST_HEAD_BYTES = 20 << 10;

    private final Answers answers;
    private final OwnFields own;
    private final Origins origins;
    private final Tokens tokens;
    private final Instances instances;

    Entrance(Answers answers, OwnFields own, Origins origins, Tokens tokens, Instances instances) {
        this.answers = answers;
        this.own = own;
        this.origins = origins;
        this.tokens = tokens;
        this.instances = instances;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Call call = Call.of(exchange.getRequest());
        call.keepIn(exchange);
        own.set(exchange.getResponse().getHeaders(), call);
        try {
            return serve(call, exchange, chain);
        } catch (Refusal e) {
            return answers.refuse(exchange, e.problem());
        }
    }

    private Mono<Void> serve(Call call, ServerWebExchange exchange, WebFilterChain chain) {
        if (call.headBytes() > MOST_HEAD_BYTES) {
            throw new Refusal(Problem.FIELDS_TOO_LARGE);
        }
        if (origins.isPreflight(call.method(), call.fields())) {
            return answers.preflight(exchange);
        }
        if (call.target().path().equals(Target.HEALTH)) {
            checkHealth(call);
            return answers.up(exchange);
        }
        Call admitted = call.by(admit(call));
        admitted.keepIn(exchange);
        var request = new ForwardedRequest(exchange, admitted);
        return chain.filter(exchange.mutate().request(request).build());
    }

    private void checkHealth(Call call) {
        if (!call.method().equals("GET")) {
            throw new Refusal(Problem.METHOD_NOT_ALLOWED);
        }
        if (!instances.isKnown()) {
            throw new Refusal(Problem.UNAVAILABLE);
        }
    }

    /** Gives whose request it is, or null where nobody asks. Throws a Refusal. */
    private Identity admit(Call call) {
        Target target = call.target();
        if (target.hasDots()) {
            throw new Refusal(Problem.MALFORMED);
        }
        if (!target.isRouted()) {
            throw new Refusal(Problem.NOT_FOUND);
        }
        Identity identity =
                target.isOpen(call.method())
                        ? null
                        : tokens.verify(call.fields().getOrEmpty(HttpHeaders.AUTHORIZATION));
        if (call.bodyBytes() > ForwardedRequest.MOST_BODY_BYTES) {
            throw new Refusal(Problem.TOO_LARGE);
        }
        return identity;
    }
}
