package loadstone.gateway;

import java.util.List;
import org.springframework.http.HttpHeaders;

/** What pages of the allowed origin are told. The origin is null where there is none. */
final class Origins {

    /** Those that are the gateway's alone in answers to the origin. */
    static final List<String> FIELDS =
            List.of(
                    HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN,
                    HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS);

    private final String allowed;

    Origins(String allowed) {
        this.allowed = allowed;
    }

    /** Whether a request with these fields is from the allowed origin. */
    boolean isAllowed(HttpHeaders request) {
        return allowed != null && request.getOrEmpty(HttpHeaders.ORIGIN).equals(List.of(allowed));
    }

    boolean isPreflight(String method, HttpHeaders request) {
        return method.equals("OPTIONS")
                && request.containsHeader(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD)
                && isAllowed(request);
    }

    /** Says in the answer to a preflight what may be asked. */
    void allow(HttpHeaders answer) {
        answer.set(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
        answer.set(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, PUT");
        answer.set(
                HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS,
                "authorization, content-type, idempotency-key");
        answer.set(HttpHeaders.ACCESS_CONTROL_MAX_AGE, "600");
        answer.set(HttpHeaders.VARY, HttpHeaders.ORIGIN);
    }

    /** Says in any other answer what may be read. */
    void expose(HttpHeaders answer) {
        answer.set(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
        answer.set(
                HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS,
                "location, idempotency-replayed, x-request-id");
        answer.set(HttpHeaders.VARY, HttpHeaders.ORIGIN);
    }
}
