package loadstone.users;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;

/** The bodies, which operations read by themselves: Quarkus would be lenient with them. */
@Singleton
final class RequestReader {

    private static final long UNKNOWN = -1;

    private final Json json;

    RequestReader(JacksonJson json) {
        this.json = json;
    }

    /** Reads the whole body, as a JSON value. Throws a Refusal. */
    Object body(InputStream stream, RoutingContext context) throws IOException {
        String length = context.request().getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return RequestBody.read(
                    stream,
                    length == null ? UNKNOWN : Long.parseLong(length),
                    RouteFilter.contentType(context),
                    json);
        } catch (Refusal refusal) {
            if (refusal.problem() == Problem.TOO_LARGE) {
                Excess.drop(context);
            }
            throw refusal;
        }
    }
}
