package loadstone.conference;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/** The answers of requests that the service itself ends. */
@Singleton
final class Refusals implements ExceptionHandler<Refusal, HttpResponse<byte[]>> {

    private final FailureLog log;

    Refusals(FailureLog log) {
        this.log = log;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<byte[]> handle(HttpRequest request, Refusal refusal) {
        Operation operation = RouteFilter.operation(request);
        if (refusal.problem().isFailure()) {
            log.write(operation, refusal.problem(), refusal.getMessage());
        }
        return Problems.answer(refusal.problem(), operation, refusal.faults());
    }
}
