package loadstone.booking;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestResponse;

/** Answers of 2xx. The type is named, since Quarkus would add a charset to that of the class. */
final class Answers {

    private Answers() {}

    static <T> RestResponse<T> ok(T body) {
        return of(RestResponse.Status.OK, body);
    }

    static <T> RestResponse<T> of(RestResponse.Status status, T body) {
        return building(status, body).build();
    }

    /** Of what has a path of its own now. */
    static <T> RestResponse<T> created(String path, T body) {
        return creating(path, body).build();
    }

    /** For more fields. The path is no location to Quarkus, which would put the host before it. */
    static <T> RestResponse.ResponseBuilder<T> creating(String path, T body) {
        return building(RestResponse.Status.CREATED, body).header(HttpHeaders.LOCATION, path);
    }

    private static <T> RestResponse.ResponseBuilder<T> building(
            RestResponse.Status status, T body) {
        return RestResponse.ResponseBuilder.<T>create(status)
                .entity(body)
                .type(MediaType.APPLICATION_JSON);
    }
}
