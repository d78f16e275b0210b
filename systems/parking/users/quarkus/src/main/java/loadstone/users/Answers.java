package loadstone.users;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.jboss.resteasy.reactive.RestResponse;

/** Answers of 2xx. The type is named, since Quarkus would add a charset to that of the class. */
final class Answers {

    private Answers() {}

    static <T> RestResponse<T> ok(T body) {
        return of(RestResponse.Status.OK, body);
    }

    /** Throws a Refusal where there is nothing. */
    static <T> RestResponse<T> found(Optional<T> body) {
        return ok(body.orElseThrow(() -> new Refusal(Problem.NOT_FOUND)));
    }

    static <T> RestResponse<T> of(RestResponse.Status status, T body) {
        return building(status, body).build();
    }

    /** The path is no location to Quarkus, which would put the host before it. */
    static <T> RestResponse<T> created(String path, T body) {
        return building(RestResponse.Status.CREATED, body)
                .header(HttpHeaders.LOCATION, path)
                .build();
    }

    private static <T> RestResponse.ResponseBuilder<T> building(
            RestResponse.Status status, T body) {
        return RestResponse.ResponseBuilder.<T>create(status)
                .entity(body)
                .type(MediaType.APPLICATION_JSON);
    }
}
