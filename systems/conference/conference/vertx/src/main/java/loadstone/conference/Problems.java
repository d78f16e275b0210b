package loadstone.conference;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** Answers of 4xx and 5xx. */
final class Problems {

    private final FailureLog log;

    Problems(FailureLog log) {
        this.log = log;
    }

    /** Answers a request whose operation failed. */
    void answer(RoutingContext context) {
        Throwable failure = context.failure();
        if (failure instanceof CallerGone || context.response().closed()) {
            return; // nobody is there to be answered
        }
        Operation operation = RouteFilter.operation(context.request());
        if (failure instanceof Refusal refusal) {
            if (refusal.problem().isFailure()) {
                log.write(operation, refusal.problem(), refusal.getMessage());
            }
            write(context.response(), refusal.problem(), operation, refusal.faults());
            return;
        }
        log.write(operation, Problem.INTERNAL, String.valueOf(failure));
        if (!context.response().ended()) {
            write(context.response(), Problem.INTERNAL, operation, List.of());
        }
    }

    /** Answers what is no request of HTTP/1.1. The server then closes the connection. */
    static void answerInvalid(HttpServerRequest request) {
        write(request.response(), Problem.MALFORMED, null, List.of());
    }

    static void write(
            HttpServerResponse response, Problem problem, Operation operation, List<Fault> faults) {
        response.setStatusCode(problem.status());
        response.putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE);
        if (problem.status() == Problem.SERVICE_UNAVAILABLE) {
            response.putHeader(HttpHeaders.RETRY_AFTER, Problem.RETRY_AFTER_SECONDS);
        }
        response.end(Buffer.buffer(problem.json(operation, faults)));
    }
}
