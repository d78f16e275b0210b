package loadstone.gateway;

import static org.springframework.cloud.gateway.support.ServerWebExchangeUtils.CLIENT_RESPONSE_ATTR;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;
import reactor.netty.FutureMono;
import reactor.netty.channel.ChannelOperations;

/** What callers are told of a failure, before Spring would say it in its own way. */
@Component
@Order(Failures.BEFORE_SPRING)
class Failures implements WebExceptionHandler {

    /** Spring Boot's own handler has -1. */
    static final int BEFORE_SPRING = -2;

    private final Answers answers;

    Failures(Answers answers) {
        this.answers = answers;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        ChannelOperations<?, ?> caller = Answers.caller(exchange);
        if (!caller.channel().isActive()) {
            return Mono.empty();
        }
        boolean hasBegun =
                exchange.getResponse().isCommitted()
                        || exchange.getAttribute(CLIENT_RESPONSE_ATTR) != null;
        if (hasBegun) {
            // So it never looks complete.
            return FutureMono.from(caller.channel().close());
        }
        if (failure instanceof Refusal refusal) {
            if (refusal.getMessage() != null) {
                FailureLog.write(refusal.problem().code(), refusal.getMessage());
            }
            return answers.refuse(exchange, refusal.problem());
        }
        // Of its text it is not known whether it is of the request.
        FailureLog.write(Problem.INTERNAL.code(), failure.getClass().getName());
        return answers.refuse(exchange, Problem.INTERNAL);
    }
}
