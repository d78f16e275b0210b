package loadstone.users;

import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Answers of 4xx and 5xx, before Spring would have its own. */
@Component
@Order(Problems.BEFORE_SPRING)
class Problems implements WebExceptionHandler {

    /** Spring Boot's own handler has -1. */
    static final int BEFORE_SPRING = -2;

    private static final MediaType TYPE = MediaType.parseMediaType(Problem.MEDIA_TYPE);

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        if (exchange.getResponse().isCommitted()) {
            return Mono.error(failure); // the server breaks the message off
        }
        Refusal refusal =
                failure instanceof Refusal expected
                        ? expected
                        : new Refusal(Problem.INTERNAL, failure.getClass().getName());
        if (refusal.problem().isFailure()) {
            FailureLog.write(
                    RouteFilter.operation(exchange), refusal.problem(), refusal.getMessage());
        }
        return write(exchange, refusal.problem(), refusal.faults());
    }

    private static Mono<Void> write(
            ServerWebExchange exchange, Problem problem, List<Fault> faults) {
        byte[] body = problem.json(faults);
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(HttpStatusCode.valueOf(problem.status()));
        HttpHeaders headers = response.getHeaders();
        headers.setContentType(TYPE);
        headers.setContentLength(body.length);
        if (problem.isChallenge()) {
            headers.set(HttpHeaders.WWW_AUTHENTICATE, Problem.CHALLENGE);
        }
        if (problem == Problem.UNAVAILABLE) {
            headers.set(HttpHeaders.RETRY_AFTER, Problem.RETRY_AFTER_SECONDS);
        }
        return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }
}
