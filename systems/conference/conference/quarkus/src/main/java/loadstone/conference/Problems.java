package loadstone.conference;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Answers of 4xx and 5xx. */
@Singleton
class Problems {

    private final FailureLog log;

    Problems(FailureLog log) {
        this.log = log;
    }

    @ServerExceptionMapper
    RestResponse<byte[]> refused(Refusal refusal, HttpServerRequest request) {
        Operation operation = RouteFilter.operation(request);
        if (refusal.problem().isFailure()) {
            log.write(operation, refusal.problem(), refusal.getMessage());
        }
        return answer(refusal.problem(), operation, refusal.faults());
    }

    /** Nobody is there to be answered. */
    @ServerExceptionMapper
    RestResponse<byte[]> gone(CallerGone gone) {
        return RestResponse.noContent();
    }

    /** The body did not come. */
    @ServerExceptionMapper
    RestResponse<byte[]> unread(IOException failure) {
        return answer(Problem.MALFORMED, null, List.of());
    }

    @ServerExceptionMapper
    RestResponse<byte[]> failed(Throwable failure, HttpServerRequest request) {
        Operation operation = RouteFilter.operation(request);
        log.write(operation, Problem.INTERNAL, failure.toString());
        return answer(Problem.INTERNAL, operation, List.of());
    }

    private static RestResponse<byte[]> answer(
            Problem problem, Operation operation, List<Fault> faults) {
        var answer =
                RestResponse.ResponseBuilder.<byte[]>create(problem.status())
                        .entity(problem.json(operation, faults))
                        .type(Problem.MEDIA_TYPE);
        if (problem.status() == Problem.SERVICE_UNAVAILABLE) {
            answer.header(HttpHeaders.RETRY_AFTER.toString(), Problem.RETRY_AFTER_SECONDS);
        }
        return answer.build();
    }

    /** Answers what does not get as far as an operation. */
    static void write(
            HttpServerResponse response, Problem problem, Operation operation, List<Fault> faults) {
        response.setStatusCode(problem.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
                .end(Buffer.buffer(problem.json(operation, faults)));
    }
}
