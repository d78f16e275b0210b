package loadstone.conference;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What callers are told of a fault or failure, as RFC 9457 has it. All texts are constants, of
 * which none needs an escape; so nothing of a request or of an exception gets into an answer.
 */
enum Problem {
    MALFORMED(400, "malformed", "Malformed request", "The body must be one JSON value in UTF-8."),
    MALFORMED_PAGE(
            400,
            "malformed",
            "Malformed request",
            "The limit must be 1 to 1000, and after an id beside it."),
    NOT_FOUND(404, "not-found", "Not found", "Nothing is here."),
    METHOD_NOT_ALLOWED(
            405, "method-not-allowed", "Method not allowed", "The path does not have this method."),
    DUPLICATE_ID(409, "duplicate-id", "Duplicate id", "The id exists."),
    TOO_LARGE(413, "too-large", "Body too large", "A body has at most 16384 bytes."),
    UNSUPPORTED_MEDIA_TYPE(
            415,
            "unsupported-media-type",
            "Unsupported media type",
            "The body must be application/json."),
    INVALID(422, "invalid", "Invalid conference", "The conference is not valid."),
    INTERNAL(500, "internal", null, "The service failed."),
    COUNTRY_FAILED(502, "country-failed", null, "The country service failed."),
    UNAVAILABLE(503, "unavailable", null, "The database is not available."),
    COUNTRY_OPEN(503, "country-open", null, "The country service is not asked for now."),
    COUNTRY_TIMEOUT(504, "country-timeout", null, "The country service did not answer in time.");

    static final String MEDIA_TYPE = "application/problem+json";

    /** The value of the field `Retry-After` of each 503, in seconds. */
    static final String RETRY_AFTER_SECONDS = "1";

    static final int SERVICE_UNAVAILABLE = 503;
    private static final int FIRST_FAILURE = 500;

    private final int status;
    private final String code;
    private final String title;
    private final String detail;

    /** The title is null where it is the operation's. */
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

    /** The body. The operation gives the title of a failure, and may be null for other problems. */
    byte[] json(Operation operation, List<Fault> faults) {
        var text = new StringBuilder("{\"type\":\"urn:conference:").append(code);
        text.append("\",\"title\":\"").append(title == null ? operation.failureTitle() : title);
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
