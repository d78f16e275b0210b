package loadstone.conference;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/** The answers that nobody reads. */
@Singleton
final class CallersGone implements ExceptionHandler<CallerGone, HttpResponse<Void>> {

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<Void> handle(HttpRequest request, CallerGone gone) {
        return HttpResponse.noContent();
    }
}
