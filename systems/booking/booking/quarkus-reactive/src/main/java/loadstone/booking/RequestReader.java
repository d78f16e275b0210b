package loadstone.booking;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;

/** What operations read of a request by themselves: Quarkus would be lenient with it. */
@Singleton
final class RequestReader {

    private final Json json;

    RequestReader(JacksonJson json) {
        this.json = json;
    }

    /** Reads the whole body, as a JSON value. Fails with a Refusal. */
    Uni<Object> body(RoutingContext context) {
        String type = RouteFilter.contentType(context);
        return UniHelper.toUni(BodyReader.read(context.request()))
                .map(bytes -> RequestBody.value(bytes, type, json));
    }

    static Query query(RoutingContext context) {
        return Query.of(context.request().query());
    }
}
