package loadstone.conference;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;
import java.util.List;

/** Answers of 4xx and 5xx; besides, what Micronaut says of those that it gives by itself. */
@Singleton
final class Problems implements ErrorResponseProcessor<byte[]> {

    private final FailureLog log;

    Problems(FailureLog log) {
        this.log = log;
    }

    @Override
    public MutableHttpResponse<byte[]> processResponse(
            ErrorContext context, MutableHttpResponse<?> response) {
        HttpRequest<?> request = context.getRequest();
        MutableHttpResponse<byte[]> refusal = RouteFilter.refusal(request);
        if (refusal != null) {
            return refusal; // of a target that Micronaut could not read
        }
        if (response.code() >= HttpStatus.INTERNAL_SERVER_ERROR.getCode()) {
            Operation operation = RouteFilter.operation(request);
            String reason = String.valueOf(context.getRootCause().orElse(null));
            log.write(operation, Problem.INTERNAL, reason);
            return answer(Problem.INTERNAL, operation, List.of());
        }
        boolean isTooLarge = response.code() == HttpStatus.REQUEST_ENTITY_TOO_LARGE.getCode();
        return answer(isTooLarge ? Problem.TOO_LARGE : Problem.MALFORMED, null, List.of());
    }

    static MutableHttpResponse<byte[]> answer(
            Problem problem, Operation operation, List<Fault> faults) {
        MutableHttpResponse<byte[]> answer =
                HttpResponse.<byte[]>status(HttpStatus.valueOf(problem.status()))
                        .body(problem.json(operation, faults))
                        .contentType(Problem.MEDIA_TYPE);
        return problem.status() == Problem.SERVICE_UNAVAILABLE
                ? answer.header(HttpHeaders.RETRY_AFTER, Problem.RETRY_AFTER_SECONDS)
                : answer;
    }
}
