package loadstone.users;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import java.io.IOException;
import java.util.List;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Answers of 4xx and 5xx. */
@Singleton
class Problems {

    @ServerExceptionMapper
    RestResponse<byte[]> refused(Refusal refusal, HttpServerRequest request) {
        if (refusal.problem().isFailure()) {
            FailureLog.write(
                    RouteFilter.operation(request), refusal.problem(), refusal.getMessage());
        }
        return answer(refusal.problem(), refusal.faults());
    }

    /** The body did not come. */
    @ServerExceptionMapper
    RestResponse<byte[]> unread(IOException failure) {
        return answer(Problem.MALFORMED, List.of());
    }

    /** Of a failure no more is told than what it is: its text may be of the request. */
    @ServerExceptionMapper
    RestResponse<byte[]> failed(Throwable failure, HttpServerRequest request) {
        String name = failure.getClass().getName();
        FailureLog.write(RouteFilter.operation(request), Problem.INTERNAL, name);
        return answer(Problem.INTERNAL, List.of());
    }

    private static RestResponse<byte[]> answer(Problem problem, List<Fault> faults) {
        var answer =
                RestResponse.ResponseBuilder.<byte[]>create(problem.status())
                        .entity(problem.json(faults))
                        .type(Problem.MEDIA_TYPE);
        if (problem == Problem.UNAVAILABLE) {
            answer.header(HttpHeaders.RETRY_AFTER, Problem.RETRY_AFTER_SECONDS);
        }
        return answer.build();
    }

    /** Answers what does not get as far as an operation. */
    static void write(HttpServerResponse response, Problem problem) {
        if (problem.isChallenge()) {
            response.putHeader(HttpHeaders.WWW_AUTHENTICATE, Problem.CHALLENGE);
        }
        response.setStatusCode(problem.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
                .end(Buffer.buffer(problem.json(List.of())));
    }
}
