package loadstone.booking;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What callers are told of a fault or failure, as RFC 9457 has it. All texts are constants, of
 * which none needs an escape; so nothing of a request or of an exception gets into an answer.
 */
enum Problem {
    MALFORMED(400, "malformed", "Malformed request", "The request is not well formed."),
    UNAUTHENTICATED(401, "unauthenticated", "Not authenticated", "A valid token is needed."),
    BAD_CREDENTIALS(
            401,
            "bad-credentials",
            "Bad credentials",
            "The e-mail address or the password is wrong."),
    FORBIDDEN(403, "forbidden", "Forbidden", "The account may not do this."),
    NOT_FOUND(404, "not-found", "Not found", "Nothing is here."),
    METHOD_NOT_ALLOWED(
            405, "method-not-allowed", "Method not allowed", "The path does not have this method."),
    EMAIL_TAKEN(
            409,
            "email-taken",
            "E-mail address taken",
            "There is an account of this e-mail address."),
    SLOT_TAKEN(409, "slot-taken", "Slot taken", "Another reservation is in this time."),
    FACILITY_RETIRED(
            409, "facility-retired", "Facility retired", "The facility takes no reservations."),
    WRONG_STATE(409, "wrong-state", "Wrong state", "The reservation is in another state."),
    TOO_LARGE(413, "too-large", "Body too large", "A body has at most 16384 bytes."),
    UNSUPPORTED_MEDIA_TYPE(
            415,
            "unsupported-media-type",
            "Unsupported media type",
            "The body must be application/json."),
    VALIDATION(422, "validation", "Invalid members", "The body is not valid."),
    IDEMPOTENCY_MISMATCH(
            422, "idempotency-mismatch", "Key used before", "The key belongs to another request."),
    INTERNAL(500, "internal", "Internal error", "The service failed."),
    UNAVAILABLE(503, "unavailable", "Not available", "The database is not available.");

    static final String MEDIA_TYPE = "application/problem+json";

    /** The value of the field `WWW-Authenticate` of what has no valid token. */
    static final String CHALLENGE = "Bearer";

    /** The value of the field `Retry-After` of each 503, in seconds. */
    static final String RETRY_AFTER_SECONDS = "1";

    private static final int FIRST_FAILURE = 500;

    private final int status;
    private final String code;
    private final String title;
    private final String detail;

    Problem(int status, String code, String title, String detail) {
        this.status = status;
        this.code = code;
        this.title = title;
        this.detail = detail;
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    /** Whether the service failed, and not its caller. */
    boolean isFailure() {
        return status >= FIRST_FAILURE;
    }

    /** The body. */
    byte[] json(List<Fault> faults) {
        var text = new StringBuilder("{\"type\":\"https://booking.example/problems/").append(code);
        text.append("\",\"title\":\"").append(title);
        text.append("\",\"status\":").append(status);
        text.append(",\"detail\":\"").append(detail).append('"');
        for (int i = 0; i < faults.size(); i++) {
            text.append(i == 0 ? ",\"errors\":[" : ",");
            text.append("{\"pointer\":\"").append(faults.get(i).pointer());
            text.append("\",\"code\":\"").append(faults.get(i).code()).append("\"}");
        }
        return text.append(faults.isEmpty() ? "}" : "]}")
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }
}
