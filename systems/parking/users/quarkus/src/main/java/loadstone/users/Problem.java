package loadstone.users;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * What callers are told of a fault or failure, as RFC 9457 has it. All texts are constants, of
 * which none needs an escape; so nothing of a request or of an exception gets into an answer.
 */
enum Problem {
    MALFORMED(400, "Malformed request"),
    UNKNOWN_MEMBER(400, "Unknown member"),
    TOKEN_MISSING(401, "Token missing"),
    TOKEN_INVALID(401, "Token not valid"),
    CREDENTIALS(401, "Wrong e-mail address or password"),
    FORBIDDEN(403, "Forbidden"),
    ACCOUNT_BLOCKED(403, "Account blocked"),
    NOT_FOUND(404, "Not found"),
    METHOD_NOT_ALLOWED(405, "Method not allowed"),
    DUPLICATE_EMAIL(409, "E-mail address taken"),
    DUPLICATE_NIF(409, "Tax number taken"),
    DUPLICATE_PLATE(409, "Plate taken"),
    VEHICLE_LIMIT(409, "Too many vehicles"),
    COINS(409, "Not enough coins, or too many"),
    TOO_LARGE(413, "Body too large"),
    UNSUPPORTED_MEDIA_TYPE(415, "Unsupported media type"),
    INVALID(422, "Invalid members"),
    IDEMPOTENCY_MISMATCH(422, "Key used before"),
    INTERNAL(500, "Internal error"),
    UNAVAILABLE(503, "Not available");

    static final String MEDIA_TYPE = "application/problem+json";

    /** The value of the field `WWW-Authenticate` of what has no valid token. */
    static final String CHALLENGE = "Bearer";

    /** The value of the field `Retry-After` of each 503, in seconds. */
    static final String RETRY_AFTER_SECONDS = "1";

    private static final int FIRST_FAILURE = 500;

    private final int status;
    private final String code;
    private final String title;

    Problem(int status, String title) {
        this.status = status;
        this.code = name().toLowerCase(Locale.ROOT).replace('_', '-');
        this.title = title;
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    /** Whether the caller is told how to authenticate. */
    boolean isChallenge() {
        return this == TOKEN_MISSING || this == TOKEN_INVALID;
    }

    /** Whether the service failed, and not its caller. */
    boolean isFailure() {
        return status >= FIRST_FAILURE;
    }

    /** The body. */
    byte[] json(List<Fault> faults) {
        var text = new StringBuilder("{\"type\":\"urn:park:").append(code);
        text.append("\",\"title\":\"").append(title);
        text.append("\",\"status\":").append(status);
        text.append(",\"code\":\"").append(code).append('"');
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
