package loadstone.gateway;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What callers are told of a fault or failure, as RFC 9457 has it. All texts are constants, of
 * which none needs an escape; so nothing of a request or of an exception gets into an answer.
 */
enum Problem {
    MALFORMED(400, "Malformed request"),
    TOKEN_MISSING(401, "Token missing"),
    TOKEN_INVALID(401, "Token not valid"),
    NOT_FOUND(404, "Not found"),
    METHOD_NOT_ALLOWED(405, "Method not allowed"),
    TOO_LARGE(413, "Body too large"),
    FIELDS_TOO_LARGE(431, "Header fields too large"),
    INTERNAL(500, "Internal error"),
    UPSTREAM(502, "Service failed"),
    UNAVAILABLE(503, "Not available"),
    UPSTREAM_TIMEOUT(504, "Service did not answer in time");

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

    /** The body. */
    byte[] json() {
        return "{\"type\":\"urn:park:%s\",\"title\":\"%s\",\"status\":%d,\"code\":\"%s\"}"
                .formatted(code, title, status, code)
                .getBytes(StandardCharsets.US_ASCII);
    }
}
